// Nodes of each kind by cudaGraphAddNode, what kind a node is, and dependencies that are added and
// removed when the nodes are there, with the data of their edges.
#include <cstdio>

__global__ void append(int *number, int digit) { *number = *number * 10 + digit; }

static bool ok = true;
static void expect(bool is_so, const char *what) {
  if (!is_so)
    std::printf("not so: %s\n", what);
  ok &= is_so;
}

static void count(void *calls) { ++*static_cast<int *>(calls); }

static cudaGraphNode_t add(cudaGraph_t graph, cudaGraphNode_t after, cudaGraphNodeParams &node) {
  cudaGraphNode_t made = nullptr;
#if CUDART_VERSION >= 13000
  expect(!cudaGraphAddNode(&made, graph, &after, nullptr, after ? 1 : 0, &node), "a node");
#else
  expect(!cudaGraphAddNode(&made, graph, &after, after ? 1 : 0, &node), "a node");
#endif
  cudaGraphNodeType type;
  expect(!cudaGraphNodeGetType(made, &type) && type == node.type, "is of its type");
  return made;
}

static cudaGraphNode_t add_append(cudaGraph_t graph, cudaGraphNode_t after, int *number,
                                  int digit) {
  cudaGraphNodeParams node{};
  node.type = cudaGraphNodeTypeKernel;
  void *arguments[] = {&number, &digit};
  node.kernel.func = reinterpret_cast<void *>(append);
  node.kernel.gridDim = node.kernel.blockDim = dim3(1);
  node.kernel.kernelParams = arguments;
  return add(graph, after, node);
}

static cudaError_t run(cudaGraph_t graph) {
  cudaGraphExec_t exec;
  if (const cudaError_t refused = cudaGraphInstantiate(&exec, graph, 0))
    return refused;
  expect(!cudaGraphLaunch(exec, nullptr) && !cudaDeviceSynchronize(), "a launch");
  return cudaGraphExecDestroy(exec);
}

// Fills `from`, copies it to `to`, and appends to that, by a child, too.
static void nodes_of_each_kind(int *from, int *to) {
  cudaGraph_t graph, child;
  cudaGraphCreate(&graph, 0);
  cudaGraphCreate(&child, 0);
  int calls = 0;
  cudaEvent_t event;
  cudaEventCreate(&event);

  cudaGraphNodeParams fill{};
  fill.type = cudaGraphNodeTypeMemset;
  fill.memset.dst = from;
  fill.memset.elementSize = fill.memset.height = 1;
  fill.memset.width = 4 * sizeof *from;
  cudaGraphNode_t last = add(graph, nullptr, fill);
  last = add_append(graph, last, from + 3, 5);

  cudaGraphNodeParams copy{};
  copy.type = cudaGraphNodeTypeMemcpy;
  copy.memcpy.copyParams.srcPtr = make_cudaPitchedPtr(from, 8, 8, 2); // the second of two columns
  copy.memcpy.copyParams.srcPos = make_cudaPos(4, 0, 0);
  copy.memcpy.copyParams.dstPtr = make_cudaPitchedPtr(to, 4, 4, 2);
  copy.memcpy.copyParams.extent = make_cudaExtent(4, 2, 1);
  copy.memcpy.copyParams.kind = cudaMemcpyDefault;
  last = add(graph, last, copy);

  add_append(child, nullptr, to + 1, 7);
  cudaGraphNodeParams whole{};
  whole.type = cudaGraphNodeTypeGraph;
  whole.graph.graph = child;
  last = add(graph, last, whole);

  cudaGraphNodeParams host{};
  host.type = cudaGraphNodeTypeHost;
  host.host.fn = count;
  host.host.userData = &calls;
  last = add(graph, last, host);

  cudaGraphNodeParams record{}, wait{}, empty{};
  record.type = cudaGraphNodeTypeEventRecord;
  record.eventRecord.event = event;
  last = add(graph, last, record);
  wait.type = cudaGraphNodeTypeWaitEvent;
  wait.eventWait.event = event;
  last = add(graph, last, wait);
  empty.type = cudaGraphNodeTypeEmpty;
  last = add(graph, last, empty);

  cudaGraphNodeParams memory{}, gone{};
  memory.type = cudaGraphNodeTypeMemAlloc;
  memory.alloc.poolProps.allocType = cudaMemAllocationTypePinned;
  memory.alloc.poolProps.location.type = cudaMemLocationTypeDevice;
  memory.alloc.bytesize = 64;
  last = add(graph, last, memory);
  gone.type = cudaGraphNodeTypeMemFree;
  gone.free.dptr = memory.alloc.dptr;
  add(graph, last, gone);

  expect(!run(graph) && to[0] == 0 && to[1] == 57 && calls == 1, "the work of all nodes");
  cudaGraphDestroy(graph);
  cudaGraphDestroy(child);
  cudaEventDestroy(event);
}

static void dependencies(int *number) {
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaGraphNode_t nodes[3];
  for (int i = 0; i < 3; ++i)
    nodes[i] = add_append(graph, nullptr, number, 1 + i);
  const cudaGraphNode_t before[] = {nodes[2], nodes[0]}, after[] = {nodes[0], nodes[1]};
  cudaGraphEdgeData edges[2] = {};
  expect(!cudaGraphAddDependencies(graph, before, after, edges, 2), "3, 1, 2");
  *number = 0;
  expect(!run(graph) && *number == 312, "the last node comes first");

  expect(cudaGraphAddDependencies(graph, before, after, edges, 1) == cudaErrorInvalidValue,
         "no edge twice");
  expect(!cudaGraphAddDependencies(graph, &nodes[1], &nodes[2], edges, 1), "a circle");
  expect(run(graph) == cudaErrorInvalidValue, "is found");
  expect(!cudaGraphRemoveDependencies(graph, before, after, edges, 1), "3 needs not come first");
  *number = 0;
  expect(!run(graph) && *number == 123, "1, 2, 3");
  expect(cudaGraphRemoveDependencies(graph, before, after, edges, 1) == cudaErrorInvalidValue,
         "no edge is removed twice");

  edges[0].from_port = cudaGraphKernelNodePortProgrammatic;
  expect(cudaGraphAddDependencies(graph, nodes, nodes + 2, edges, 1) == cudaErrorInvalidValue,
         "a port of another type of edge");
  edges[0].type = cudaGraphDependencyTypeProgrammatic;
  expect(!cudaGraphAddDependencies(graph, nodes, nodes + 2, edges, 1), "that type");
  cudaGetLastError();
  cudaGraphDestroy(graph);
}

static void captured_types(int *number) {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaGraph_t graph;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  append<<<1, 1, 0, stream>>>(number, 1);
  cudaMemcpyAsync(number + 1, number, sizeof *number, cudaMemcpyDefault, stream);
  cudaMemsetAsync(number, 0, sizeof *number, stream);
  cudaLaunchHostFunc(stream, count, number);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphNode_t nodes[4];
  size_t found = 4;
  cudaGraphGetNodes(graph, nodes, &found);
  expect(found == 4, "four nodes");
  const cudaGraphNodeType wanted[] = {cudaGraphNodeTypeKernel, cudaGraphNodeTypeMemcpy,
                                      cudaGraphNodeTypeMemset, cudaGraphNodeTypeHost};
  for (size_t i = 0; i < found; ++i) {
    cudaGraphNodeType type;
    expect(!cudaGraphNodeGetType(nodes[i], &type) && type == wanted[i], "a captured type");
  }
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
}

int main() {
  int *memory;
  cudaMallocManaged(&memory, 8 * sizeof *memory);
  nodes_of_each_kind(memory, memory + 4);
  dependencies(memory);
  captured_types(memory);
  expect(cudaGetLastError() == cudaSuccess, "no error is left");
  cudaFree(memory);
  std::puts(ok ? "PASS" : "FAIL");
  return !ok;
}
