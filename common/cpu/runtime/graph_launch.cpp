// Graphs that can be launched, as often as one likes: a launch queues each node on a stream of its
// own chain, after what it depends on.
#include "allocations.h"
#include "capture.h"
#include "course_cpu/api.h"
#include "course_cpu/graphs.h"
#include "graph.h"

#include <algorithm>

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

namespace {

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

// Launched work goes on: the end of each launch, in its stream, waits for all lanes.
void leave_lanes(CUgraphExec_st &exec) {
  for (size_t lane = 1; lane < exec.lanes.size(); ++lane)
    exec.lanes[lane]->destroyed = true;
}

// Memory that a launch leaves allocated must be free when it begins, and memory that it frees must
// not be.
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

// Bytes that launches have allocated and that are not freed, and those of launches that have not
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

} // namespace

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
