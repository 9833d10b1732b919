// nvcc: --extended-lambda
// Headers of newer programs, such as NVIDIA's course for beginners (public report modern-headers).
#include <cub/device/device_for.cuh>
#include <cub/device/device_transform.cuh>
#include <cuda/cmath>
#include <cuda/std/mdspan>
#include <cuda/std/span>
#include <stdio.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/reduce.h>
#include <thrust/sequence.h>
#include <thrust/universal_vector.h>

__global__ void add_one(cuda::std::span<int> x) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < x.size())
    ++x[i];
}

int main() {
  const int n = 1000, block = 256;
  thrust::universal_vector<int> x(n);
  thrust::sequence(thrust::device, x.begin(), x.end(), 0, 2);
  int *raw = thrust::raw_pointer_cast(x.data());
  add_one<<<cuda::ceil_div(n, block), block>>>(cuda::std::span<int>(raw, x.size()));
  cub::DeviceFor::Bulk(n, [=] __device__(int i) { raw[i] += i; });
  thrust::device_vector<int> y(n);
  cub::DeviceTransform::Transform(x.begin(), y.begin(), n,
                                  [] __host__ __device__(int value) { return -value; });
  bool right = cudaDeviceSynchronize() == cudaSuccess && x[2] == 7 && y[999] == -2998;
  cuda::std::mdspan<int, cuda::std::dextents<int, 2>> rows = cuda::std::mdspan(raw, 10, 100);
  thrust::universal_host_pinned_vector<int> pinned(4, 3);
  right = right && rows(1, 0) == 301 && thrust::reduce(pinned.begin(), pinned.end()) == 12 &&
          thrust::reduce(y.begin(), y.end()) == -3 * 999 * 500 - 1000;
  puts(right ? "PASS" : "FAIL");
  return !right;
}
