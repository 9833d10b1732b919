// The part of the mesh that one rank has on its GPU, and the step on it: lesson 09's, for some
// rows.
#pragma once

#include "common/check.hpp"
#include "common/mpi.hpp"
#include "lessons/15-jacobi-mpi/plain.hpp"

#include <cstddef>
#include <cstdio>
#include <vector>

constexpr int thread_rows = 2; // that each thread computes

// One Jacobi step for `count` rows of a part, from row `first` on: each cell becomes the mean of
// its four neighbours. The first and the last column stay. A thread has four columns: it loads and
// stores 16 bytes at once, and the row below is the next step's own row, already in a register.
// with_norm: adds the squares of all changes to *squares, in double.
template <bool with_norm>
__global__ void step(const float *__restrict__ now, float *__restrict__ next, int nx, int pitch,
                     int first, int count, double *squares) {
  const int x = 4 * (blockIdx.x * blockDim.x + threadIdx.x), end = first + count;
  const int top = first + (blockIdx.y * blockDim.y + threadIdx.y) * thread_rows;
  double sum = 0;
  if (x < nx && top < end) {
    const auto four = [=](int y) {
      return *reinterpret_cast<const float4 *>(now + std::size_t(y) * pitch + x);
    };
    float4 above = four(top - 1), here = four(top);
    for (int i = 0; i < thread_rows; ++i) { // so few turns that nvcc unrolls the loop
      const int y = top + i;
      if (y >= end)
        break;
      const float4 below = four(y + 1);
      const float *const row = now + std::size_t(y) * pitch + x;
      const float left = x > 0 ? row[-1] : 0, right = x + 4 < nx ? row[4] : 0;
      float4 mean = {0.25f * (left + here.y + above.x + below.x),
                     0.25f * (here.x + here.z + above.y + below.y),
                     0.25f * (here.y + here.w + above.z + below.z),
                     0.25f * (here.z + right + above.w + below.w)};
      if (x == 0)
        mean.x = here.x;
      if (x + 4 >= nx) { // the last column, and the padding after it
        mean.x = x + 1 < nx ? mean.x : here.x;
        mean.y = x + 2 < nx ? mean.y : here.y;
        mean.z = x + 3 < nx ? mean.z : here.z;
        mean.w = here.w;
      }
      *reinterpret_cast<float4 *>(next + std::size_t(y) * pitch + x) = mean;
      if (with_norm)
        for (const float change :
             {mean.x - here.x, mean.y - here.y, mean.z - here.z, mean.w - here.w})
          sum += double(change) * change;
      above = here;
      here = below;
    }
  }
  if (with_norm) {
    for (int away = 16; away > 0; away /= 2)
      sum += __shfl_down_sync(0xFFFFFFFFu, sum, away);
    if (threadIdx.x % 32 == 0)
      atomicAdd(squares, sum);
  }
}

// The first row of a rank; that of rank `ranks` is the number of rows. Where they do not divide
// evenly, parts differ by one row.
inline int first_row(int rank, int ranks, int ny) { return int((long long)ny * rank / ranks); }

// Whether each device has room for the parts of the `sharing` ranks on it, and that of rank 0 for
// the whole mesh, too, which the proof computes again: two arrays of each. Every rank gets the same
// answer.
inline bool fits(const course::Ranks &ranks, int nx, int ny, int sharing) {
  const double row = 2.0 * sizeof(float) * (nx + 31);
  const double needed = row * (ny / ranks.count + 3) * sharing + (ranks.rank == 0 ? row * ny : 0);
  std::size_t free_bytes = 0, total_bytes = 0;
  CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
  int lacks = needed > free_bytes ? ranks.rank : ranks.count, first = 0; // the first one that lacks
  MPI_CHECK(MPI_Allreduce(&lacks, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD));
  if (first == ranks.rank)
    std::fprintf(
        stderr,
        "%d columns and %d rows do not fit: rank %d's device needs %.0f MB%s, %.0f MB are free\n",
        nx, ny, first, 1e-6 * needed, first == 0 ? " (with the whole mesh, for the proof)" : "",
        1e-6 * free_bytes);
  return first == ranks.count;
}

// The part of a rank: `count` rows of the mesh from `first` on, in two arrays on its device. Row
// 0 and row count+1 of an array are the halo: copies of the neighbours' nearest rows.
struct Part {
  int nx, first, count;
  int previous_rank, next_rank; // a ring: after the last rank comes rank 0
  int pitch;                    // floats from row to row: each begins at a multiple of 128 bytes
  float *d_now, *d_next;        // on the device, count + 2 rows each
  double *d_squares;            // on the device
  float *to_send, *received;    // on the host, 2 rows each; pinned, so that the copies are fast

  Part(const course::Ranks &ranks, int nx, int ny) : nx(nx) {
    first = first_row(ranks.rank, ranks.count, ny);
    count = first_row(ranks.rank + 1, ranks.count, ny) - first;
    previous_rank = (ranks.rank + ranks.count - 1) % ranks.count;
    next_rank = (ranks.rank + 1) % ranks.count;
    pitch = (nx + 31) / 32 * 32;
    CUDA_CHECK(cudaMalloc(&d_now, bytes(count + 2)));
    CUDA_CHECK(cudaMalloc(&d_next, bytes(count + 2)));
    CUDA_CHECK(cudaMalloc(&d_squares, sizeof *d_squares));
    CUDA_CHECK(cudaMemset(d_squares, 0, sizeof *d_squares));
    CUDA_CHECK(cudaMallocHost(&to_send, bytes(2)));
    CUDA_CHECK(cudaMallocHost(&received, bytes(2)));
  }
  ~Part() {
    for (void *memory : {(void *)d_now, (void *)d_next, (void *)d_squares})
      cudaFree(memory);
    for (float *memory : {to_send, received})
      cudaFreeHost(memory);
  }
  Part(const Part &) = delete;
  Part &operator=(const Part &) = delete;

  std::size_t bytes(int row_count) const { return sizeof(float) * pitch * row_count; }
  float *row(float *array, int number) const { return array + std::size_t(pitch) * number; }

  void start(int ny) {
    const std::vector<float> values = start_values(nx, pitch, ny, first, count);
    for (float *array : {d_now, d_next}) {
      CUDA_CHECK(cudaMemset(array, 0, bytes(count + 2)));
      CUDA_CHECK(cudaMemcpy(row(array, 1), values.data(), bytes(count), cudaMemcpyHostToDevice));
    }
  }

  // The step for `row_count` rows, from row `begin` on.
  void launch(int begin, int row_count, bool with_norm, cudaStream_t stream) const {
    if (row_count <= 0)
      return;
    const dim3 block(64, 4),
        grid((nx + 4 * block.x - 1) / (4 * block.x),
             (row_count + thread_rows * block.y - 1) / (thread_rows * block.y));
    if (with_norm)
      step<true><<<grid, block, 0, stream>>>(d_now, d_next, nx, pitch, begin, row_count, d_squares);
    else
      step<false>
          <<<grid, block, 0, stream>>>(d_now, d_next, nx, pitch, begin, row_count, d_squares);
    CUDA_CHECK(cudaGetLastError());
  }
};
