// Graphs: work that is recorded once, from captured streams or node by node. A node is an operation
// as a stream would have queued it. graph_launch.cpp has the graphs that can be launched.
#include "graph.h"
#include "capture.h"
#include "course_cpu/api.h"
#include "course_cpu/graphs.h"
#include "course_cpu/launch.h"

#include <algorithm>

namespace course_cpu {

std::recursive_mutex graphs_mutex;

namespace {

bool is_node(const CUgraph_st &graph, const CUgraphNode_st *its) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(),
                     [its](const auto &known) { return &known == its; });
}

} // namespace

cudaError_t record_node(CUgraph_st &graph, CUgraphNode_st **node, CUgraphNode_st *const *after,
                        size_t count, const std::function<cudaError_t(cudaStream_t)> &queue) {
  const auto is_known = [&graph](const CUgraphNode_st *its) { return is_node(graph, its); };
  if (!node || (count > 0 && !after) || !std::all_of(after, after + count, is_known))
    return cudaErrorInvalidValue;
  cudaStream_t handle;
  if (cudaError_t error = cudaStreamCreateWithFlags(&handle, cudaStreamNonBlocking))
    return error;
  const auto stream = find_stream(handle);
  const auto capture = std::make_shared<Capture>();
  capture->graph = &graph;
  stream->capture = capture;
  for (size_t i = 0; i < count; ++i)
    stream->frontier.push_back(after[i]->number);
  const size_t before = graph.nodes.size();
  const cudaError_t error = queue(handle);
  stream->capture = nullptr;
  cudaStreamDestroy(handle);
  if (error == cudaSuccess && graph.nodes.size() == before)
    return cudaErrorInvalidValue; // a copy of nothing
  if (error == cudaSuccess)
    *node = &graph.nodes.back();
  return error;
}

cudaError_t queue_fill(const cudaMemsetParams *p, cudaStream_t stream) {
  if (!p || (p->elementSize != 1 && p->elementSize != 2 && p->elementSize != 4))
    return cudaErrorInvalidValue;
  const unsigned byte = p->value & 0xFF, bits = 8 * p->elementSize;
  if (bits > 8 && p->value << (32 - bits) != byte * 0x01010101u << (32 - bits))
    return cudaErrorNotSupported; // elements whose bytes differ
  return cudaMemset2DAsync(p->dst, p->pitch, int(byte), p->width * p->elementSize, p->height,
                           stream);
}

cudaError_t queue_call(const cudaHostNodeParams *p, cudaStream_t stream) {
  return p ? cudaLaunchHostFunc(stream, p->fn, p->userData) : cudaErrorInvalidValue;
}

cudaError_t launch_node(const cudaKernelNodeParams &p, cudaStream_t stream, SourceLine line) {
  return launch_by_address(p.func, {p.gridDim, p.blockDim, p.sharedMemBytes, stream},
                           p.kernelParams, false, line);
}

cudaGraph_t new_graph() { return keep(std::make_unique<CUgraph_st>()); }

void discard(cudaGraph_t graph) { existing<CUgraph_st>().erase(graph); }

bool are_valid(const cudaGraphEdgeData *edges, size_t count) {
  return !edges || std::all_of(edges, edges + count, [](const cudaGraphEdgeData &edge) {
    const bool is_default = edge.type == cudaGraphDependencyTypeDefault;
    return edge.type <= cudaGraphDependencyTypeProgrammatic && edge.to_port == 0 &&
           edge.from_port <= cudaGraphKernelNodePortLaunchCompletion &&
           is_default == (edge.from_port == cudaGraphKernelNodePortDefault);
  });
}

bool exists(cudaGraph_t graph) { return existing<CUgraph_st>().count(graph) > 0; }

cudaError_t add_node(cudaGraph_t graph, cudaGraphNode_t *node, const cudaGraphNode_t *after,
                     size_t count, const std::function<cudaError_t(cudaStream_t)> &queue) {
  return with_graph(graph,
                    [&](CUgraph_st &g) { return record_node(g, node, after, count, queue); });
}

} // namespace course_cpu

using namespace course_cpu;

// ---- graphs made node by node ----

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned int flags) {
  return api_call([&] {
    GraphsLock lock(graphs_mutex);
    if (!graph || flags != 0)
      return cudaErrorInvalidValue;
    *graph = new_graph();
    return cudaSuccess;
  });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return with_graph(graph, [&](CUgraph_st &) {
    discard(graph);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count) {
  return with_graph(graph, [&](CUgraph_st &g) {
    if (!count)
      return cudaErrorInvalidValue;
    for (size_t i = 0; nodes && i < *count; ++i)
      nodes[i] = i < g.nodes.size() ? &g.nodes[i] : nullptr;
    *count = nodes ? std::min(*count, g.nodes.size()) : g.nodes.size();
    return cudaSuccess;
  });
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *after, size_t count,
                                   const cudaKernelNodeParams *parameters, SourceLine line) {
  return add_node(graph, node, after, count, [&](cudaStream_t stream) {
    return parameters ? launch_node(*parameters, stream, line) : cudaErrorInvalidValue;
  });
}

cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t graph) {
  return with_graph(graph, [&](const CUgraph_st &g) {
    *clone = keep(std::make_unique<CUgraph_st>(g));
    return cudaSuccess;
  });
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *after, size_t count,
                                   const cudaMemcpy3DParms *parameters) {
  return add_node(graph, node, after, count,
                  [&](cudaStream_t stream) { return cudaMemcpy3DAsync(parameters, stream); });
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *after, size_t count, void *to,
                                     const void *from, size_t bytes, cudaMemcpyKind kind) {
  return add_node(graph, node, after, count, [&](cudaStream_t stream) {
    return cudaMemcpyAsync(to, from, bytes, kind, stream);
  });
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *after, size_t count,
                                   const cudaMemsetParams *p) {
  return add_node(graph, node, after, count,
                  [&](cudaStream_t stream) { return queue_fill(p, stream); });
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                 const cudaGraphNode_t *after, size_t count,
                                 const cudaHostNodeParams *parameters) {
  return add_node(graph, node, after, count,
                  [&](cudaStream_t stream) { return queue_call(parameters, stream); });
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                        const cudaGraphNode_t *after, size_t count,
                                        cudaEvent_t event) {
  return add_node(graph, node, after, count, [&](cudaStream_t stream) {
    return cudaEventRecordWithFlags(event, stream, cudaEventRecordExternal);
  });
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                      const cudaGraphNode_t *after, size_t count,
                                      cudaEvent_t event) {
  return add_node(graph, node, after, count, [&](cudaStream_t stream) {
    return cudaStreamWaitEvent(stream, event, cudaEventWaitExternal);
  });
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *after, size_t count,
                                     cudaMemAllocNodeParams *p) {
  return add_node(graph, node, after, count, [&](cudaStream_t stream) {
    return p ? cudaMallocAsync(&p->dptr, p->bytesize, stream) : cudaErrorInvalidValue;
  });
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                    const cudaGraphNode_t *after, size_t count, void *pointer) {
  return add_node(graph, node, after, count,
                  [&](cudaStream_t stream) { return cudaFreeAsync(pointer, stream); });
}

// The child's nodes become nodes of the graph; the last one, which waits for all of them, stands
// for the child.
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                       const cudaGraphNode_t *after, size_t count,
                                       cudaGraph_t child) {
  return with_graph(child, [&](const CUgraph_st &its) {
    if (child == graph || !its.memory.empty() || !its.frees.empty())
      return child == graph ? cudaErrorInvalidValue : cudaErrorNotSupported;
    cudaGraphNode_t first;
    if (cudaError_t error = cudaGraphAddEmptyNode(&first, graph, after, count))
      return error;
    return with_graph(graph, [&](CUgraph_st &g) {
      g.conditions.insert(g.conditions.end(), its.conditions.begin(), its.conditions.end());
      const size_t before = g.nodes.size(); // of the copies
      std::vector<cudaGraphNode_t> nodes{first};
      for (const CUgraphNode_st &copied : its.nodes) {
        CUgraphNode_st added = copied;
        added.number += before;
        for (size_t &earlier : added.after)
          earlier += before;
        if (added.after.empty())
          added.after = {first->number};
        g.nodes.push_back(std::move(added));
        nodes.push_back(&g.nodes.back());
      }
      const cudaError_t error = cudaGraphAddEmptyNode(node, graph, nodes.data(), nodes.size());
      if (error == cudaSuccess)
        (*node)->type = cudaGraphNodeTypeGraph;
      return error;
    });
  });
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                  const cudaGraphNode_t *after, size_t count) {
  return add_node(graph, node, after, count, [](cudaStream_t stream) {
    enqueue(find_stream(stream), cudaGraphNodeTypeEmpty, [] {});
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType *type) {
  return api_call([&] {
    if (!node || !type)
      return cudaErrorInvalidValue;
    *type = node->type;
    return cudaSuccess;
  });
}

// ---- dependencies of nodes that are there ----

namespace {

// Calls change(what `to` comes after, number of `from`) for each edge; false: it cannot be.
template <class Change>
cudaError_t change_edges(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                         const cudaGraphEdgeData *edges, size_t count, const Change &change) {
  return with_graph(graph, [&](CUgraph_st &g) {
    if (!are_valid(edges, count) || (count > 0 && (!from || !to)))
      return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; ++i)
      if (from[i] == to[i] || !is_node(g, from[i]) || !is_node(g, to[i]) ||
          !change(to[i]->after, from[i]->number))
        return cudaErrorInvalidValue;
    return cudaSuccess;
  });
}

} // namespace

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to, const cudaGraphEdgeData *edges,
                                     size_t count) {
  return change_edges(graph, from, to, edges, count, [](auto &after, size_t number) {
    const bool is_new = std::find(after.begin(), after.end(), number) == after.end();
    if (is_new)
      after.push_back(number);
    return is_new;
  });
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                        const cudaGraphNode_t *to, const cudaGraphEdgeData *edges,
                                        size_t count) {
  return change_edges(graph, from, to, edges, count, [](auto &after, size_t number) {
    const auto found = std::find(after.begin(), after.end(), number);
    if (found == after.end())
      return false;
    after.erase(found);
    return true;
  });
}
