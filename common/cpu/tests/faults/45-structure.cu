// expect: memcheck copy
// A structure is copied as a whole, and the last one is not there.
#include "array.hpp"

struct Particle {
  float position[3], velocity[3], mass;
};

__global__ void shift(const Particle *in, Particle *out, int n) {
  const int i = threadIdx.x;
  if (i < n)
    out[i] = in[i + 1]; // @copy
}

int main() {
  Particle *in = array<Particle>(32, 0), *out = array<Particle>(32);
#ifdef FIXED
  shift<<<1, 32>>>(in, out, 31);
#else
  shift<<<1, 32>>>(in, out, 32);
#endif
  return cudaDeviceSynchronize();
}
