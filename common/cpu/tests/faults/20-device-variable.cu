// expect: racecheck count count
// says: faulty_20_device_variable::counter, a variable of 4 bytes
// A variable of the device is shared by all threads, too.
#include "array.hpp"

namespace {
__device__ int counter;
}

__global__ void count() {
#ifdef FIXED
  atomicAdd(&counter, 1);
#else
  counter += 1; // @count
#endif
}

int main() {
  count<<<4, 32>>>();
  return cudaDeviceSynchronize();
}
