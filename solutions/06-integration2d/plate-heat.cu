// Exercise 06-integration2d/plate-heat: the heat of a plate, one block per row.
//
// Build: nvcc -O3 -std=c++17 -I. exercises/06-integration2d/plate-heat.cu -o plate-heat
// Run:   ./plate-heat
//
// A block adds one row, of any length: a thread may have several cells, one, or none. Stage 1: the
// block size is a power of two. Stage 2: any block size.

#include "common/check.hpp"
#include "common/device.hpp"
#include "common/verify.hpp"
#include "exercises/06-integration2d/plate-heat.hpp"

#include <cmath>
#include <cstdio>
#include <vector>

// Writes the sum of the nx temperatures of row blockIdx.x to sum[blockIdx.x].
__global__ void row_sums(int nx, const float *temperature, double *sum) {
  extern __shared__ double shared[]; // blockDim.x elements, as the launch requests
  shared[threadIdx.x] = NAN;         // if TODO 1 leaves out an element, the sum is NaN

  // TODO 1: write the sum of this thread's cells of the row to its element of shared memory
  double mine = 0;
  for (int ix = threadIdx.x; ix < nx; ix += blockDim.x)
    mine += temperature[size_t(blockIdx.x) * nx + ix];
  shared[threadIdx.x] = mine;
  // TODO end

  // TODO 2: add the values of all threads into shared[0]; blockDim.x may be any number
  __syncthreads();
  for (unsigned count = blockDim.x; count > 1; count = (count + 1) / 2) {
    if (threadIdx.x < count / 2)
      shared[threadIdx.x] += shared[threadIdx.x + (count + 1) / 2];
    __syncthreads(); // an odd value in the middle waits for the next step
  }
  // TODO end

  __syncthreads(); // every thread must reach this barrier
  if (threadIdx.x == 0)
    sum[blockIdx.x] = shared[0];
}

double plate_heat(int nx, int ny, double width, double height, const float *temperature,
                  double *profile, int block) {
  const size_t cells = size_t(nx) * ny;
  float *d_temperature = nullptr;
  double *d_sum = nullptr;
  CUDA_CHECK(cudaMalloc(&d_temperature, cells * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_sum, ny * sizeof(double)));
  CUDA_CHECK(cudaMemcpy(d_temperature, temperature, cells * sizeof(float), cudaMemcpyHostToDevice));

  // TODO 3: launch one block per row, with the shared memory that it needs
  row_sums<<<ny, block, block * sizeof(double)>>>(nx, d_temperature, d_sum);
  // TODO end
  CUDA_CHECK(cudaGetLastError());

  CUDA_CHECK(cudaMemcpy(profile, d_sum, ny * sizeof(double), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_temperature));
  CUDA_CHECK(cudaFree(d_sum));

  // TODO 4: compute the profile from the sums, and the heat from the profile
  double heat = 0;
  for (int iy = 0; iy < ny; ++iy) {
    profile[iy] *= width / nx;
    heat += profile[iy] * (height / ny);
  }
  // TODO end
  return heat;
}

int main() {
  course::print_device();
  // A plate of 3 m x 2 m, warmer to the right and at the top: T = 300 + 20 x + 10 y.
  const int nx = 1000, ny = 333;
  const double width = 3, height = 2;
  std::vector<float> temperature(nx * ny);
  for (int i = 0; i < nx * ny; ++i)
    temperature[i] = 300 + 20 * width * (i % nx + 0.5) / nx + 10 * height * (i / nx + 0.5) / ny;
  bool correct = true;
  for (int block : {128, 1, 1024, 96}) {
    std::vector<double> profile(ny, NAN);
    const double heat =
        plate_heat(nx, ny, width, height, temperature.data(), profile.data(), block);
    if (heat == 0) {
      std::puts("no result yet: fill in TODO 1 to TODO 4");
      return 1;
    }
    std::printf("stage %d, blocks of %4d threads: %.6f K m^2\n", block == 96 ? 2 : 1, block, heat);
    // Mean temperature of row iy: 300 + 30 + 10 y. Of the plate: 300 + 30 + 10.
    const auto expected = [&](size_t iy) { return width * (330 + 10 * height * (iy + 0.5) / ny); };
    correct = course::verify("profile", profile.data(), ny, expected, 1e-6) && correct;
    correct = course::verify_value("heat", heat, width * height * 340, 1e-6) && correct;
  }
  return course::verdict(correct);
}
