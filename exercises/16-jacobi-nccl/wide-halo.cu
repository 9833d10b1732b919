// Exercise 16-jacobi-nccl/wide-halo: k steps per exchange.
//
// Build: nvcc -O3 -std=c++17 -I. exercises/16-jacobi-nccl/wide-halo.cu -o wide-halo -lnccl
// Run:   ./wide-halo
//
// On the CPU backend, with three devices:
//   COURSE_CPU_DEVICES=3 ./course --backend cpu run wide-halo

#include "common/device.hpp"
#include "common/verify.hpp"
#include "exercises/16-jacobi-nccl/gpus.hpp"
#include "exercises/16-jacobi-nccl/wide-halo.hpp"

#include <utility>
#include <vector>

// Computes `row_count` rows of an array, from first_row on. It reads one more row on each side.
__global__ void step(int nx, int first_row, int row_count, const float *now, float *next) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx || y >= row_count)
    return;
  const size_t i = size_t(first_row + y) * nx + x;
  if (x == 0 || x == nx - 1)
    next[i] = now[i];
  else
    next[i] = 0.25f * (now[i - 1] + now[i + 1] + now[i - nx] + now[i + nx]);
}

// Fills the halos of d_now: k rows above a GPU's own rows, and k rows below them. Row 0 of an array
// is the first row of the halo above.
void exchange_halos(const std::vector<Gpu> &gpus, int nx, int k) {
  const size_t n = size_t(nx) * k; // numbers per message: the k rows are contiguous
  NCCL_CHECK(ncclGroupStart());
  for (const Gpu &gpu : gpus) {
    // TODO 1: the first row of each message. Two have own rows, two fill a part of the halo.
    const int to_previous = 0, to_next = 0, from_previous = 0, from_next = 0;
    // TODO end
    const auto row = [&](int number) { return gpu.row(gpu.d_now, number); };
    NCCL_CHECK(ncclSend(row(to_previous), n, ncclFloat, gpu.previous_rank, gpu.comm, gpu.stream));
    NCCL_CHECK(ncclRecv(row(from_next), n, ncclFloat, gpu.next_rank, gpu.comm, gpu.stream));
    NCCL_CHECK(ncclSend(row(to_next), n, ncclFloat, gpu.next_rank, gpu.comm, gpu.stream));
    NCCL_CHECK(ncclRecv(row(from_previous), n, ncclFloat, gpu.previous_rank, gpu.comm, gpu.stream));
  }
  NCCL_CHECK(ncclGroupEnd());
}

void wide_halo(int nx, int ny, int k, int steps, float *mesh) {
  std::vector<Gpu> gpus = distribute(nx, ny, k, mesh);
  for (int done = 0; done < steps; ++done) {
    const int since = done % k; // steps since the last exchange
    if (since == 0)
      exchange_halos(gpus, nx, k);
    for (Gpu &gpu : gpus) {
      // TODO 2: the rows of this step. The k-th step after an exchange computes only own rows.
      const int first_row = k, row_count = gpu.count;
      // TODO end
      CUDA_CHECK(cudaSetDevice(gpu.rank));
      const dim3 block(32, 8), grid((nx + 31) / 32, (row_count + 7) / 8);
      step<<<grid, block, 0, gpu.stream>>>(nx, first_row, row_count, gpu.d_now, gpu.d_next);
      CUDA_CHECK(cudaGetLastError());
      std::swap(gpu.d_now, gpu.d_next);
    }
  }
  collect(gpus, mesh);
}

int main() {
  course::print_device();
  const int nx = 70, ny = 1001, k = 4, steps = 10;
  std::vector<float> mesh(ny * nx);
  for (int i = 0; i < ny * nx; ++i)
    mesh[i] = i * 7919 % 1009;
  std::vector<float> expected = mesh;
  for (int i = 0; i < steps; ++i)
    step_on_host(nx, ny, expected);
  wide_halo(nx, ny, k, steps, mesh.data());
  return course::verdict(
      course::verify("mesh", mesh.data(), mesh.size(), [&](size_t i) { return expected[i]; }));
}
