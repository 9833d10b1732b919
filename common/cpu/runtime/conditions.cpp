// Nodes of graphs that have a condition: whoever runs such a node runs a graph within it, or none,
// as a number says that a kernel may have set.
#include "course_cpu/api.h"
#include "course_cpu/graphs.h"
#include "course_cpu_grader.h"
#include "graph.h"
#include "observer.h"

namespace course_cpu {
namespace {

// The graphs of a node. They exist as long as it does.
struct Choices {
  std::vector<cudaGraph_t> graphs;
  std::vector<std::function<void()>> bodies; // made when the node first runs

  Choices() = default;
  ~Choices() {
    GraphsLock lock(graphs_mutex);
    for (const cudaGraph_t graph : graphs)
      discard(graph);
  }
  Choices(const Choices &) = delete;
  Choices &operator=(const Choices &) = delete;

  // False: the value stands for none of them.
  bool run(size_t number) {
    if (bodies.empty())
      for (const cudaGraph_t graph : graphs)
        bodies.push_back(body_of(*graph));
    if (number >= bodies.size())
      return false;
    bodies[number]();
    return current_device().sticky == cudaSuccess;
  }
};

cudaError_t add_conditional(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                            size_t count, cudaConditionalNodeParams &parameters) {
  const cudaGraphConditionalNodeType type = parameters.type;
  const unsigned most = type == cudaGraphCondTypeIf      ? 2
                        : type == cudaGraphCondTypeWhile ? 1
                                                         : parameters.size;
  if (!parameters.handle || parameters.size == 0 || parameters.size > most)
    return cudaErrorInvalidValue;
  if (tools::on) {
    say_refused("graph refused: the tools cannot follow a node with a condition");
    return cudaErrorNotSupported;
  }
  const auto choices = std::make_shared<Choices>();
  while (choices->graphs.size() < parameters.size)
    choices->graphs.push_back(new_graph());
  const auto *condition = reinterpret_cast<const Condition *>(parameters.handle);
  const auto decide = [choices, condition, type] {
    if (type == cudaGraphCondTypeWhile)
      while (condition->value != 0 && choices->run(0)) {
      }
    else
      choices->run(type == cudaGraphCondTypeSwitch ? unsigned(condition->value)
                                                   : condition->value == 0);
  };
  parameters.phGraph_out = choices->graphs.data();
  return add_node(graph, node, after, count, [&](cudaStream_t stream) {
    enqueue(
        find_stream(stream), cudaGraphNodeTypeConditional, [] {}, OnError::skip, {}, decide);
    return cudaSuccess;
  });
}

} // namespace
} // namespace course_cpu

using namespace course_cpu;

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *handle, cudaGraph_t graph,
                                             unsigned int value, unsigned int flags) {
  return api_call([&] {
    GraphsLock lock(graphs_mutex);
    if (!handle || !exists(graph) || flags > cudaGraphCondAssignDefault)
      return cudaErrorInvalidValue;
    graph->conditions.push_back(std::make_shared<Condition>(value, flags != 0));
    *handle = reinterpret_cast<std::uintptr_t>(graph->conditions.back().get());
    return cudaSuccess;
  });
}

void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned int value) {
  reinterpret_cast<Condition *>(handle)->value = value;
}

cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                             const cudaGraphEdgeData *edges, size_t count,
                             cudaGraphNodeParams *parameters, SourceLine line) {
  if (!are_valid(edges, count))
    return api_call([] { return cudaErrorInvalidValue; });
  switch (parameters ? parameters->type : -1) {
  case cudaGraphNodeTypeKernel:
    return cudaGraphAddKernelNode(node, graph, after, count, &parameters->kernel, line);
  case cudaGraphNodeTypeMemcpy:
    return cudaGraphAddMemcpyNode(node, graph, after, count, &parameters->memcpy.copyParams);
  case cudaGraphNodeTypeMemset:
    return cudaGraphAddMemsetNode(node, graph, after, count, &parameters->memset);
  case cudaGraphNodeTypeHost:
    return cudaGraphAddHostNode(node, graph, after, count, &parameters->host);
  case cudaGraphNodeTypeGraph:
    return cudaGraphAddChildGraphNode(node, graph, after, count, parameters->graph.graph);
  case cudaGraphNodeTypeEmpty:
    return cudaGraphAddEmptyNode(node, graph, after, count);
  case cudaGraphNodeTypeWaitEvent:
    return cudaGraphAddEventWaitNode(node, graph, after, count, parameters->eventWait.event);
  case cudaGraphNodeTypeEventRecord:
    return cudaGraphAddEventRecordNode(node, graph, after, count, parameters->eventRecord.event);
  case cudaGraphNodeTypeMemAlloc:
    return cudaGraphAddMemAllocNode(node, graph, after, count, &parameters->alloc);
  case cudaGraphNodeTypeMemFree:
    return cudaGraphAddMemFreeNode(node, graph, after, count, parameters->free.dptr);
  case cudaGraphNodeTypeConditional:
    return api_call(
        [&] { return add_conditional(node, graph, after, count, parameters->conditional); });
  default:
    return api_call([] { return cudaErrorInvalidValue; });
  }
}
