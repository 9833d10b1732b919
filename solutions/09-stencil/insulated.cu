// Exercise 09-stencil/insulated: no heat leaves the plate; eight neighbours from a shared tile.
//
// Build: nvcc -O3 -std=c++17 -I. exercises/09-stencil/insulated.cu -o insulated
// Run:   ./insulated
//
// Here the cells of the edge change as well. A neighbour outside the plate is a mirror image: the
// nearest cell of the plate. The diagonal neighbours need the corners of the tile.

#include "common/check.hpp"
#include "common/device.hpp"
#include "common/picture.hpp"
#include "common/verify.hpp"
#include "exercises/09-stencil/insulated.hpp"

#include <cstdio>
#include <utility>
#include <vector>

constexpr int width = 32, height = 8; // of a block, in threads

__global__ void spread(const float *now, float *next, int nx, int ny) {
  const int left = blockIdx.x * width - 1, top = blockIdx.y * height - 1; // tile[0][0]
  const int thread = threadIdx.y * width + threadIdx.x;

  // TODO 1: load the block's cells and a halo of one cell into a tile, before any thread reads it
  __shared__ float tile[height + 2][width + 2];
  for (int i = thread; i < (width + 2) * (height + 2); i += width * height) {
    const int tx = i % (width + 2), ty = i / (width + 2);
    const int x = min(max(left + tx, 0), nx - 1), y = min(max(top + ty, 0), ny - 1);
    tile[ty][tx] = now[y * nx + x];
  }
  __syncthreads();
  // TODO end

  // TODO 2: write the new value of this thread's cell, if it has one
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int x = left + tx, y = top + ty;
  if (x < nx && y < ny)
    next[y * nx + x] =
        (4 * (tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx]) +
         tile[ty - 1][tx - 1] + tile[ty - 1][tx + 1] + tile[ty + 1][tx - 1] +
         tile[ty + 1][tx + 1]) /
        20;
  // TODO end
}

void insulated(float *u, int nx, int ny, int steps) {
  const size_t bytes = sizeof(float) * nx * ny;
  float *d_now = nullptr, *d_next = nullptr;
  CUDA_CHECK(cudaMalloc(&d_now, bytes));
  CUDA_CHECK(cudaMalloc(&d_next, bytes));
  CUDA_CHECK(cudaMemcpy(d_now, u, bytes, cudaMemcpyHostToDevice));

  const dim3 block(width, height);
  // TODO 3: do the steps; d_now must be the newest field
  const dim3 grid((nx + width - 1) / width, (ny + height - 1) / height);
  for (int k = 0; k < steps; ++k) {
    spread<<<grid, block>>>(d_now, d_next, nx, ny);
    CUDA_CHECK(cudaGetLastError());
    std::swap(d_now, d_next);
  }
  // TODO end

  CUDA_CHECK(cudaMemcpy(u, d_now, bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_now));
  CUDA_CHECK(cudaFree(d_next));
}

int main() {
  course::print_device();
  const int nx = 149, ny = 67;
  std::vector<float> u(nx * ny);
  for (int y = 0; y < ny; ++y)
    for (int x = 0; x < nx; ++x)
      u[y * nx + x] = x < 20 && y < 20 ? 1 : x > 100 && y > 50 ? -1 : 0; // in two corners
  double before = 0, after = 0, highest = 0;
  for (float cell : u)
    before += cell;

  insulated(u.data(), nx, ny, 1000);
  for (float cell : u) {
    after += cell;
    highest = cell > highest ? cell : highest;
  }
  if (highest == 1) {
    std::puts(
        "nothing has changed: fill in TODO 1 to TODO 3. Is d_now the newest field at the end?");
    return EXIT_FAILURE;
  }
  course::write_picture("insulated.png", u.data(), nx, ny, -1, 1, 4);
  std::printf("highest temperature after 1000 steps: %.4f\n", highest);
  return course::verdict(course::verify_value("heat on the plate", after, before, 1e-4));
}
