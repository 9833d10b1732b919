// Exercise 16-jacobi-nccl/in-one-group: the halo exchange with NCCL, on all GPUs of one process.
//
// Build: nvcc -O3 -std=c++17 -I. exercises/16-jacobi-nccl/in-one-group.cu -o in-one-group -lnccl
// Run:   ./in-one-group
//
// On the CPU backend, with three devices:
//   COURSE_CPU_DEVICES=3 ./course --backend cpu run in-one-group

#include "common/device.hpp"
#include "common/verify.hpp"
#include "exercises/16-jacobi-nccl/gpus.hpp"
#include "exercises/16-jacobi-nccl/in-one-group.hpp"

#include <utility>
#include <vector>

// Rows 1 to `count` of an array with a halo row above and below.
__global__ void step(int nx, int count, const float *now, float *next) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y + 1; // row 0 is the halo
  if (x >= nx || y > count)
    return;
  const size_t i = size_t(y) * nx + x;
  if (x == 0 || x == nx - 1)
    next[i] = now[i];
  else
    next[i] = 0.25f * (now[i - 1] + now[i + 1] + now[i - nx] + now[i + nx]);
}

// Fills the halo rows of d_now on all GPUs. This is work in their streams: the host does not wait.
// gpu.row(gpu.d_now, i) is row i. Row 0 is the halo above, rows 1 to gpu.count are the GPU's own
// rows, and row gpu.count + 1 is the halo below. Every GPU sends its first own row to the previous
// rank and its last own row to the next rank, and receives its halo rows from them.
void exchange_halos(const std::vector<Gpu> &gpus, int nx) {
  // TODO 1: two sends and two receives per GPU
  // TODO end
}

void in_one_group(int nx, int ny, int steps, float *mesh) {
  std::vector<Gpu> gpus = distribute(nx, ny, 1, mesh);
  for (int i = 0; i < steps; ++i) {
    exchange_halos(gpus, nx);
    for (Gpu &gpu : gpus) {
      CUDA_CHECK(cudaSetDevice(gpu.rank));
      const dim3 block(32, 8), grid((nx + 31) / 32, (gpu.count + 7) / 8);
      step<<<grid, block, 0, gpu.stream>>>(nx, gpu.count, gpu.d_now, gpu.d_next);
      CUDA_CHECK(cudaGetLastError());
      std::swap(gpu.d_now, gpu.d_next);
    }
  }
  collect(gpus, mesh);
}

int main() {
  course::print_device();
  const int nx = 70, ny = 1001, steps = 5;
  std::vector<float> mesh(ny * nx);
  for (int i = 0; i < ny * nx; ++i)
    mesh[i] = i * 7919 % 1009;
  std::vector<float> expected = mesh;
  for (int i = 0; i < steps; ++i)
    step_on_host(nx, ny, expected);
  in_one_group(nx, ny, steps, mesh.data());
  return course::verdict(
      course::verify("mesh", mesh.data(), mesh.size(), [&](size_t i) { return expected[i]; }));
}
