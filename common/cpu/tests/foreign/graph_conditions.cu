// Nodes of graphs with a condition: if and else, a loop, a choice, and a loop among captured work.
#include <cstdio>

__global__ void decide(const int *value, cudaGraphConditionalHandle handle) {
  cudaGraphSetConditional(handle, *value);
}
__global__ void add(int *sum, int number) { *sum += number; }
__global__ void count_down(int *value, int *rounds, cudaGraphConditionalHandle handle) {
  ++*rounds;
  cudaGraphSetConditional(handle, --*value);
}

static bool ok = true;
static void expect(bool is_so, const char *what) {
  if (!is_so)
    std::printf("not so: %s\n", what);
  ok &= is_so;
}

static cudaGraphNode_t add_kernel(cudaGraph_t graph, void *kernel, void **arguments) {
  cudaGraphNodeParams node{};
  node.type = cudaGraphNodeTypeKernel;
  node.kernel.func = kernel;
  node.kernel.gridDim = node.kernel.blockDim = dim3(1);
  node.kernel.kernelParams = arguments;
  cudaGraphNode_t made;
  expect(cudaGraphAddNode(&made, graph, nullptr, nullptr, 0, &node) == cudaSuccess, "kernel");
  return made;
}

// The sum of i for each of the graphs that the values choose: decide, then one of `size` graphs.
static int chosen(cudaGraphConditionalNodeType type, unsigned size, int *memory) {
  int *value = memory, *sum = memory + 1;
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaGraphConditionalHandle handle;
  cudaGraphConditionalHandleCreate(&handle, graph);
  void *arguments[] = {&value, &handle};
  const cudaGraphNode_t first = add_kernel(graph, (void *)decide, arguments);
  cudaGraphNodeParams condition{};
  condition.type = cudaGraphNodeTypeConditional;
  condition.conditional.handle = handle;
  condition.conditional.type = type;
  condition.conditional.size = size;
  cudaGraphNode_t node;
  expect(cudaGraphAddNode(&node, graph, &first, nullptr, 1, &condition) == cudaSuccess, "choice");
  for (int i = 0; i < int(size); ++i) {
    int number = 1 + i;
    void *its[] = {&sum, &number};
    add_kernel(condition.conditional.phGraph_out[i], (void *)add, its);
  }
  cudaGraphExec_t exec;
  expect(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess, "instantiation");
  cudaGraphDestroy(graph);
  *sum = 0;
  for (*value = 0; *value < 4; ++*value) {
    expect(cudaGraphLaunch(exec, nullptr) == cudaSuccess, "launch");
    expect(cudaDeviceSynchronize() == cudaSuccess, "end");
    *sum *= 10;
  }
  cudaGraphExecDestroy(exec);
  return *sum;
}

// The rounds of a loop that is captured between two additions.
static void captured_loop(int *memory) {
  int *value = memory, *rounds = memory + 1, *sum = memory + 2;
  cudaStream_t stream, inner;
  cudaStreamCreate(&stream);
  cudaStreamCreate(&inner);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  add<<<1, 1, 0, stream>>>(sum, 1);
  cudaStreamCaptureStatus status;
  cudaGraph_t graph;
  const cudaGraphNode_t *after;
  size_t count;
  cudaStreamGetCaptureInfo(stream, &status, nullptr, &graph, &after, nullptr, &count);
  expect(status == cudaStreamCaptureStatusActive && count == 1, "one node is captured");
  cudaGraphNodeParams loop{};
  loop.type = cudaGraphNodeTypeConditional;
  cudaGraphConditionalHandleCreate(&loop.conditional.handle, graph, 1, cudaGraphCondAssignDefault);
  loop.conditional.type = cudaGraphCondTypeWhile;
  loop.conditional.size = 1;
  cudaGraphNode_t node;
  expect(cudaGraphAddNode(&node, graph, after, nullptr, count, &loop) == cudaSuccess, "loop");
  cudaStreamUpdateCaptureDependencies(stream, &node, nullptr, 1, cudaStreamSetCaptureDependencies);
  add<<<1, 1, 0, stream>>>(sum, 10);
  expect(cudaStreamEndCapture(stream, &graph) == cudaSuccess, "capture");
  cudaStreamBeginCaptureToGraph(inner, loop.conditional.phGraph_out[0], nullptr, nullptr, 0,
                                cudaStreamCaptureModeGlobal);
  count_down<<<1, 1, 0, inner>>>(value, rounds, loop.conditional.handle);
  expect(cudaStreamEndCapture(inner, nullptr) == cudaSuccess, "capture of the loop");
  cudaGraphExec_t exec;
  expect(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess, "instantiation");
  for (int launch = 0; launch < 2; ++launch) {
    *value = 5, *rounds = *sum = 0;
    cudaGraphLaunch(exec, stream);
    expect(cudaStreamSynchronize(stream) == cudaSuccess && *rounds == 5 && *sum == 11, "5 rounds");
  }
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(inner);
  cudaStreamDestroy(stream);
}

int main() {
  int *memory;
  cudaMallocManaged(&memory, 3 * sizeof *memory);
  expect(chosen(cudaGraphCondTypeIf, 1, memory) == 1110, "if");
  expect(chosen(cudaGraphCondTypeIf, 2, memory) == 21110, "else");
  expect(chosen(cudaGraphCondTypeSwitch, 3, memory) == 12300, "switch");
  captured_loop(memory);
  cudaFree(memory);
  std::puts(ok ? "PASS" : "FAIL");
  return !ok;
}
