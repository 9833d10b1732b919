// Code from before __syncwarp that keeps in a variable what it reads of volatile memory, and writes
// it there in a later statement: all lanes of a warp read before any of them writes.
#include <cstdio>

__device__ void sum_of_warp(volatile int *v, int t) {
  int own = v[t];
  own += v[t + 16];
  v[t] = own;
  own += v[t + 8];
  v[t] = own;
  own += v[t + 4];
  v[t] = own;
  own += v[t + 2];
  v[t] = own;
  own += v[t + 1];
  v[t] = own;
}

__global__ void sum(const int *in, int *out) {
  __shared__ int s[48];
  s[threadIdx.x] = in[threadIdx.x];
  if (threadIdx.x < 16)
    s[threadIdx.x + 32] = 0;
  __syncthreads();
  sum_of_warp(s, threadIdx.x);
  if (threadIdx.x == 0)
    *out = s[0];
}

__global__ void scan(const int *in, int *out) {
  __shared__ int s[64];
  const int t = threadIdx.x + 32;
  volatile int *v = s;
  v[threadIdx.x] = 0;
  v[t] = in[threadIdx.x];
  for (int distance = 1; distance < 32; distance *= 2) {
    int before = v[t - distance];
    v[t] += before;
  }
  out[threadIdx.x] = v[t];
}

// Between two halves of an array, in turns; what a lane reads another one has written in the round
// before.
__global__ void rotate(const int *in, int *out) {
  volatile __shared__ int s[64];
  int half = 0;
  s[threadIdx.x] = in[threadIdx.x];
  for (int round = 0; round < 5; ++round) {
    const int next = s[half + (threadIdx.x + 1) % 32];
    half ^= 32;
    s[half + threadIdx.x] = next;
  }
  out[threadIdx.x] = s[half + threadIdx.x];
}

// Neighbours change places where they are in the wrong order.
__global__ void sort(const int *in, int *out) {
  __shared__ int s[32];
  volatile int *v = s;
  const int t = threadIdx.x;
  v[t] = in[t];
  for (int round = 0; round < 32; ++round) {
    const int other = ((t + round) % 2 == 0) ? t + 1 : t - 1;
    if (other >= 0 && other < 32) {
      const int mine = v[t], its = v[other];
      v[t] = (t < other) == (mine < its) ? mine : its;
    }
  }
  out[t] = v[t];
}

// Braces within a statement.
__device__ int sum_of(int2 a, int b) { return a.x + a.y + b; }

__global__ void neighbours(const int *in, int *out) {
  volatile __shared__ int s[32];
  const int t = threadIdx.x;
  s[t] = in[t];
  struct Sum {
    int value;
  } sum = {sum_of({s[t], 1}, s[(t + 1) % 32])};
  s[t] = sum.value;
  out[t] = s[t];
}

int main() {
  int *in, *out;
  cudaMallocManaged(&in, 32 * sizeof(int));
  cudaMallocManaged(&out, 32 * sizeof(int));
  int expected = 0, wrong = 0;
  for (int i = 0; i < 32; ++i)
    expected += in[i] = i * 11 % 32 + 1;

  sum<<<1, 32>>>(in, out);
  cudaDeviceSynchronize();
  wrong += *out != expected;

  scan<<<1, 32>>>(in, out);
  cudaDeviceSynchronize();
  for (int i = 0, so_far = 0; i < 32; ++i)
    wrong += out[i] != (so_far += in[i]);

  rotate<<<1, 32>>>(in, out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 32; ++i)
    wrong += out[i] != in[(i + 5) % 32];

  sort<<<1, 32>>>(in, out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 32; ++i)
    wrong += out[i] != i + 1;

  neighbours<<<1, 32>>>(in, out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 32; ++i)
    wrong += out[i] != in[i] + 1 + in[(i + 1) % 32];

  std::puts(wrong == 0 ? "PASS" : "FAIL");
  return wrong != 0;
}
