// Exercise 06-integration2d/plate-heat: the heat of a plate, one block per row.
//
// Build: nvcc -O3 -std=c++17 -I. exercises/06-integration2d/plate-heat.cu -o plate-heat
// Run:   ./plate-heat
//
// In the lesson one thread adds a row. Here a whole block does, and rows have any length: threads
// may have several cells of their row, one, or none. Stage 1: blocks of a power of two. Stage 2:
// blocks of any size.

#include "common/check.hpp"
#include "common/device.hpp"
#include "common/verify.hpp"
#include "exercises/06-integration2d/plate-heat.hpp"

#include <cmath>
#include <cstdio>
#include <vector>

// Row blockIdx.x of the plate: sum[blockIdx.x] is the sum of its nx temperatures.
__global__ void row_sums(int nx, const float *temperature, double *sum) {
  extern __shared__ double shared[]; // blockDim.x numbers: the launch says so
  shared[threadIdx.x] = NAN;         // so that a place which TODO 1 leaves out shows in the sum

  // TODO 1: the sum of this thread's cells of the row, to its place in shared memory
  // TODO end

  // TODO 2: the sum of the block's threads, to shared[0]; blockDim.x need not be a power of two
  // TODO end

  __syncthreads(); // every thread has to get here
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

  // TODO 3: a block for each row, with the shared memory that it needs
  row_sums<<<1, 1, sizeof(double)>>>(nx, d_temperature, d_sum);
  // TODO end
  CUDA_CHECK(cudaGetLastError());

  CUDA_CHECK(cudaMemcpy(profile, d_sum, ny * sizeof(double), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_temperature));
  CUDA_CHECK(cudaFree(d_sum));

  // TODO 4: from the sums of the rows to the profile, and to the heat of the plate
  const double heat = 0;
  // TODO end
  return heat;
}

int main() {
  course::print_device();
  // A plate of 3 m x 2 m, 300 K, warmer to the right and upwards: T = 300 + 20 x + 10 y.
  const int nx = 1000, ny = 333;
  const double width = 3, height = 2;
  std::vector<float> temperature(size_t(nx) * ny);
  for (int iy = 0; iy < ny; ++iy)
    for (int ix = 0; ix < nx; ++ix)
      temperature[size_t(iy) * nx + ix] =
          float(300 + 20 * width * (ix + 0.5) / nx + 10 * height * (iy + 0.5) / ny);

  bool correct = true;
  const int blocks[] = {128, 1, 1024, 96};
  for (int block : blocks) {
    std::vector<double> profile(ny, NAN);
    const double heat =
        plate_heat(nx, ny, width, height, temperature.data(), profile.data(), block);
    if (heat == 0) {
      std::puts("no result yet: fill in TODO 1 to TODO 4");
      return EXIT_FAILURE;
    }
    std::printf("stage %d, blocks of %4d threads: %.6f K m^2\n", block == 96 ? 2 : 1, block, heat);
    // Row iy: 300 + 30 + 10 y on average, times 3 m. Over the plate: (300 + 30 + 10) K * 6 m^2.
    correct = course::verify(
                  "profile", profile.data(), ny,
                  [&](size_t iy) { return width * (330 + 10 * height * (iy + 0.5) / ny); }, 1e-6) &&
              correct;
    correct = course::verify_value("heat", heat, 340 * 6.0, 1e-6) && correct;
  }
  return course::verdict(correct);
}
