// Lesson 21: the running sums of an array, by one block, in three passes, and by CUB.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/21-scan/scan.cu -o scan
// Run:   ./scan [n]
#include "common/arguments.hpp"
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"
#include "lessons/21-scan/scan.hpp"

#include <cstdio>
#include <cub/cub.cuh>
#include <vector>

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 1, "[n]");
  course::print_device();
  const int standard = course::problem_size(1 << 28, 1'000'003); // fewer without a GPU
  const int n = course::count_argument(argc, argv, 1, "n", standard, 1 << 28);
  std::vector<int> x(n), sums(n);
  for (int i = 0; i < n; ++i)
    x[i] = i * 2654435761u >> 29; // 0 to 7, so that the sum of 2^28 numbers fits into an int
  int *d_x, *d_sums, *d_chunks;
  const int blocks = 2 * course::multiprocessors(); // 2048 threads per multiprocessor
  const int chunk = (n / blocks / BLOCK + 1) * BLOCK;
  CUDA_CHECK(cudaMalloc(&d_x, n * sizeof(int)));
  CUDA_CHECK(cudaMalloc(&d_sums, n * sizeof(int)));
  CUDA_CHECK(cudaMalloc(&d_chunks, blocks * sizeof(int)));
  CUDA_CHECK(cudaMemcpy(d_x, x.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  void *workspace;
  std::size_t bytes = 0; // of workspace, computed by the first call
  CUDA_CHECK(cub::DeviceScan::InclusiveSum(nullptr, bytes, d_x, d_sums, n));
  CUDA_CHECK(cudaMalloc(&workspace, bytes));
  bool correct = true;
  std::printf("running sums of %d ints\n\n", n);
  const auto run = [&](const char *name, auto scan) {
    CUDA_CHECK(cudaMemset(d_sums, 0xFF, n * sizeof(int)));
    const double seconds = course::gpu_seconds(5, scan);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(sums.data(), d_sums, n * sizeof(int), cudaMemcpyDeviceToHost));
    int sum = 0; // verify compares one index after the other
    correct = course::verify(name, sums.data(), n, [&](int i) { return sum += x[i]; }) && correct;
    std::printf("  %-12s %9.3f ms %8.1f GB/s\n", name, 1e3 * seconds, 8e-9 * n / seconds);
  };
  run("one block", [&] { scan_chunks<<<1, BLOCK>>>(d_x, d_sums, n, n, nullptr); });
  // [three-passes]
  run("three passes", [&] {
    sum_chunks<<<blocks, BLOCK>>>(d_x, n, chunk, d_chunks);
    scan_chunks<<<1, BLOCK>>>(d_chunks, d_chunks, blocks, blocks, nullptr);
    scan_chunks<<<blocks, BLOCK>>>(d_x, d_sums, n, chunk, d_chunks);
  });
  // [end]
  run("CUB", [&] { CUDA_CHECK(cub::DeviceScan::InclusiveSum(workspace, bytes, d_x, d_sums, n)); });
  for (void *memory : {workspace, (void *)d_chunks, (void *)d_sums, (void *)d_x})
    CUDA_CHECK(cudaFree(memory));
  return course::verdict(correct);
}
