// Programs that print a device ask for all that CUDA 12 says of one, as a field or as an attribute.
#include <stdio.h>
#include <string.h>

static bool same(cudaDeviceAttr attribute, size_t field) {
  int value = -1;
  return cudaDeviceGetAttribute(&value, attribute, 0) == cudaSuccess && value == (int)field;
}

int main() {
  cudaDeviceProp p;
  bool right = cudaGetDeviceProperties(&p, 0) == cudaSuccess;
  right = right && same(cudaDevAttrGpuOverlap, p.deviceOverlap);
  right = right && same(cudaDevAttrKernelExecTimeout, p.kernelExecTimeoutEnabled);
  right = right && same(cudaDevAttrTextureAlignment, p.textureAlignment);
  right = right && same(cudaDevAttrMaxTexture2DHeight, p.maxTexture2D[1]);
  right = right && same(cudaDevAttrComputePreemptionSupported, p.computePreemptionSupported);
  right = right && same(cudaDevAttrClusterLaunch, p.clusterLaunch);
  right = right && same(cudaDevAttrMaxPersistingL2CacheSize, p.persistingL2CacheMaxSize);

  char id[16] = "";
  int device = -1;
  right = right && cudaDeviceGetPCIBusId(id, sizeof id, 0) == cudaSuccess;
  right = right && cudaDeviceGetByPCIBusId(&device, id) == cudaSuccess && device == 0;
  const cudaUUID_t none{};
  right = right && memcmp(&p.uuid, &none, sizeof none) != 0;
  puts(right ? "PASS" : "FAIL");
  return !right;
}
