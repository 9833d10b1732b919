// nvcc: -lnccl
// API calls that public programs make and no lesson does: hints, properties, older names.
#include <cuda_profiler_api.h>
#include <nccl.h>
#include <stdio.h>

static int wrong = 0;

static void check(const char *call, bool right) {
  if (!right)
    printf("wrong: %s\n", call);
  wrong += !right;
}
#define SUCCEEDS(call) check(#call, (call) == cudaSuccess)

int main() {
  int version = 0, runtime = 0, nccl = 0, least = 0, greatest = 0, native = 0, count = 0;
  SUCCEEDS(cudaSetDeviceFlags(cudaDeviceMapHost));
  SUCCEEDS(cudaDriverGetVersion(&version));
  SUCCEEDS(cudaRuntimeGetVersion(&runtime));
  check("NCCL", ncclGetVersion(&nccl) == ncclSuccess && nccl >= NCCL_VERSION(2, 10, 0));
  check("versions", version >= runtime && runtime == CUDART_VERSION);
  SUCCEEDS(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  check("priorities", greatest <= least);
  SUCCEEDS(cudaGetDeviceCount(&count));
  if (count > 1)
    SUCCEEDS(cudaDeviceGetP2PAttribute(&native, cudaDevP2PAttrNativeAtomicSupported, 0, 1));
  SUCCEEDS(cudaProfilerStart());
  SUCCEEDS(cudaProfilerStop());

  cudaMemPool_t pool;
  unsigned long long threshold = ~0ull;
  SUCCEEDS(cudaDeviceGetDefaultMemPool(&pool, 0));
  SUCCEEDS(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));

  int *managed;
  cudaStream_t stream;
  SUCCEEDS(cudaMallocManaged(&managed, 4096));
  SUCCEEDS(cudaStreamCreate(&stream));
  SUCCEEDS(cudaStreamAttachMemAsync(stream, managed, 0, cudaMemAttachSingle));
  SUCCEEDS(cudaMemAdvise(managed, 4096, cudaMemAdviseSetReadMostly, 0));

  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamCaptureStatus status;
  SUCCEEDS(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  SUCCEEDS(cudaStreamIsCapturing(stream, &status));
  check("status", status == cudaStreamCaptureStatusActive);
  SUCCEEDS(cudaMemsetAsync(managed, 1, 4096, stream));
  SUCCEEDS(cudaStreamEndCapture(stream, &graph));
  SUCCEEDS(cudaGraphInstantiateWithFlags(&exec, graph, 0));
  SUCCEEDS(cudaGraphUpload(exec, stream));
  SUCCEEDS(cudaGraphLaunch(exec, stream));
  SUCCEEDS(cudaThreadSynchronize());
  check("fill", managed[1023] == 0x01010101);
  SUCCEEDS(cudaGraphExecDestroy(exec));
  SUCCEEDS(cudaGraphDestroy(graph));
  SUCCEEDS(cudaStreamDestroy(stream));
  SUCCEEDS(cudaFree(managed));
  SUCCEEDS(cudaThreadExit());
  puts(wrong == 0 ? "PASS" : "FAIL");
  return wrong != 0;
}
