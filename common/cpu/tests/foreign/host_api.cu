// nvcc: -lcuda
// Functions and headers of the host.
#include "parts.hpp"

#include <cstdio>
#include <cuComplex.h>
#include <cublas_v2.h>
#include <cuda.h>
#include <curand.h>
#include <device_functions.h>
#include <device_launch_parameters.h>
#include <library_types.h>
#include <math_constants.h>
#include <math_functions.h>
#include <nvToolsExt.h>
#include <nvToolsExtCuda.h>
#include <sm_61_intrinsics.h>
#include <stdio.h>
#include <string.h>
#include <thrust/device_allocator.h>
#include <thrust/device_vector.h>
#include <vector_functions.h>

// Hints that change nothing: NVTX ranges with attributes, a stream's access policy; and the older
// form of a graph's update.
namespace hints {
__global__ void add(int *sum, int value) { *sum += value; }

static cudaGraph_t captured(cudaStream_t stream, int *sum, int value) {
  cudaGraph_t graph = nullptr;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  add<<<1, 1, 0, stream>>>(sum, value);
  cudaStreamEndCapture(stream, &graph);
  return graph;
}

bool is_right() {
  nvtxEventAttributes_t attributes = {0};
  attributes.version = NVTX_VERSION;
  attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  attributes.colorType = NVTX_COLOR_ARGB;
  attributes.color = 0xff00ff00;
  attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
  attributes.message.ascii = "all";
  const nvtxRangeId_t all = nvtxRangeStartEx(&attributes);
  nvtxRangePushEx(&attributes);

  int *sum = managed<int>(1);
  *sum = 0;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaStreamAttrValue hint{};
  hint.accessPolicyWindow.base_ptr = sum;
  hint.accessPolicyWindow.num_bytes = sizeof *sum;
  hint.accessPolicyWindow.hitRatio = 1;
  hint.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
  hint.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
  bool ok =
      cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &hint) == cudaSuccess;
  ok &= cudaCtxResetPersistingL2Cache() == cudaSuccess;

  cudaGraph_t one = captured(stream, sum, 1), ten = captured(stream, sum, 10);
  cudaGraphExec_t exec;
  ok &= cudaGraphInstantiate(&exec, one, nullptr, nullptr, 0) == cudaSuccess;
  cudaGraphNode_t failed = reinterpret_cast<cudaGraphNode_t>(one);
  cudaGraphExecUpdateResult result;
  ok &= cudaGraphExecUpdate(exec, ten, &failed, &result) == cudaSuccess;
  ok &= result == cudaGraphExecUpdateSuccess && !failed;
  cudaGraphLaunch(exec, stream);
  ok &= cudaStreamSynchronize(stream) == cudaSuccess && *sum == 10;
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(one);
  cudaGraphDestroy(ten);
  cudaStreamDestroy(stream);
  nvtxRangePop();
  nvtxRangeEnd(all);
  return ok;
}
} // namespace hints

// A function makes a stream and events, forks work to them, joins it, and destroys them all: also
// while its caller's stream is captured.
namespace captured_branch {
__global__ void set(int *value, int to) { *value = to; }
__global__ void add(int *sum, const int *value) { *sum += *value; }

static void set_both(int *values, cudaStream_t stream) {
  cudaStream_t branch;
  cudaEvent_t fork, join;
  cudaStreamCreateWithFlags(&branch, cudaStreamNonBlocking);
  cudaEventCreate(&fork);
  cudaEventCreate(&join);
  cudaEventRecord(fork, stream);
  cudaStreamWaitEvent(branch, fork, 0);
  set<<<1, 1, 0, branch>>>(&values[0], 1);
  set<<<1, 1, 0, stream>>>(&values[1], 10);
  cudaEventRecord(join, branch);
  cudaStreamWaitEvent(stream, join, 0);
  cudaStreamDestroy(branch);
  cudaEventDestroy(fork);
  cudaEventDestroy(join);
}

bool is_right() {
  int *values, wrong = 0;
  cudaMallocManaged(&values, 3 * sizeof(int));
  values[2] = 0;
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamCreate(&stream);

  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  set_both(values, stream);
  add<<<1, 1, 0, stream>>>(&values[2], &values[0]);
  add<<<1, 1, 0, stream>>>(&values[2], &values[1]);
  wrong += cudaStreamEndCapture(stream, &graph) != cudaSuccess;
  wrong += cudaGraphInstantiate(&exec, graph, 0) != cudaSuccess;
  for (int launch = 0; launch < 3; ++launch)
    wrong += cudaGraphLaunch(exec, stream) != cudaSuccess;
  wrong += cudaStreamSynchronize(stream) != cudaSuccess;
  wrong += values[2] != 33;
  return wrong == 0;
}
} // namespace captured_branch

// Programs that print a device ask for all that CUDA 12 says of one, as a field or as an attribute.
namespace device_properties {
static bool same(cudaDeviceAttr attribute, size_t field) {
  int value = -1;
  return cudaDeviceGetAttribute(&value, attribute, 0) == cudaSuccess && value == (int)field;
}

bool is_right() {
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
  return right;
}
} // namespace device_properties

// Helper headers add their functions only where NVIDIA's headers have been included, which they see
// by the guards of these.
namespace header_guards {
#if !defined(__CUDACC__) || !defined(__NVCC__) || !defined(__CUDA_RUNTIME_H__) ||                  \
    !defined(__DRIVER_TYPES_H__) || !defined(CUBLAS_API_H_) || !defined(CURAND_H_)
#error "a guard is missing"
#endif

static const char *name_of(cudaError_t error) { return cudaGetErrorName(error); }
static const char *name_of(cublasStatus_t) { return "cuBLAS"; }

bool is_right() { return name_of(cudaSuccess) != name_of(CUBLAS_STATUS_SUCCESS); }
} // namespace header_guards

// Names as NVIDIA's headers declare them (public reports stream-default, v2-names,
// device-vector-allocator): a macro that is both a flag and a stream; a second version of a
// function; a device_vector with its allocator.
namespace header_names {
#if !defined cudaHostAllocDefault || !defined cudaEventDefault || !defined cudaStreamPerThread ||  \
    !defined cudaCpuDeviceId || !defined cudaOccupancyDefault || !defined cudaDeviceMapHost
#error "these are macros"
#endif

__global__ void count(int *x) { x[threadIdx.x] = threadIdx.x; }

template <class T, class A> T *raw(thrust::device_vector<T, A> &v) {
  return thrust::raw_pointer_cast(v.data());
}
template <template <class, class> class V> struct Holds {
  V<int, thrust::device_allocator<int>> v;
};

bool is_right() {
  Holds<thrust::device_vector> holds;
  holds.v.resize(4);
  cudaStream_t stream = cudaStreamDefault;
  cudaEvent_t event;
  int last = 0, *managed;
  cudaEventCreateWithFlags(&event, cudaEventDefault);
  count<<<1, 4, 0, cudaStreamDefault>>>(raw(holds.v));
  cudaEventRecord(event, cudaStreamDefault);
  cudaMemcpyAsync(&last, raw(holds.v) + 3, 4, cudaMemcpyDeviceToHost, cudaStreamDefault);
  cudaStreamSynchronize(cudaStreamDefault);
  bool right = last == 3 && cudaStreamSynchronize(stream) == cudaSuccess;

  cudaMemLocation here = {};
  here.type = cudaMemLocationTypeDevice;
  cudaMallocManaged(&managed, 4096);
  right = right && !cudaMemAdvise_v2(managed, 4096, cudaMemAdviseSetPreferredLocation, here) &&
          !cudaMemPrefetchAsync_v2(managed, 4096, here, 0, 0);
  return right;
}
} // namespace header_names

// Headers that programs include by name: of complex numbers, of constants, old ones.
namespace headers {
__global__ void mandelbrot_step(cuFloatComplex *z, cuDoubleComplex *w, int *dot) {
  *z = cuCaddf(cuCmulf(*z, *z), make_cuFloatComplex(1, 1));
  *w = cuCdiv(*w, make_cuDoubleComplex(0, 2));
  *dot = __dp4a(0x01ff02fe, 0x01010203, 5); // 1 * 1 - 1 * 1 + 2 * 2 - 2 * 3 + 5
  dot[1] = (int)cuCabsf(cuCdivf(cuCsubf(*z, cuConjf(*z)), make_cuFloatComplex(0, 2)));
  dot[2] = (int)cuCabs(cuCmul(cuCadd(*w, cuConj(*w)), cuCsub(*w, make_cuDoubleComplex(-2, 0))));
}

bool is_right() {
  nvtxRangePush("all");
  bool right = CUDA_VERSION >= 12000;
  cuFloatComplex *z = managed<cuFloatComplex>(1);
  cuDoubleComplex *w = managed<cuDoubleComplex>(1);
  int *dot = managed<int>(3);
  *z = make_cuFloatComplex(2, 1);
  *w = make_cuDoubleComplex(2, -4);
  mandelbrot_step<<<1, 1>>>(z, w, dot);
  right = right && cudaDeviceSynchronize() == cudaSuccess;
  right = right && cuCrealf(*z) == 4 && cuCimagf(*z) == 5 && cuCreal(*w) == -2 && cuCimag(*w) == -1;
  right = right && dot[0] == 3 && dot[1] == 5 && dot[2] == 4;
  right = right && CUDART_PI_F > 3.14f && CUDA_R_16F == 2;
  nvtxRangePop();
  return right;
}
} // namespace headers

int main() {
  return run_parts({{"hints", hints::is_right},
                    {"captured_branch", captured_branch::is_right},
                    {"device_properties", device_properties::is_right},
                    {"header_guards", header_guards::is_right},
                    {"header_names", header_names::is_right},
                    {"headers", headers::is_right}});
}
