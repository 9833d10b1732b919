// CUDA's plain types: vectors, dim3, error codes, handles, properties. Numbers, alignments and
// field names are CUDA 12's, so that a program behaves alike on both backends.
#pragma once

#ifndef __cplusplus
#error this file is C, the headers of the CPU backend are C++: name it .cpp or .cu, or use -x cu
#endif

#include "qualifiers.h"

#include <cstddef>

#ifdef __CUDACC__
// std::beta and the other special functions of libstdc++'s <cmath> would be instantiated in every
// file, a tenth of the time that a short program takes to compile. A file that calls one gets them:
// special_functions.h.
#undef _GLIBCXX_USE_STD_SPEC_FUNCS
#endif

#define CUDART_VERSION 12090
#define COURSE_CPU_ARCHITECTURE 860 // __CUDA_ARCH__ in device functions: the capability 8.6

// NVIDIA's headers leave these behind, and others look whether they are there.
#define __VECTOR_TYPES_H__
#define __DRIVER_TYPES_H__
#define __CUDA_RUNTIME_API_H__

#define CUDART_CB
#define CUDARTAPI

// ---- vectors: aligned as on a device, where a float4 moves in one 16-byte access ----
// Kernels read other types as integers, eight halves as a uint4: their vectors may alias, and with
// an array of char so may local variables. Those of float and double do not, or loops over double2
// would get no vectors of the processor.

#if __cplusplus >= 201402L
#define COURSE_CPU_BYTES char bytes[0]{}; // and C++11 has no aggregates with a value
#else
#define COURSE_CPU_BYTES
#endif
#define COURSE_CPU_VECTORS(NAME, TYPE, ALIGN2, ALIGN4, ALIAS, ...)                                 \
  struct NAME##1 {                                                                                 \
    TYPE x;                                                                                        \
  };                                                                                               \
  struct ALIAS alignas(ALIGN2) NAME##2 {                                                           \
    TYPE x, y;                                                                                     \
  };                                                                                               \
  struct NAME##3 {                                                                                 \
    TYPE x, y, z;                                                                                  \
  };                                                                                               \
  struct ALIAS alignas(ALIGN4) NAME##4 {                                                           \
    TYPE x, y, z, w;                                                                               \
    __VA_ARGS__                                                                                    \
  };                                                                                               \
  constexpr NAME##1 make_##NAME##1(TYPE x) { return {x}; }                                         \
  constexpr NAME##2 make_##NAME##2(TYPE x, TYPE y) { return {x, y}; }                              \
  constexpr NAME##3 make_##NAME##3(TYPE x, TYPE y, TYPE z) { return {x, y, z}; }                   \
  constexpr NAME##4 make_##NAME##4(TYPE x, TYPE y, TYPE z, TYPE w) { return {x, y, z, w}; }

COURSE_CPU_VECTORS(char, signed char, 2, 4, [[gnu::may_alias]], )
COURSE_CPU_VECTORS(uchar, unsigned char, 2, 4, [[gnu::may_alias]], )
COURSE_CPU_VECTORS(short, short, 4, 8, [[gnu::may_alias]], )
COURSE_CPU_VECTORS(ushort, unsigned short, 4, 8, [[gnu::may_alias]], )
COURSE_CPU_VECTORS(int, int, 8, 16, [[gnu::may_alias]], COURSE_CPU_BYTES)
COURSE_CPU_VECTORS(uint, unsigned int, 8, 16, [[gnu::may_alias]], COURSE_CPU_BYTES)
COURSE_CPU_VECTORS(long, long int, 16, 16, [[gnu::may_alias]], )
COURSE_CPU_VECTORS(ulong, unsigned long int, 16, 16, [[gnu::may_alias]], )
COURSE_CPU_VECTORS(longlong, long long int, 16, 16, [[gnu::may_alias]], )
COURSE_CPU_VECTORS(ulonglong, unsigned long long int, 16, 16, [[gnu::may_alias]], )
COURSE_CPU_VECTORS(float, float, 8, 16, , )
COURSE_CPU_VECTORS(double, double, 16, 16, , )
#undef COURSE_CPU_VECTORS
#undef COURSE_CPU_BYTES

struct dim3 {
  unsigned int x, y, z;
  constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1) : x(x), y(y), z(z) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return {x, y, z}; }
};

// ---- errors ----

enum cudaError {
#define COURSE_CPU_ERROR(name, number, text) name = number,
#include "errors.inc"
#undef COURSE_CPU_ERROR
};
using cudaError_t = cudaError;

// ---- handles ----

using cudaStream_t = struct CUstream_st *;
using cudaEvent_t = struct CUevent_st *;
using cudaGraph_t = struct CUgraph_st *;
using cudaGraphNode_t = struct CUgraphNode_st *;
using cudaGraphExec_t = struct CUgraphExec_st *;
using cudaMemPool_t = struct CUmemPoolHandle_st *;
using cudaHostFn_t = void (*)(void *user_data);
using cudaStreamCallback_t = void (*)(cudaStream_t, cudaError_t, void *user_data);

#define cudaStreamLegacy (reinterpret_cast<cudaStream_t>(0x1))
#define cudaStreamPerThread (reinterpret_cast<cudaStream_t>(0x2))

#define cudaStreamDefault 0x0 // also a stream, as a null pointer
enum { cudaStreamNonBlocking = 0x1 };
#define cudaEventDefault 0x0
enum {
  cudaEventBlockingSync = 0x1,
  cudaEventDisableTiming = 0x2,
  cudaEventInterprocess = 0x4,
  cudaEventWaitDefault = 0x0
};
#define cudaHostAllocDefault 0x0
enum { cudaHostAllocPortable = 0x1, cudaHostAllocMapped = 0x2, cudaHostAllocWriteCombined = 0x4 };
enum {
  cudaHostRegisterDefault = 0x0,
  cudaHostRegisterPortable = 0x1,
  cudaHostRegisterMapped = 0x2,
  cudaHostRegisterReadOnly = 0x8
};
enum { cudaMemAttachGlobal = 0x1, cudaMemAttachHost = 0x2, cudaMemAttachSingle = 0x4 };
enum {
  cudaDeviceScheduleAuto = 0x0,
  cudaDeviceScheduleSpin = 0x1,
  cudaDeviceScheduleYield = 0x2,
  cudaDeviceScheduleBlockingSync = 0x4,
  cudaDeviceBlockingSync = 0x4 // its name before CUDA 4
};
#define cudaDeviceMapHost 0x8
#define cudaOccupancyDefault 0x0
#define cudaCpuDeviceId (-1)
#define cudaInvalidDeviceId (-2)

// ---- memory ----

enum cudaMemcpyKind {
  cudaMemcpyHostToHost = 0,
  cudaMemcpyHostToDevice = 1,
  cudaMemcpyDeviceToHost = 2,
  cudaMemcpyDeviceToDevice = 3,
  cudaMemcpyDefault = 4
};

enum cudaMemoryType {
  cudaMemoryTypeUnregistered = 0,
  cudaMemoryTypeHost = 1,
  cudaMemoryTypeDevice = 2,
  cudaMemoryTypeManaged = 3
};

struct cudaPointerAttributes {
  cudaMemoryType type;
  int device;
  void *devicePointer;
  void *hostPointer;
};

enum cudaMemoryAdvise {
  cudaMemAdviseSetReadMostly = 1,
  cudaMemAdviseUnsetReadMostly = 2,
  cudaMemAdviseSetPreferredLocation = 3,
  cudaMemAdviseUnsetPreferredLocation = 4,
  cudaMemAdviseSetAccessedBy = 5,
  cudaMemAdviseUnsetAccessedBy = 6
};

enum cudaMemLocationType {
  cudaMemLocationTypeInvalid = 0,
  cudaMemLocationTypeDevice = 1,
  cudaMemLocationTypeHost = 2
};

struct cudaMemLocation {
  cudaMemLocationType type;
  int id;
};

enum cudaMemPoolAttr {
  cudaMemPoolReuseFollowEventDependencies = 1,
  cudaMemPoolReuseAllowOpportunistic = 2,
  cudaMemPoolReuseAllowInternalDependencies = 3,
  cudaMemPoolAttrReleaseThreshold = 4,
  cudaMemPoolAttrReservedMemCurrent = 5,
  cudaMemPoolAttrReservedMemHigh = 6,
  cudaMemPoolAttrUsedMemCurrent = 7,
  cudaMemPoolAttrUsedMemHigh = 8
};

// ---- functions ----

enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributePreferredSharedMemoryCarveout = 9
};

struct cudaFuncAttributes {
  size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
  int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA;
  int maxDynamicSharedSizeBytes, preferredShmemCarveout;
};

// ---- launches by cudaLaunchKernelEx ----

enum cudaLaunchAttributeID {
  cudaLaunchAttributeIgnore = 0,
  cudaLaunchAttributeAccessPolicyWindow = 1,
  cudaLaunchAttributeCooperative = 2,
  cudaLaunchAttributeSynchronizationPolicy = 3,
  cudaLaunchAttributeClusterDimension = 4,
  cudaLaunchAttributeClusterSchedulingPolicyPreference = 5,
  cudaLaunchAttributeProgrammaticStreamSerialization = 6,
  cudaLaunchAttributeProgrammaticEvent = 7,
  cudaLaunchAttributePriority = 8
};

enum cudaAccessProperty {
  cudaAccessPropertyNormal = 0,
  cudaAccessPropertyStreaming = 1,
  cudaAccessPropertyPersisting = 2
};

struct cudaAccessPolicyWindow { // a hint for a cache that no CPU has
  void *base_ptr;
  size_t num_bytes;
  float hitRatio;
  cudaAccessProperty hitProp, missProp;
};

union cudaLaunchAttributeValue {
  char pad[64];
  cudaAccessPolicyWindow accessPolicyWindow;
  int cooperative;
  struct {
    unsigned int x, y, z;
  } clusterDim;
  int programmaticStreamSerializationAllowed;
  int priority;
};

using cudaStreamAttrID = cudaLaunchAttributeID;
using cudaStreamAttrValue = cudaLaunchAttributeValue;
#define cudaStreamAttributeAccessPolicyWindow cudaLaunchAttributeAccessPolicyWindow
#define cudaStreamAttributePriority cudaLaunchAttributePriority

struct cudaLaunchAttribute {
  cudaLaunchAttributeID id;
  char pad[4];
  cudaLaunchAttributeValue val;
};

struct cudaLaunchConfig_t {
  dim3 gridDim, blockDim;
  size_t dynamicSmemBytes;
  cudaStream_t stream;
  cudaLaunchAttribute *attrs;
  unsigned int numAttrs;
};

#include "device_types.h"
#include "graph_types.h"
