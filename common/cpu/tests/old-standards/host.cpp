// A host file as C++11: the headers that NVIDIA's toolkit has for it, and the calls of host code.
#include <cublas_v2.h>
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>
#include <cuda_runtime_api.h>
#include <device_launch_parameters.h>
#include <nccl.h>
#include <nvToolsExt.h>
#include <nvtx3/nvToolsExt.h>

#include <cstdio>

void scale(float *values, int n, cudaStream_t stream); // scale.cu

static __host__ __device__ __forceinline__ bool is_twice(float first, float second) {
  return second == 2 * first;
}

int main() {
  const int n = 100;
  float *host = nullptr, *device = nullptr;
  cudaStream_t stream;
  cudaEvent_t event;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  nvtxRangePushA("scale");
  cudaMallocHost(&host, n * sizeof *host);
  cudaMalloc(&device, n * sizeof *device);
  cudaStreamCreate(&stream);
  cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  for (int i = 0; i < n; ++i)
    host[i] = __half2float(__float2half(float(i)));

  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  cudaMemcpyAsync(device, host, n * sizeof *host, cudaMemcpyHostToDevice, stream);
  scale(device, n, stream);
  cudaMemcpyAsync(host, device, n * sizeof *host, cudaMemcpyDeviceToHost, stream);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0);
  cudaGraphLaunch(exec, stream);
  cudaEventRecord(event, stream);
  cudaEventSynchronize(event);
  nvtxRangePop();

  bool correct = cudaGetLastError() == cudaSuccess;
  for (int i = 0; i < n; ++i)
    correct = correct && is_twice(float(i), host[i]);
  std::puts(correct ? "PASS" : "FAIL");
  return !correct;
}
