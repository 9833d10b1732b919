// Graphs: work that is recorded once, from captured streams or node by node, and launched as often
// as one likes. A node is an operation as a stream would have queued it; a launch queues each on a
// stream of its own chain, after what it depends on.
#include "graph.h"
#include "allocations.h"
#include "capture.h"
#include "course_cpu/api.h"
#include "course_cpu/graphs.h"
#include "course_cpu/launch.h"

#include <algorithm>
#include <unordered_map>

struct CUgraphExec_st {
  struct Step {
    CUgraphNode_st node;
    size_t lane;
  };
  std::vector<Step> steps;   // by the numbers of their nodes
  std::vector<size_t> order; // of these numbers: each after those that it depends on
  // Lane 0 is the stream of the launch. The others are streams of the graph's own.
  std::vector<std::shared_ptr<course_cpu::Stream>> lanes{nullptr};
  course_cpu::Mark last; // the end of the latest launch
  // Memory that a launch leaves allocated, and what it frees of other graphs' memory.
  std::vector<std::shared_ptr<char>> left;
  std::vector<void *> frees;
  bool frees_left = false; // at the next launch
  size_t ended_bytes = 0;  // that a launch allocates and frees
  std::vector<std::shared_ptr<course_cpu::Condition>> conditions;
};

namespace course_cpu {

std::recursive_mutex graphs_mutex;

namespace {

// The graphs of a kind that exist, by their handles.
template <class Graph> auto &existing() {
  static auto &all = *new std::unordered_map<Graph *, std::unique_ptr<Graph>>;
  return all;
}

template <class Graph> Graph *keep(std::unique_ptr<Graph> graph) {
  Graph *handle = graph.get();
  existing<Graph>()[handle] = std::move(graph);
  return handle;
}

// Runs an API call that names a graph.
template <class Graph, class Body> cudaError_t with_graph(Graph *handle, const Body &body) {
  return api_call([&]() -> cudaError_t {
    GraphsLock lock(graphs_mutex);
    return existing<Graph>().count(handle) ? body(*handle) : cudaErrorInvalidValue;
  });
}

// The numbers of a graph's nodes, each after those that it depends on. Those that wait for each
// other are left out.
std::vector<size_t> in_order(const CUgraph_st &graph) {
  std::vector<size_t> order;
  std::vector<bool> placed(graph.nodes.size());
  for (bool again = true; again;) {
    again = false;
    for (const auto &node : graph.nodes)
      if (!placed[node.number] && std::all_of(node.after.begin(), node.after.end(),
                                              [&](size_t earlier) { return placed[earlier]; })) {
        order.push_back(node.number);
        placed[node.number] = again = true;
      }
  }
  return order;
}

// The steps of a graph. A node goes on in the lane of a node before it where that is its lane's
// last, so a chain stays in one stream.
std::unique_ptr<CUgraphExec_st> steps_of(const CUgraph_st &graph) {
  auto exec = std::make_unique<CUgraphExec_st>();
  std::vector<size_t> last_of_lane;
  exec->order = in_order(graph);
  for (const auto &node : graph.nodes)
    exec->steps.push_back({node, 0});
  for (const size_t number : exec->order) {
    auto &[node, lane] = exec->steps[number];
    const auto goes_on = [&after = node.after](size_t last) {
      return std::find(after.begin(), after.end(), last) != after.end();
    };
    while (lane < last_of_lane.size() && !goes_on(last_of_lane[lane]))
      ++lane;
    if (lane == last_of_lane.size())
      last_of_lane.push_back(number);
    last_of_lane[lane] = number;
  }
  while (exec->lanes.size() < last_of_lane.size())
    exec->lanes.push_back(add_stream(current_device(), cudaStreamNonBlocking, 0));
  for (const auto &[base, memory] : graph.memory)
    exec->left.push_back(memory);
  exec->frees = graph.frees;
  exec->ended_bytes = graph.ended_bytes;
  exec->conditions = graph.conditions;
  return exec;
}

// Queues the steps; the point after them, in the stream.
Mark queue_steps(CUgraphExec_st &exec, const std::shared_ptr<Stream> &stream) {
  const auto reset = [conditions = exec.conditions] {
    for (const auto &condition : conditions)
      if (condition->is_reset)
        condition->value = condition->initial;
  };
  const Mark begin = enqueue(stream, reset, OnError::run, {exec.last}); // one launch at a time
  std::vector<Mark> marks(exec.steps.size()), ends(exec.lanes.size());
  for (const size_t number : exec.order) {
    const auto &[node, lane] = exec.steps[number];
    std::vector<Mark> after{begin};
    for (size_t earlier : node.after)
      after.push_back(marks[earlier]);
    ends[lane] = marks[number] = node.queue(lane ? exec.lanes[lane] : stream, after);
  }
  exec.last = enqueue(
      stream, [] {}, OnError::run, ends);
  return exec.last;
}

// What was launched goes on: the end of each launch, in its stream, waits for all lanes.
void leave_lanes(CUgraphExec_st &exec) {
  for (size_t lane = 1; lane < exec.lanes.size(); ++lane)
    exec.lanes[lane]->destroyed = true;
}

// What a launch leaves allocated must be free when it begins, and what it frees must not be.
cudaError_t account_for_memory(const CUgraphExec_st &exec) {
  std::lock_guard<std::mutex> lock(allocations_mutex);
  const auto is = [](void *base, bool freed) {
    const auto entry = allocations().find(static_cast<char *>(base));
    return entry != allocations().end() && entry->second.freed == freed;
  };
  for (void *base : exec.frees)
    if (!is(base, false))
      return cudaErrorInvalidValue;
  for (const auto &memory : exec.left)
    if (!is(memory.get(), true) && !exec.frees_left)
      return cudaErrorInvalidValue;
  for (void *base : exec.frees)
    allocations()[static_cast<char *>(base)].freed = true;
  for (const auto &memory : exec.left)
    allocations()[memory.get()].freed = false;
  return cudaSuccess;
}

// Bytes that launches have allocated and nobody has freed, and those of launches that have not
// ended; but launches in one stream take turns: not those in `stream`.
size_t bytes_in_use(const Device &device, const Stream *stream) {
  size_t bytes = 0;
  for (const auto &[handle, exec] : existing<CUgraphExec_st>()) {
    const Stream *const its = exec->last.stream.get();
    if (its && its != stream && &its->device == &device && !reached(exec->last))
      bytes += exec->ended_bytes;
  }
  std::lock_guard<std::mutex> lock(allocations_mutex);
  for (const auto &[base, a] : allocations())
    if (a.of_graph && a.device == device.index && !a.freed)
      bytes += a.size;
  return bytes;
}

// A launch takes what it needs and is not there; it is kept until somebody trims it.
void take_memory(const CUgraphExec_st &exec, const Stream &stream) {
  const size_t needed = exec.ended_bytes + bytes_in_use(stream.device, &stream);
  std::lock_guard<std::mutex> lock(allocations_mutex);
  GraphMemory &memory = stream.device.graph_memory;
  memory.now = std::max(memory.now, needed);
  memory.used_high = std::max(memory.used_high, memory.now);
  memory.reserved_high = std::max(memory.reserved_high, memory.now);
}

bool is_node(const CUgraph_st &graph, const CUgraphNode_st *its) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(),
                     [its](const auto &known) { return &known == its; });
}

// Records what `queue` queues on the stream that it is given as one node of a graph.
template <class Queue>
cudaError_t record_node(CUgraph_st &graph, CUgraphNode_st **node, CUgraphNode_st *const *after,
                        size_t count, const Queue &queue) {
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

// Gives a node of a graph that can be launched what `queue` queues.
template <class Queue>
cudaError_t change_node(cudaGraphExec_t exec, cudaGraphNode_t node, const Queue &queue) {
  return with_graph(exec, [&](CUgraphExec_st &e) {
    if (!node || node->number >= e.steps.size())
      return cudaErrorInvalidValue;
    CUgraph_st changed;
    CUgraphNode_st *added = nullptr;
    const cudaError_t error = record_node(changed, &added, nullptr, 0, queue);
    if (error != cudaSuccess)
      return error;
    CUgraphNode_st &changing = e.steps[node->number].node;
    if (changing.type != added->type)
      return cudaErrorInvalidValue;
    changing.queue = added->queue;
    return cudaSuccess;
  });
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

} // namespace

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

std::function<void()> body_of(const CUgraph_st &graph) {
  struct Body {
    std::unique_ptr<CUgraphExec_st> exec;
    std::shared_ptr<Stream> stream;
    ~Body() {
      leave_lanes(*exec);
      stream->destroyed = true;
    }
  };
  const auto body = std::make_shared<Body>();
  body->exec = steps_of(graph);
  body->stream = add_stream(current_device(), cudaStreamNonBlocking, 0);
  return [body] { advance(queue_steps(*body->exec, body->stream)); };
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

// ---- graphs that can be launched ----

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
                                 unsigned long long flags) {
  constexpr unsigned long long known = cudaGraphInstantiateFlagAutoFreeOnLaunch |
                                       cudaGraphInstantiateFlagDeviceLaunch |
                                       cudaGraphInstantiateFlagUseNodePriority;
  return with_graph(graph, [&](CUgraph_st &g) {
    if (!exec || (flags & ~known))
      return cudaErrorInvalidValue;
    if (flags & cudaGraphInstantiateFlagDeviceLaunch) // by a kernel
      return cudaErrorNotSupported;
    auto steps = steps_of(g);
    if (steps->order.size() < steps->steps.size()) // nodes wait for each other
      return cudaErrorInvalidValue;
    *exec = keep(std::move(steps));
    (*exec)->frees_left = flags & cudaGraphInstantiateFlagAutoFreeOnLaunch;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, cudaGraphNode_t *failed,
                                 char *log, size_t log_bytes) {
  if (failed)
    *failed = nullptr;
  if (log && log_bytes > 0)
    *log = '\0';
  return cudaGraphInstantiate(exec, graph, 0);
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph,
                                          unsigned long long flags) {
  return cudaGraphInstantiate(exec, graph, flags);
}

cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t) {
  return with_graph(exec, [](CUgraphExec_st &) { return cudaSuccess; });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t handle) {
  return with_graph(exec, [&](CUgraphExec_st &e) {
    auto stream = find_stream(handle);
    if (!stream)
      return cudaErrorInvalidResourceHandle;
    if (cudaError_t error = capture_forbids(*stream, Use::waits)) // a graph within a graph
      return error;
    if (cudaError_t error = account_for_memory(e))
      return error;
    take_memory(e, *stream);
    queue_steps(e, stream);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo *result) {
  return with_graph(exec, [&](CUgraphExec_st &e) {
    return with_graph(graph, [&](CUgraph_st &g) {
      const auto same = [&](const auto &of) {
        return std::equal(
            e.steps.begin(), e.steps.end(), g.nodes.begin(), g.nodes.end(),
            [&](const auto &step, const auto &node) { return of(step.node) == of(node); });
      };
      const cudaGraphExecUpdateResult found =
          !same([](const auto &node) -> auto & { return node.after; })
              ? cudaGraphExecUpdateErrorTopologyChanged
          : !same([](const auto &node) -> auto & { return node.type; })
              ? cudaGraphExecUpdateErrorNodeTypeChanged
              : cudaGraphExecUpdateSuccess;
      if (result)
        *result = {found, nullptr, nullptr};
      if (found != cudaGraphExecUpdateSuccess)
        return cudaErrorGraphExecUpdateFailure;
      for (const auto &node : g.nodes)
        e.steps[node.number].node.queue = node.queue;
      return cudaSuccess;
    });
  });
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t *failed,
                                cudaGraphExecUpdateResult *result) {
  cudaGraphExecUpdateResultInfo info{};
  const cudaError_t error = cudaGraphExecUpdate(exec, graph, &info);
  if (failed)
    *failed = info.errorNode;
  if (result)
    *result = info.result;
  return error;
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaKernelNodeParams *parameters,
                                             SourceLine line) {
  return change_node(exec, node, [&](cudaStream_t stream) {
    return parameters ? launch_node(*parameters, stream, line) : cudaErrorInvalidValue;
  });
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void *to,
                                               const void *from, size_t bytes,
                                               cudaMemcpyKind kind) {
  return change_node(exec, node, [&](cudaStream_t stream) {
    return cudaMemcpyAsync(to, from, bytes, kind, stream);
  });
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemsetParams *parameters) {
  return change_node(exec, node,
                     [&](cudaStream_t stream) { return queue_fill(parameters, stream); });
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           const cudaHostNodeParams *parameters) {
  return change_node(exec, node,
                     [&](cudaStream_t stream) { return queue_call(parameters, stream); });
}

cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 cudaEvent_t event) {
  return change_node(exec, node, [&](cudaStream_t stream) {
    return cudaEventRecordWithFlags(event, stream, cudaEventRecordExternal);
  });
}

cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                               cudaEvent_t event) {
  return change_node(exec, node, [&](cudaStream_t stream) {
    return cudaStreamWaitEvent(stream, event, cudaEventWaitExternal);
  });
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  return with_graph(exec, [&](CUgraphExec_st &e) {
    leave_lanes(e);
    existing<CUgraphExec_st>().erase(exec);
    return cudaSuccess;
  });
}

// ---- memory that launches have taken: used is what is reserved, as on an H100 ----

cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute,
                                           void *value) {
  return with_device(device, [&](Device &d) {
    if (!value || attribute < 0 || attribute > cudaGraphMemAttrReservedMemHigh)
      return cudaErrorInvalidValue;
    std::lock_guard<std::mutex> lock(allocations_mutex);
    const GraphMemory &memory = d.graph_memory;
    *static_cast<unsigned long long *>(value) =
        attribute == cudaGraphMemAttrUsedMemHigh       ? memory.used_high
        : attribute == cudaGraphMemAttrReservedMemHigh ? memory.reserved_high
                                                       : memory.now;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute,
                                           void *value) {
  return with_device(device, [&](Device &d) {
    const bool used = attribute == cudaGraphMemAttrUsedMemHigh;
    if (!value || *static_cast<unsigned long long *>(value) != 0 ||
        (!used && attribute != cudaGraphMemAttrReservedMemHigh))
      return cudaErrorInvalidValue;
    std::lock_guard<std::mutex> lock(allocations_mutex);
    GraphMemory &memory = d.graph_memory;
    (used ? memory.used_high : memory.reserved_high) = memory.now;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGraphMemTrim(int device) {
  return with_device(device, [&](Device &d) {
    GraphsLock lock(graphs_mutex);
    const size_t in_use = bytes_in_use(d, nullptr);
    std::lock_guard<std::mutex> table(allocations_mutex);
    d.graph_memory.now = std::min(d.graph_memory.now, in_use);
    return cudaSuccess;
  });
}
