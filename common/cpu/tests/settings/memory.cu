// Prints the memory of each device.
#include <cstdio>

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess)
    return 1;
  for (int device = 0; device < devices; ++device) {
    cudaDeviceProp properties;
    if (cudaGetDeviceProperties(&properties, device) != cudaSuccess)
      return 1;
    std::printf("%zu ", properties.totalGlobalMem);
  }
}
