// The part of the mesh that one rank has on its GPU, and the step on it: lesson 09's, for some
// rows.
#pragma once

#include "common/check.hpp"
#include "common/mpi.hpp"
#include "lessons/15-jacobi-mpi/plain.hpp"

#include <cstddef>
#include <cstdio>
#include <vector>

constexpr int strip = 2; // rows of a thread

// One Jacobi step for `count` rows of a part, from row `first` on: each cell becomes the mean of
// its four neighbours. The first and the last column stay. A thread has four columns: it loads and
// stores 16 bytes at once, and the row below is the next step's own row, already in a register.
// WithNorm: adds the squares of all changes to *norm, in double.
template <bool WithNorm>
__global__ void step(const float *__restrict__ now, float *__restrict__ next, int columns,
                     int pitch, int first, int count, double *norm) {
  const int x = 4 * (blockIdx.x * blockDim.x + threadIdx.x), end = first + count;
  const int top = first + (blockIdx.y * blockDim.y + threadIdx.y) * strip;
  double sum = 0;
  if (x < columns && top < end) {
    const auto four = [=](int y) {
      return *reinterpret_cast<const float4 *>(now + std::size_t(y) * pitch + x);
    };
    float4 up = four(top - 1), own = four(top);
    for (int i = 0; i < strip; ++i) { // so few turns that nvcc writes them out, one after the other
      const int y = top + i;
      if (y >= end)
        break;
      const float4 down = four(y + 1);
      const float *const row = now + std::size_t(y) * pitch + x;
      const float left = x > 0 ? row[-1] : 0, right = x + 4 < columns ? row[4] : 0;
      float4 mean = {
          0.25f * (left + own.y + up.x + down.x), 0.25f * (own.x + own.z + up.y + down.y),
          0.25f * (own.y + own.w + up.z + down.z), 0.25f * (own.z + right + up.w + down.w)};
      if (x == 0)
        mean.x = own.x;
      if (x + 4 >= columns) { // the last column, and behind it the padding
        mean.x = x + 1 < columns ? mean.x : own.x;
        mean.y = x + 2 < columns ? mean.y : own.y;
        mean.z = x + 3 < columns ? mean.z : own.z;
        mean.w = own.w;
      }
      *reinterpret_cast<float4 *>(next + std::size_t(y) * pitch + x) = mean;
      if (WithNorm)
        for (const float change : {mean.x - own.x, mean.y - own.y, mean.z - own.z, mean.w - own.w})
          sum += double(change) * change;
      up = own;
      own = down;
    }
  }
  if (WithNorm) {
    for (int lanes = 16; lanes > 0; lanes /= 2)
      sum += __shfl_down_sync(0xFFFFFFFFu, sum, lanes);
    if (threadIdx.x % 32 == 0)
      atomicAdd(norm, sum);
  }
}

// The first row of a rank; that of rank `ranks` is the number of rows. Where they do not divide
// evenly, parts differ by one row.
inline int first_row(int rank, int ranks, int rows) { return int((long long)rows * rank / ranks); }

// Whether each device has room for the parts of the `sharing` ranks on it, and that of rank 0 for
// the whole mesh, too, which the proof computes again: two arrays of each. Every rank gets the same
// answer.
inline bool fits(const course::Ranks &ranks, int columns, int rows, int sharing) {
  const double row = 2.0 * sizeof(float) * (columns + 31);
  const double needed =
      row * (rows / ranks.count + 3) * sharing + (ranks.rank == 0 ? row * rows : 0);
  std::size_t free_bytes = 0, total_bytes = 0;
  CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
  int lacks = needed > free_bytes ? ranks.rank : ranks.count, first = 0; // the first one that lacks
  MPI_CHECK(MPI_Allreduce(&lacks, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD));
  if (first == ranks.rank)
    std::fprintf(
        stderr,
        "%d columns and %d rows do not fit: rank %d's device needs %.0f MB%s, %.0f MB are free\n",
        columns, rows, first, 1e-6 * needed,
        first == 0 ? " (with the whole mesh, for the proof)" : "", 1e-6 * free_bytes);
  return first == ranks.count;
}

// The part of a rank: `count` rows of the mesh from `first` on, in two arrays on its device. Row
// 0 and row count+1 of an array are the halo: copies of the neighbours' nearest rows.
struct Part {
  int columns, first, count;
  int up, down;       // the ranks before and behind; the last one's down is rank 0
  int pitch;          // floats from row to row: each begins at a multiple of 128 bytes
  float *now, *next;  // on the device, count + 2 rows each
  double *norm;       // on the device
  float *sent, *came; // on the host, 2 rows each; pinned, so that the copies are fast

  Part(const course::Ranks &ranks, int columns, int rows) : columns(columns) {
    first = first_row(ranks.rank, ranks.count, rows);
    count = first_row(ranks.rank + 1, ranks.count, rows) - first;
    up = (ranks.rank + ranks.count - 1) % ranks.count;
    down = (ranks.rank + 1) % ranks.count;
    pitch = (columns + 31) / 32 * 32;
    CUDA_CHECK(cudaMalloc(&now, bytes(count + 2)));
    CUDA_CHECK(cudaMalloc(&next, bytes(count + 2)));
    CUDA_CHECK(cudaMalloc(&norm, sizeof *norm));
    CUDA_CHECK(cudaMemset(norm, 0, sizeof *norm));
    CUDA_CHECK(cudaMallocHost(&sent, bytes(2)));
    CUDA_CHECK(cudaMallocHost(&came, bytes(2)));
  }
  ~Part() {
    for (void *memory : {(void *)now, (void *)next, (void *)norm})
      cudaFree(memory);
    for (float *memory : {sent, came})
      cudaFreeHost(memory);
  }
  Part(const Part &) = delete;
  Part &operator=(const Part &) = delete;

  std::size_t bytes(int rows) const { return sizeof(float) * pitch * rows; }
  float *row(float *array, int number) const { return array + std::size_t(pitch) * number; }

  void start(int rows) {
    const std::vector<float> values = start_values(columns, pitch, rows, first, count);
    for (float *array : {now, next}) {
      CUDA_CHECK(cudaMemset(array, 0, bytes(count + 2)));
      CUDA_CHECK(cudaMemcpy(row(array, 1), values.data(), bytes(count), cudaMemcpyHostToDevice));
    }
  }

  // The step for `some` rows, from row `begin` on.
  void launch(int begin, int some, bool with_norm, cudaStream_t stream) const {
    if (some <= 0)
      return;
    const dim3 block(64, 4), grid((columns + 4 * block.x - 1) / (4 * block.x),
                                  (some + strip * block.y - 1) / (strip * block.y));
    if (with_norm)
      step<true><<<grid, block, 0, stream>>>(now, next, columns, pitch, begin, some, norm);
    else
      step<false><<<grid, block, 0, stream>>>(now, next, columns, pitch, begin, some, norm);
    CUDA_CHECK(cudaGetLastError());
  }
};
