// A compare-and-swap loop that begins with __nv_atomic_load_n, and a message by a store that the
// other block waits for.
#include <cstdio>

__global__ void largest(const int *in, int *most) {
  int seen = __nv_atomic_load_n(most, __NV_ATOMIC_RELAXED);
  while (seen < in[threadIdx.x]) {
    const int before = atomicCAS(most, seen, in[threadIdx.x]);
    if (before == seen)
      break;
    seen = before;
  }
}

__global__ void message(int *data, unsigned *ready, int *received) {
  if (blockIdx.x == 0) {
    *data = 42;
    __nv_atomic_store_n(ready, 1, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
  } else {
    while (!__nv_atomic_load_n(ready, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE))
      __nanosleep(100);
    *received = *data;
  }
}

int main() {
  int *in, *out;
  cudaMallocManaged(&in, 64 * sizeof *in);
  cudaMallocManaged(&out, 4 * sizeof *out);
  for (int i = 0; i < 64; ++i)
    in[i] = i * 37 % 64;
  for (int i = 0; i < 4; ++i)
    out[i] = 0;
  largest<<<1, 64>>>(in, out);
  message<<<2, 1>>>(out + 1, reinterpret_cast<unsigned *>(out + 2), out + 3);
  cudaDeviceSynchronize();
  const bool right = out[0] == 63 && out[3] == 42;
  std::puts(right ? "PASS" : "FAIL");
  return !right;
}
