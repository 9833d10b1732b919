// Properties and attributes of a device.
#include "course_cpu/api.h"
#include "device.h"
#include "limits.h"
#include "runtime.h"

#include <algorithm>
#include <climits>
#include <cstdio>
#include <fstream>
#include <unistd.h>

#pragma GCC diagnostic push // of the fields that CUDA 13 does not have
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace course_cpu {
namespace {

// The highest clock of the first core in kHz, 0 where the system does not say.
int clock_rate() {
  int kilohertz = 0;
  std::ifstream("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq") >> kilohertz;
  return kilohertz;
}

cudaDeviceProp properties(const Device &device) {
  const int cores = int(pool_size());
  cudaDeviceProp p{};
  std::snprintf(p.name, sizeof p.name, "no GPU: CPU backend, %d core%s", cores,
                cores == 1 ? "" : "s");
  p.totalGlobalMem = device.capacity;
  p.sharedMemPerBlock = shared_default;
  p.sharedMemPerBlockOptin = shared_opt_in;
  p.sharedMemPerMultiprocessor = shared_processor;
  p.reservedSharedMemPerBlock = shared_reserved;
  p.regsPerBlock = p.regsPerMultiprocessor = 65536;
  p.warpSize = 32;
  p.memPitch = INT_MAX;
  p.maxThreadsPerBlock = threads_block;
  p.maxThreadsDim[0] = p.maxThreadsDim[1] = threads_block;
  p.maxThreadsDim[2] = dimension_z;
  p.maxGridSize[0] = INT_MAX;
  p.maxGridSize[1] = p.maxGridSize[2] = grid_yz;
  p.maxThreadsPerMultiProcessor = threads_processor;
  p.maxBlocksPerMultiProcessor = blocks_processor;
  p.multiProcessorCount = device.processors;
  p.clockRate = clock_rate();
  p.totalConstMem = 64 << 10;
  p.major = 8; // the compute capability whose limits these are
  p.minor = 6;
  p.integrated = 1;
  p.uuid.bytes[0] = char(device.bus + 1);
  p.deviceOverlap = p.canMapHostMemory = p.concurrentKernels = p.unifiedAddressing = 1;
  p.asyncEngineCount = 1;
  p.pciBusID = device.bus;
  p.l2CacheSize = int(std::max(0L, sysconf(_SC_LEVEL2_CACHE_SIZE)));
  p.streamPrioritiesSupported = 1;
  p.managedMemory = p.concurrentManagedAccess = p.directManagedMemAccessFromHost = 1;
  p.hostNativeAtomicSupported = p.hostRegisterSupported = 1;
  p.canUseHostPointerForRegisteredMem = 1;
  p.singleToDoublePrecisionPerfRatio = 2;
  p.cooperativeLaunch = p.memoryPoolsSupported = 1;
  p.unifiedFunctionPointers = 1;
  return p;
}

} // namespace
} // namespace course_cpu

using namespace course_cpu;

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *result, int device) {
  return with_device(
      device,
      [&](Device &d) {
        *result = properties(d);
        return cudaSuccess;
      },
      access_error());
}

cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device) {
  const auto find = [&](Device &d) {
    const cudaDeviceProp p = properties(d);
    switch (attribute) {
#define COURSE_CPU_ATTRIBUTE(name, field)                                                          \
  case cudaDevAttr##name:                                                                          \
    *value = int(p.field);                                                                         \
    return cudaSuccess;
      COURSE_CPU_ATTRIBUTE(MaxThreadsPerBlock, maxThreadsPerBlock)
      COURSE_CPU_ATTRIBUTE(MaxBlockDimX, maxThreadsDim[0])
      COURSE_CPU_ATTRIBUTE(MaxBlockDimY, maxThreadsDim[1])
      COURSE_CPU_ATTRIBUTE(MaxBlockDimZ, maxThreadsDim[2])
      COURSE_CPU_ATTRIBUTE(MaxGridDimX, maxGridSize[0])
      COURSE_CPU_ATTRIBUTE(MaxGridDimY, maxGridSize[1])
      COURSE_CPU_ATTRIBUTE(MaxGridDimZ, maxGridSize[2])
      COURSE_CPU_ATTRIBUTE(MaxSharedMemoryPerBlock, sharedMemPerBlock)
      COURSE_CPU_ATTRIBUTE(TotalConstantMemory, totalConstMem)
      COURSE_CPU_ATTRIBUTE(WarpSize, warpSize)
      COURSE_CPU_ATTRIBUTE(MaxPitch, memPitch)
      COURSE_CPU_ATTRIBUTE(MaxRegistersPerBlock, regsPerBlock)
      COURSE_CPU_ATTRIBUTE(ClockRate, clockRate)
      COURSE_CPU_ATTRIBUTE(TextureAlignment, textureAlignment)
      COURSE_CPU_ATTRIBUTE(GpuOverlap, deviceOverlap)
      COURSE_CPU_ATTRIBUTE(MultiProcessorCount, multiProcessorCount)
      COURSE_CPU_ATTRIBUTE(KernelExecTimeout, kernelExecTimeoutEnabled)
      COURSE_CPU_ATTRIBUTE(Integrated, integrated)
      COURSE_CPU_ATTRIBUTE(CanMapHostMemory, canMapHostMemory)
      COURSE_CPU_ATTRIBUTE(ComputeMode, computeMode)
      COURSE_CPU_ATTRIBUTE(MaxTexture1DWidth, maxTexture1D)
      COURSE_CPU_ATTRIBUTE(MaxTexture2DWidth, maxTexture2D[0])
      COURSE_CPU_ATTRIBUTE(MaxTexture2DHeight, maxTexture2D[1])
      COURSE_CPU_ATTRIBUTE(MaxTexture3DWidth, maxTexture3D[0])
      COURSE_CPU_ATTRIBUTE(MaxTexture3DHeight, maxTexture3D[1])
      COURSE_CPU_ATTRIBUTE(MaxTexture3DDepth, maxTexture3D[2])
      COURSE_CPU_ATTRIBUTE(MaxTexture2DLayeredWidth, maxTexture2DLayered[0])
      COURSE_CPU_ATTRIBUTE(MaxTexture2DLayeredHeight, maxTexture2DLayered[1])
      COURSE_CPU_ATTRIBUTE(MaxTexture2DLayeredLayers, maxTexture2DLayered[2])
      COURSE_CPU_ATTRIBUTE(SurfaceAlignment, surfaceAlignment)
      COURSE_CPU_ATTRIBUTE(ConcurrentKernels, concurrentKernels)
      COURSE_CPU_ATTRIBUTE(EccEnabled, ECCEnabled)
      COURSE_CPU_ATTRIBUTE(PciBusId, pciBusID)
      COURSE_CPU_ATTRIBUTE(PciDeviceId, pciDeviceID)
      COURSE_CPU_ATTRIBUTE(TccDriver, tccDriver)
      COURSE_CPU_ATTRIBUTE(MemoryClockRate, memoryClockRate)
      COURSE_CPU_ATTRIBUTE(GlobalMemoryBusWidth, memoryBusWidth)
      COURSE_CPU_ATTRIBUTE(L2CacheSize, l2CacheSize)
      COURSE_CPU_ATTRIBUTE(MaxThreadsPerMultiProcessor, maxThreadsPerMultiProcessor)
      COURSE_CPU_ATTRIBUTE(AsyncEngineCount, asyncEngineCount)
      COURSE_CPU_ATTRIBUTE(UnifiedAddressing, unifiedAddressing)
      COURSE_CPU_ATTRIBUTE(MaxTexture1DLayeredWidth, maxTexture1DLayered[0])
      COURSE_CPU_ATTRIBUTE(MaxTexture1DLayeredLayers, maxTexture1DLayered[1])
      COURSE_CPU_ATTRIBUTE(PciDomainId, pciDomainID)
      COURSE_CPU_ATTRIBUTE(TexturePitchAlignment, texturePitchAlignment)
      COURSE_CPU_ATTRIBUTE(ComputeCapabilityMajor, major)
      COURSE_CPU_ATTRIBUTE(ComputeCapabilityMinor, minor)
      COURSE_CPU_ATTRIBUTE(StreamPrioritiesSupported, streamPrioritiesSupported)
      COURSE_CPU_ATTRIBUTE(GlobalL1CacheSupported, globalL1CacheSupported)
      COURSE_CPU_ATTRIBUTE(LocalL1CacheSupported, localL1CacheSupported)
      COURSE_CPU_ATTRIBUTE(MaxSharedMemoryPerMultiprocessor, sharedMemPerMultiprocessor)
      COURSE_CPU_ATTRIBUTE(MaxRegistersPerMultiprocessor, regsPerMultiprocessor)
      COURSE_CPU_ATTRIBUTE(ManagedMemory, managedMemory)
      COURSE_CPU_ATTRIBUTE(IsMultiGpuBoard, isMultiGpuBoard)
      COURSE_CPU_ATTRIBUTE(MultiGpuBoardGroupID, multiGpuBoardGroupID)
      COURSE_CPU_ATTRIBUTE(HostNativeAtomicSupported, hostNativeAtomicSupported)
      COURSE_CPU_ATTRIBUTE(SingleToDoublePrecisionPerfRatio, singleToDoublePrecisionPerfRatio)
      COURSE_CPU_ATTRIBUTE(PageableMemoryAccess, pageableMemoryAccess)
      COURSE_CPU_ATTRIBUTE(ConcurrentManagedAccess, concurrentManagedAccess)
      COURSE_CPU_ATTRIBUTE(ComputePreemptionSupported, computePreemptionSupported)
      COURSE_CPU_ATTRIBUTE(CanUseHostPointerForRegisteredMem, canUseHostPointerForRegisteredMem)
      COURSE_CPU_ATTRIBUTE(CooperativeLaunch, cooperativeLaunch)
      COURSE_CPU_ATTRIBUTE(CooperativeMultiDeviceLaunch, cooperativeMultiDeviceLaunch)
      COURSE_CPU_ATTRIBUTE(MaxSharedMemoryPerBlockOptin, sharedMemPerBlockOptin)
      COURSE_CPU_ATTRIBUTE(HostRegisterSupported, hostRegisterSupported)
      COURSE_CPU_ATTRIBUTE(PageableMemoryAccessUsesHostPageTables,
                           pageableMemoryAccessUsesHostPageTables)
      COURSE_CPU_ATTRIBUTE(DirectManagedMemAccessFromHost, directManagedMemAccessFromHost)
      COURSE_CPU_ATTRIBUTE(MaxBlocksPerMultiprocessor, maxBlocksPerMultiProcessor)
      COURSE_CPU_ATTRIBUTE(MaxPersistingL2CacheSize, persistingL2CacheMaxSize)
      COURSE_CPU_ATTRIBUTE(MaxAccessPolicyWindowSize, accessPolicyMaxWindowSize)
      COURSE_CPU_ATTRIBUTE(ReservedSharedMemoryPerBlock, reservedSharedMemPerBlock)
      COURSE_CPU_ATTRIBUTE(SparseCudaArraySupported, sparseCudaArraySupported)
      COURSE_CPU_ATTRIBUTE(HostRegisterReadOnlySupported, hostRegisterReadOnlySupported)
      COURSE_CPU_ATTRIBUTE(TimelineSemaphoreInteropSupported, timelineSemaphoreInteropSupported)
      COURSE_CPU_ATTRIBUTE(MemoryPoolsSupported, memoryPoolsSupported)
      COURSE_CPU_ATTRIBUTE(GPUDirectRDMASupported, gpuDirectRDMASupported)
      COURSE_CPU_ATTRIBUTE(GPUDirectRDMAFlushWritesOptions, gpuDirectRDMAFlushWritesOptions)
      COURSE_CPU_ATTRIBUTE(GPUDirectRDMAWritesOrdering, gpuDirectRDMAWritesOrdering)
      COURSE_CPU_ATTRIBUTE(MemoryPoolSupportedHandleTypes, memoryPoolSupportedHandleTypes)
      COURSE_CPU_ATTRIBUTE(ClusterLaunch, clusterLaunch)
      COURSE_CPU_ATTRIBUTE(DeferredMappingCudaArraySupported, deferredMappingCudaArraySupported)
      COURSE_CPU_ATTRIBUTE(IpcEventSupport, ipcEventSupported)
#undef COURSE_CPU_ATTRIBUTE
    }
    return cudaErrorInvalidValue;
  };
  return with_device(device, find, access_error());
}

#pragma GCC diagnostic pop
