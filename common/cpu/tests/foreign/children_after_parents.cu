// A child that its kernel does not wait for begins after its parent has ended: one thread launches
// the next step of a sum before the others, of its block and of all, have done this one.
#include <cstdio>

__global__ void sum_pairs(int *values, int distance) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, next = distance / 2;
  if (i == 0 && next > 0)
    sum_pairs<<<(next + 63) / 64, min(next, 64)>>>(values, next);
  values[i] += values[i + distance];
}

__global__ void fails(int *none) { *none = 1; }

__global__ void launches_one_that_fails(int *after) {
  fails<<<1, 1>>>(nullptr);
  *after = 1;
}

int main() {
  constexpr int n = 1 << 14;
  int *values;
  cudaMallocManaged(&values, n * sizeof *values);
  for (int i = 0; i < n; ++i)
    values[i] = 1;
  sum_pairs<<<n / 128, 64>>>(values, n / 2);
  bool right = cudaDeviceSynchronize() == cudaSuccess && values[0] == n;
  values[0] = 0;
  launches_one_that_fails<<<1, 1>>>(values);
  right = right && cudaDeviceSynchronize() == cudaErrorIllegalAddress && values[0] == 1;
  puts(right ? "PASS" : "FAIL");
  return !right;
}
