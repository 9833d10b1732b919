// Exercise 16-jacobi-nccl/settled-rank: a bug hunt. It works if all parts of the mesh change.
//
// Build: nvcc -O3 -std=c++17 -arch=sm_75 -I. exercises/16-jacobi-nccl/settled-rank.cu -o settled-rank -lnccl
// Run:   ./settled-rank
//
// On the CPU backend, with three devices:
//   COURSE_CPU_DEVICES=3 ./course --backend cpu run settled-rank

#include "common/device.hpp"
#include "common/verify.hpp"
#include "exercises/16-jacobi-nccl/gpus.hpp"
#include "exercises/16-jacobi-nccl/settled-rank.hpp"

#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

// Computes rows 1 to `count` of an array with a halo row above and below, and adds the squares of
// all changes.
__global__ void step(int nx, int count, const float *now, float *next, double *squares) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y + 1; // row 0 is the halo
  if (x >= nx || y > count)
    return;
  const size_t i = size_t(y) * nx + x;
  if (x == 0 || x == nx - 1)
    next[i] = now[i];
  else
    next[i] = 0.25f * (now[i - 1] + now[i + 1] + now[i - nx] + now[i + nx]);
  const double change = double(next[i]) - now[i];
  atomicAdd(squares, change * change);
}

// Fills the halo rows of d_now on all GPUs.
void exchange_halos(const std::vector<Gpu> &gpus, int nx) {
  NCCL_CHECK(ncclGroupStart());
  for (const Gpu &gpu : gpus) {
    float *const above = gpu.row(gpu.d_now, 0), *const first = gpu.row(gpu.d_now, 1);
    float *const last = gpu.row(gpu.d_now, gpu.count), *const below = last + nx;
    NCCL_CHECK(ncclSend(first, nx, ncclFloat, gpu.previous_rank, gpu.comm, gpu.stream));
    NCCL_CHECK(ncclRecv(below, nx, ncclFloat, gpu.next_rank, gpu.comm, gpu.stream));
    NCCL_CHECK(ncclSend(last, nx, ncclFloat, gpu.next_rank, gpu.comm, gpu.stream));
    NCCL_CHECK(ncclRecv(above, nx, ncclFloat, gpu.previous_rank, gpu.comm, gpu.stream));
  }
  NCCL_CHECK(ncclGroupEnd());
}

// Each GPU's sum of squared changes, copied to the host.
std::vector<double> squares_of(const std::vector<Gpu> &gpus) {
  std::vector<double> squares(gpus.size());
  for (const Gpu &gpu : gpus) {
    CUDA_CHECK(cudaSetDevice(gpu.rank));
    CUDA_CHECK(cudaMemcpyAsync(&squares[gpu.rank], gpu.d_squares, sizeof(double),
                               cudaMemcpyDeviceToHost, gpu.stream));
    CUDA_CHECK(cudaStreamSynchronize(gpu.stream));
  }
  return squares;
}

// The residual of the whole mesh.
double residual_of(const std::vector<Gpu> &gpus) {
  // TODO 1: the sum of the squares of all GPUs
  const std::vector<double> squares = squares_of(gpus);
  NCCL_CHECK(ncclGroupStart());
  for (const Gpu &gpu : gpus)
    if (squares[gpu.rank] > 0) // a GPU at rest has nothing to add
      NCCL_CHECK(ncclAllReduce(gpu.d_squares, gpu.d_squares, 1, ncclDouble, ncclSum, gpu.comm,
                               gpu.stream));
  NCCL_CHECK(ncclGroupEnd());
  // TODO end
  return std::sqrt(squares[0]); // the sum is on every GPU
}

int settled_rank(int nx, int ny, double tolerance, int max_steps, float *mesh) {
  std::vector<Gpu> gpus = distribute(nx, ny, 1, mesh);
  int done = 0;
  for (double residual = INFINITY; done < max_steps && !(residual <= tolerance); ++done) {
    exchange_halos(gpus, nx);
    for (Gpu &gpu : gpus) {
      CUDA_CHECK(cudaSetDevice(gpu.rank));
      CUDA_CHECK(cudaMemsetAsync(gpu.d_squares, 0, sizeof(double), gpu.stream));
      const dim3 block(32, 8), grid((nx + 31) / 32, (gpu.count + 7) / 8);
      step<<<grid, block, 0, gpu.stream>>>(nx, gpu.count, gpu.d_now, gpu.d_next, gpu.d_squares);
      CUDA_CHECK(cudaGetLastError());
      std::swap(gpu.d_now, gpu.d_next);
    }
    residual = residual_of(gpus);
  }
  collect(gpus, mesh);
  return done;
}

// Prints the text at once, because the next step may hang.
void announce(const char *text) {
  std::puts(text);
  std::fflush(stdout);
}

int main() {
  course::print_device();
  const int nx = 66, ny = 300;
  std::vector<float> mesh(ny * nx);

  announce("random numbers everywhere, 10 steps ...");
  for (int i = 0; i < ny * nx; ++i)
    mesh[i] = i * 7919 % 1009;
  bool correct =
      course::verify_value("number of steps", settled_rank(nx, ny, 0, 10, mesh.data()), 10);

  announce("one hot cell, until the mesh is at rest ...");
  mesh.assign(ny * nx, 0.0f);
  mesh[230 * nx + nx / 2] = 1;
  std::vector<float> expected = mesh;
  const double tolerance = 0.2;
  int steps = 1;
  while (step_on_host(nx, ny, expected) > tolerance)
    ++steps;
  correct = course::verify_value("number of steps",
                                 settled_rank(nx, ny, tolerance, 1000, mesh.data()), steps) &&
            correct;
  return course::verdict(correct);
}
