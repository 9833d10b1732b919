// expect: racecheck read write
// A Hillis-Steele scan in one buffer: some threads read what others have changed already.
#include "array.hpp"

__global__ void scan(int *values) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  s[t] = values[t];
  __syncthreads();
  for (int distance = 1; distance < 128; distance *= 2) {
    const int left = t >= distance ? s[t - distance] : 0; // @read
#ifdef FIXED
    __syncthreads();
#endif
    s[t] += left; // @write
    __syncthreads();
  }
  values[t] = s[t];
}

int main() {
  int *values = array<int>(128, 0);
  scan<<<1, 128>>>(values);
  return cudaDeviceSynchronize();
}
