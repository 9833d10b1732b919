// Exercise 14-multi-gpu/not-yet-there: a bug hunt. Sums are copied before they are computed.
//
// Build: nvcc -O3 -std=c++17 -I. exercises/14-multi-gpu/not-yet-there.cu -o not-yet-there
// Run:   ./not-yet-there
//
// On two GPUs the result may be right by luck. The tool needs no luck, and no GPU:
//   COURSE_CPU_DEVICES=2 ./course --backend cpu run --tool racecheck not-yet-there

#include "common/check.hpp"
#include "common/device.hpp"
#include "common/verify.hpp"
#include "exercises/14-multi-gpu/not-yet-there.hpp"

#include <vector>

// sums[column] = the sum of x over `rows` rows. One thread per column.
__global__ void sum_rows(const float *x, float *sums, int rows, int columns) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= columns)
    return;
  float sum = 0;
  for (int row = 0; row < rows; ++row)
    sum += x[size_t(row) * columns + column];
  sums[column] = sum;
}

// Each GPU has its rows, their sums, and a stream of its own.
struct Gpu {
  float *x, *sums;
  cudaStream_t stream;
  cudaEvent_t done; // its sums are computed
};

void not_yet_there(int rows, int columns, const float *x, float *sums) {
  int count = 0;
  CUDA_CHECK(cudaGetDeviceCount(&count));
  const size_t bytes = columns * sizeof(float);
  const int blocks = (columns + 255) / 256;
  std::vector<Gpu> gpus(count);
  for (int gpu = 0, first = 0; gpu < count; ++gpu) {
    const int share = rows / count + (gpu < rows % count);
    Gpu &its = gpus[gpu];
    CUDA_CHECK(cudaSetDevice(gpu));
    CUDA_CHECK(cudaStreamCreateWithFlags(&its.stream, cudaStreamNonBlocking));
    CUDA_CHECK(cudaEventCreateWithFlags(&its.done, cudaEventDisableTiming));
    CUDA_CHECK(cudaMalloc(&its.x, share * bytes));
    CUDA_CHECK(cudaMalloc(&its.sums, (gpu == 0 ? count : 1) * bytes)); // GPU 0: of all
    // x is pageable, so the host may wait here for the copy. With pinned memory (lesson 10) it
    // would not.
    CUDA_CHECK(cudaMemcpyAsync(its.x, x + size_t(first) * columns, share * bytes,
                               cudaMemcpyHostToDevice, its.stream));
    // TODO 1: find the bug: which work is done when this event is reached?
    CUDA_CHECK(cudaEventRecord(its.done, its.stream));
    sum_rows<<<blocks, 256, 0, its.stream>>>(its.x, its.sums, share, columns);
    // TODO end
    CUDA_CHECK(cudaGetLastError());
    first += share;
  }

  CUDA_CHECK(cudaSetDevice(0));
  const cudaStream_t stream = gpus[0].stream;
  for (int gpu = 1; gpu < count; ++gpu) {
    // TODO 2: find the bug: which stream reads the sums of this GPU, and must wait for them?
    CUDA_CHECK(cudaStreamWaitEvent(gpus[gpu].stream, gpus[gpu].done));
    // TODO end
    CUDA_CHECK(
        cudaMemcpyPeerAsync(gpus[0].sums + gpu * columns, 0, gpus[gpu].sums, gpu, bytes, stream));
  }
  float *d_total;
  CUDA_CHECK(cudaMalloc(&d_total, bytes));
  sum_rows<<<blocks, 256, 0, stream>>>(gpus[0].sums, d_total, count, columns);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpyAsync(sums, d_total, bytes, cudaMemcpyDeviceToHost, stream));
  CUDA_CHECK(cudaStreamSynchronize(stream));

  CUDA_CHECK(cudaFree(d_total));
  for (const Gpu &its : gpus) {
    CUDA_CHECK(cudaFree(its.x));
    CUDA_CHECK(cudaFree(its.sums));
    CUDA_CHECK(cudaEventDestroy(its.done));
    CUDA_CHECK(cudaStreamDestroy(its.stream));
  }
}

int main() {
  course::print_device();
  const int rows = 1003, columns = course::problem_size(19'003, 1003);
  std::vector<float> x(size_t(rows) * columns), sums(columns);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = i % 251;
  not_yet_there(rows, columns, x.data(), sums.data());
  return course::verdict(course::verify("sums", sums.data(), columns, [&](size_t column) {
    double sum = 0; // integers below 2^24: no rounding
    for (int row = 0; row < rows; ++row)
      sum += x[size_t(row) * columns + column];
    return sum;
  }));
}
