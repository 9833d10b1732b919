// Graphs that leave memory allocated: freed by the host, in a stream, by another graph, or at the
// next launch; how much of it there is, and was at most; and a graph within a graph.
#include <cstdio>

__global__ void add(int *sum, int value) { *sum += value; }
__global__ void store(int *place, int value) { *place = value; }
__global__ void load(const int *place, int *result) { *result = *place; }

static bool ok = true;
static void expect(bool is_so, const char *what) {
  if (!is_so)
    std::printf("not so: %s\n", what);
  ok &= is_so;
}

static unsigned long long bytes(cudaGraphMemAttributeType attribute) {
  unsigned long long value = 0;
  expect(!cudaDeviceGetGraphMemAttribute(0, attribute, &value), "an attribute");
  return value;
}

// The memory that a launch takes, and gives back, of a graph that allocates 64 MiB, then, perhaps
// when these are freed, 128 MiB.
static void taken_memory(bool frees) {
  constexpr size_t mib = 1 << 20;
  unsigned long long zero = 0, one = 1;
  expect(!cudaDeviceGraphMemTrim(0), "trimmed");
  expect(!cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &zero) &&
             !cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrReservedMemHigh, &zero),
         "highs are set to 0");
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaGraphNode_t last = nullptr;
  cudaMemAllocNodeParams memory[2] = {};
  for (int i = 0; i < 2; ++i) {
    memory[i].bytesize = (i ? 128 : 64) * mib;
    memory[i].poolProps.allocType = cudaMemAllocationTypePinned;
    memory[i].poolProps.location.type = cudaMemLocationTypeDevice;
    cudaGraphNode_t node;
    expect(!cudaGraphAddMemAllocNode(&node, graph, &last, last ? 1 : 0, &memory[i]), "allocation");
    last = node;
    if (frees)
      expect(!cudaGraphAddMemFreeNode(&last, graph, &node, 1, memory[i].dptr), "free");
  }
  cudaGraphExec_t exec;
  expect(!cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0), "instantiated");
  expect(bytes(cudaGraphMemAttrReservedMemHigh) == 0, "nothing is taken so far");
  expect(!cudaGraphLaunch(exec, nullptr), "launched");
  expect(bytes(cudaGraphMemAttrUsedMemCurrent) == 192 * mib, "taken by the launch");
  cudaDeviceSynchronize();
  if (!frees) {
    expect(!cudaDeviceGraphMemTrim(0), "trimmed");
    expect(!cudaFree(memory[0].dptr) && !cudaFree(memory[1].dptr), "freed");
  }
  expect(bytes(cudaGraphMemAttrUsedMemCurrent) == 192 * mib &&
             bytes(cudaGraphMemAttrReservedMemCurrent) == 192 * mib,
         "kept when it has ended");
  if (frees)
    expect(!cudaGraphLaunch(exec, nullptr) && !cudaDeviceSynchronize() &&
               bytes(cudaGraphMemAttrUsedMemCurrent) == 192 * mib,
           "taken once");
  expect(!cudaDeviceGraphMemTrim(0), "trimmed");
  expect(bytes(cudaGraphMemAttrUsedMemCurrent) == 0, "given back");
  expect(!cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &zero), "set to 0");
  expect(bytes(cudaGraphMemAttrUsedMemHigh) == 0 &&
             bytes(cudaGraphMemAttrReservedMemHigh) == 192 * mib,
         "one high is set, the other one is not");
  expect(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &one) ==
                 cudaErrorInvalidValue &&
             cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &zero) ==
                 cudaErrorInvalidValue,
         "nothing else is set");
  (void)cudaGetLastError();
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
}

int main() {
  int *result;
  cudaMallocManaged(&result, sizeof *result);
  *result = 0;
  cudaStream_t stream;
  cudaStreamCreate(&stream);

  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaMemAllocNodeParams memory{};
  memory.bytesize = sizeof(int);
  memory.poolProps.allocType = cudaMemAllocationTypePinned;
  memory.poolProps.location.type = cudaMemLocationTypeDevice;
  cudaGraphNode_t allocation, kernel;
  expect(!cudaGraphAddMemAllocNode(&allocation, graph, nullptr, 0, &memory), "allocation");
  int *place = static_cast<int *>(memory.dptr), value = 7;
  void *arguments[] = {&place, &value};
  cudaKernelNodeParams launch{};
  launch.func = reinterpret_cast<void *>(store);
  launch.gridDim = launch.blockDim = dim3(1);
  launch.kernelParams = arguments;
  cudaGraphAddKernelNode(&kernel, graph, &allocation, 1, &launch);
  cudaGraphExec_t exec, frees_itself;
  expect(!cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0), "instantiated");
  expect(!cudaGraphInstantiateWithFlags(&frees_itself, graph,
                                        cudaGraphInstantiateFlagAutoFreeOnLaunch),
         "instantiated with its flag");

  for (int way = 0; way < 3; ++way) {
    *result = 0;
    expect(!cudaGraphLaunch(exec, stream), "a launch");
    load<<<1, 1, 0, stream>>>(place, result);
    if (way == 0) {
      expect(cudaGraphLaunch(exec, stream) == cudaErrorInvalidValue, "memory is still there");
      (void)cudaGetLastError();
      cudaStreamSynchronize(stream);
      expect(bytes(cudaGraphMemAttrUsedMemCurrent) >= sizeof(int), "memory in use");
      expect(!cudaFree(place), "freed by the host");
    } else if (way == 1) {
      expect(!cudaFreeAsync(place, stream), "freed in the stream");
    } else {
      cudaGraph_t freeing;
      cudaGraphExec_t free_exec;
      cudaGraphNode_t node;
      cudaGraphCreate(&freeing, 0);
      expect(!cudaGraphAddMemFreeNode(&node, freeing, nullptr, 0, place), "another graph");
      cudaGraphInstantiate(&free_exec, freeing, nullptr, nullptr, 0);
      expect(!cudaGraphLaunch(free_exec, stream), "freed by another graph");
      cudaStreamSynchronize(stream);
      cudaGraphExecDestroy(free_exec);
      cudaGraphDestroy(freeing);
    }
    cudaStreamSynchronize(stream);
    expect(*result == 7, "its value");
  }
  cudaDeviceGraphMemTrim(0);
  expect(bytes(cudaGraphMemAttrUsedMemCurrent) == 0, "no memory in use");
  expect(!cudaGraphLaunch(frees_itself, stream) && !cudaGraphLaunch(frees_itself, stream),
         "freed by the next launch");
  cudaStreamSynchronize(stream);
  cudaGraphExecDestroy(exec);
  cudaGraphExecDestroy(frees_itself);
  cudaGraphDestroy(graph);
  expect(!cudaFree(place), "memory outlives its graph");
  taken_memory(true);
  taken_memory(false);

  cudaGraph_t child, parent;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  add<<<1, 1, 0, stream>>>(result, 10);
  add<<<1, 1, 0, stream>>>(result, 100);
  cudaStreamEndCapture(stream, &child);
  cudaGraphCreate(&parent, 0);
  cudaGraphNode_t nodes[3];
  cudaGraphAddChildGraphNode(&nodes[0], parent, nullptr, 0, child);
  cudaGraphAddChildGraphNode(&nodes[1], parent, &nodes[0], 1, child);
  int thousand = 1000;
  void *more[] = {&result, &thousand};
  launch.func = reinterpret_cast<void *>(add);
  launch.kernelParams = more;
  cudaGraphAddKernelNode(&nodes[2], parent, &nodes[1], 1, &launch);
  cudaGraphDestroy(child);
  expect(!cudaGraphInstantiate(&exec, parent, nullptr, nullptr, 0), "with children");
  cudaGraphLaunch(exec, stream);
  cudaStreamSynchronize(stream);
  expect(*result == 7 + 2 * 110 + 1000, "the sum");
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(parent);
  cudaStreamDestroy(stream);
  cudaFree(result);
  std::puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
