// nvcc: -O2 -Xcompiler -ffast-math
// An option for the host's arithmetic is none for the fast functions of kernels.
#include <cmath>
#include <cstdio>

__global__ void run(float *e, float *l) {
  const int i = threadIdx.x;
  e[i] = __expf(i * 0.1f);
  l[i] = __logf(i + 1.0f);
}

int main() {
  float *e, *l;
  cudaMallocManaged(&e, 64 * sizeof(float));
  cudaMallocManaged(&l, 64 * sizeof(float));
  run<<<1, 64>>>(e, l);
  int wrong = cudaDeviceSynchronize() != cudaSuccess;
  for (int i = 0; i < 64; ++i) {
    wrong += !(std::abs(e[i] - std::exp(i * 0.1)) <= 1e-5 * std::exp(i * 0.1));
    wrong += !(std::abs(l[i] - std::log(i + 1.0)) <= 1e-5);
  }
  std::puts(wrong == 0 ? "PASS" : "FAIL");
  return wrong != 0;
}
