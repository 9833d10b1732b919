// The library of exercise 18-python-interop/dangling-view: floats in managed memory, which has one
// address for host and device.
//
// Build: nvcc -O3 -std=c++17 -I. -shared -Xcompiler=-fPIC exercises/18-python-interop/dangling-view.cu -o dangling_view.so
#include <cuda_runtime.h>

#include <cmath>
#include <map>

__global__ void fill(float *values, int count, float value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    values[i] = value;
}

static std::map<float *, int> living; // the length of each allocation that is not yet freed

// Allocates `count` floats, and gives all of them this value. Returns an error code.
extern "C" int field_allocate(float **address, int count, float value) {
  int error = cudaMallocManaged(address, sizeof(float) * count);
  if (error)
    return error;
  living[*address] = count;
  fill<<<(count + 255) / 256, 256>>>(*address, count, value);
  error = cudaGetLastError();
  return error ? error : cudaDeviceSynchronize();
}

// Frees them. Fills them with NaN first, so that a late reader sees that they are gone, or crashes.
extern "C" int field_free(float *address) {
  const auto found = living.find(address);
  if (found == living.end())
    return cudaErrorInvalidValue;
  for (int i = 0; i < found->second; ++i)
    address[i] = NAN;
  living.erase(found);
  return cudaFree(address);
}

// Returns the number of allocations that are not yet freed.
extern "C" int field_living() { return living.size(); }
