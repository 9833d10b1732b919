// Graphs: work that streams have captured, launched as often as one likes. A launch queues each
// node on a stream of its own chain, after what it depends on.
#include "capture.h"
#include "course_cpu/api.h"
#include "course_cpu/graphs.h"

#include <algorithm>
#include <unordered_map>

struct CUgraphExec_st {
  struct Step {
    course_cpu::Node node;
    size_t lane;
  };
  std::vector<Step> steps; // by the numbers of their nodes
  // Lane 0 is the stream of the launch. The others are streams of the graph's own.
  std::vector<std::shared_ptr<course_cpu::Stream>> lanes{nullptr};
  course_cpu::Mark last; // the end of the latest launch

  ~CUgraphExec_st() { // launched work goes on: the end of each launch waits for all lanes
    for (size_t lane = 1; lane < lanes.size(); ++lane)
      lanes[lane]->destroyed = true;
  }
};

namespace course_cpu {
namespace {

auto &executables() { // by their handles
  static auto &all = *new std::unordered_map<cudaGraphExec_t, std::unique_ptr<CUgraphExec_st>>;
  return all;
}

// Runs an API call that names a graph.
template <class Body> cudaError_t with_graph(cudaGraph_t graph, const Body &body) {
  return api_call([&] {
    GraphsLock lock(graphs_mutex);
    const std::vector<Node> *const nodes = nodes_of(graph);
    return nodes ? body(*nodes) : cudaErrorInvalidValue;
  });
}

// Runs an API call that names a graph that can be launched.
template <class Body> cudaError_t with_executable(cudaGraphExec_t exec, const Body &body) {
  return api_call([&] {
    GraphsLock lock(graphs_mutex);
    return executables().count(exec) ? body(*exec) : cudaErrorInvalidValue;
  });
}

// The steps of a graph. A node goes on in the lane of a node before it where that is its lane's
// last, so a chain stays in one stream.
std::unique_ptr<CUgraphExec_st> steps_of(const std::vector<Node> &nodes) {
  auto exec = std::make_unique<CUgraphExec_st>();
  std::vector<size_t> last_of_lane;
  for (size_t number = 0; number < nodes.size(); ++number) {
    const std::vector<size_t> &after = nodes[number].after;
    const auto goes_on = [&](size_t last) {
      return std::find(after.begin(), after.end(), last) != after.end();
    };
    size_t lane = 0;
    while (lane < last_of_lane.size() && !goes_on(last_of_lane[lane]))
      ++lane;
    if (lane == last_of_lane.size())
      last_of_lane.push_back(number);
    last_of_lane[lane] = number;
    exec->steps.push_back({nodes[number], lane});
  }
  while (exec->lanes.size() < last_of_lane.size())
    exec->lanes.push_back(add_stream(current_device(), cudaStreamNonBlocking));
  return exec;
}

void queue_steps(CUgraphExec_st &exec, const std::shared_ptr<Stream> &stream) {
  const Mark begin = enqueue(stream, [] {}, OnError::run, {exec.last}); // one launch at a time
  std::vector<Mark> marks, ends(exec.lanes.size());
  for (const auto &[node, lane] : exec.steps) {
    std::vector<Mark> after{begin};
    for (size_t earlier : node.after)
      after.push_back(marks[earlier]);
    marks.push_back(node.queue(lane ? exec.lanes[lane] : stream, after));
    ends[lane] = marks.back();
  }
  exec.last = enqueue(
      stream, [] {}, OnError::run, ends);
}

} // namespace
} // namespace course_cpu

using namespace course_cpu;

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return with_graph(graph, [&](auto &) {
    take_away(graph);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
                                 unsigned long long flags) {
  return with_graph(graph, [&](const std::vector<Node> &nodes) {
    if (!exec || (flags & ~cudaGraphInstantiateFlagUseNodePriority))
      return cudaErrorInvalidValue;
    auto steps = steps_of(nodes);
    *exec = steps.get();
    executables()[*exec] = std::move(steps);
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
  return with_executable(exec, [](auto &) { return cudaSuccess; });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t handle) {
  return with_executable(exec, [&](CUgraphExec_st &e) {
    auto stream = find_stream(handle);
    if (!stream)
      return cudaErrorInvalidResourceHandle;
    if (cudaError_t error = capture_forbids(*stream, Use::waits)) // a graph within a graph
      return error;
    queue_steps(e, stream);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo *result) {
  return with_executable(exec, [&](CUgraphExec_st &e) {
    return with_graph(graph, [&](const std::vector<Node> &nodes) {
      const auto same = [&](const auto member) {
        return std::equal(
            e.steps.begin(), e.steps.end(), nodes.begin(), nodes.end(),
            [&](const auto &step, const Node &node) { return step.node.*member == node.*member; });
      };
      const cudaGraphExecUpdateResult found =
          !same(&Node::after)  ? cudaGraphExecUpdateErrorTopologyChanged
          : !same(&Node::type) ? cudaGraphExecUpdateErrorNodeTypeChanged
                               : cudaGraphExecUpdateSuccess;
      if (result)
        *result = {found, nullptr, nullptr};
      if (found != cudaGraphExecUpdateSuccess)
        return cudaErrorGraphExecUpdateFailure;
      for (size_t number = 0; number < nodes.size(); ++number)
        e.steps[number].node.queue = nodes[number].queue;
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

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  return with_executable(exec, [&](auto &) {
    executables().erase(exec);
    return cudaSuccess;
  });
}
