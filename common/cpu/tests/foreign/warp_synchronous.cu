// Code from before __syncwarp: the lanes of a warp exchange values in volatile memory, and nothing
// but the hardware makes them go in step.
#include <cstdio>

template <int N, class T> __device__ void sum_of_last_warp(volatile T *v, unsigned t) {
  if (N >= 64)
    v[t] += v[t + 32];
  if (N >= 32) {
    v[t] += v[t + 16];
  }
  v[t] += v[t + 8];
  v[t] += v[t + 4];
  v[t] = v[t] + v[t + 2];
  v[t] += v[t + 1];
}

__global__ void sum(const int *in, int *out) {
  extern __shared__ int s[];
  const unsigned t = threadIdx.x;
  s[t] = in[t] + in[t + blockDim.x];
  __syncthreads();
  for (unsigned k = blockDim.x / 2; k > 32; k >>= 1) {
    if (t < k)
      s[t] += s[t + k];
    __syncthreads();
  }
  if (t < 32)
    sum_of_last_warp<64>(s, t);
  if (t == 0)
    *out = s[0];
}

// Each warp scans its own numbers; the zeros before them save a comparison.
__global__ void scan(const int *in, int *out) {
  volatile __shared__ int s[4 * 64];
  const int lane = threadIdx.x % 32, zero = threadIdx.x / 32 * 64 + lane, own = zero + 32;
  s[zero] = 0;
  s[own] = in[threadIdx.x];
  for (int distance = 1; distance < 32; distance *= 2)
    s[own] += s[own - distance];
  out[threadIdx.x] = s[own];
}

// In global memory, where not all lanes take part.
__global__ void scan_with_conditions(int *values) {
  volatile int *v = values;
  const int t = threadIdx.x;
  if (t >= 1)
    v[t] = v[t] + v[t - 1];
  if (t >= 2)
    v[t] = v[t] + v[t - 2];
  if (t >= 4)
    v[t] = v[t] + v[t - 4];
  if (t >= 8)
    v[t] = v[t] + v[t - 8];
  if (t >= 16)
    v[t] = v[t] + v[t - 16];
}

int main() {
  int *in, *out;
  cudaMallocManaged(&in, 512 * sizeof(int));
  cudaMallocManaged(&out, 128 * sizeof(int));
  int expected = 0, wrong = 0;
  for (int i = 0; i < 512; ++i)
    expected += in[i] = i % 7 + 1;

  sum<<<1, 256, 256 * sizeof(int)>>>(in, out);
  cudaDeviceSynchronize();
  wrong += *out != expected;

  scan<<<1, 128>>>(in, out);
  cudaDeviceSynchronize();
  for (int i = 0, so_far = 0; i < 128; ++i) {
    so_far = (i % 32 ? so_far : 0) + in[i];
    wrong += out[i] != so_far;
  }

  for (int i = 0; i < 32; ++i)
    in[i] = 1;
  scan_with_conditions<<<1, 32>>>(in);
  cudaDeviceSynchronize();
  for (int i = 0; i < 32; ++i)
    wrong += in[i] != i + 1;
  std::puts(wrong == 0 ? "PASS" : "FAIL");
  return wrong != 0;
}
