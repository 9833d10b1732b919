// Hints that change nothing: NVTX ranges with attributes, a stream's access policy; and the older
// form of a graph's update.
#include <cstdio>
#include <nvToolsExt.h>
#include <nvToolsExtCuda.h>

__global__ void add(int *sum, int value) { *sum += value; }

static cudaGraph_t captured(cudaStream_t stream, int *sum, int value) {
  cudaGraph_t graph = nullptr;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  add<<<1, 1, 0, stream>>>(sum, value);
  cudaStreamEndCapture(stream, &graph);
  return graph;
}

int main() {
  nvtxEventAttributes_t attributes = {0};
  attributes.version = NVTX_VERSION;
  attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  attributes.colorType = NVTX_COLOR_ARGB;
  attributes.color = 0xff00ff00;
  attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
  attributes.message.ascii = "all";
  const nvtxRangeId_t all = nvtxRangeStartEx(&attributes);
  nvtxRangePushEx(&attributes);

  int *sum;
  cudaMallocManaged(&sum, sizeof *sum);
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
  cudaFree(sum);
  nvtxRangePop();
  nvtxRangeEnd(all);
  std::puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
