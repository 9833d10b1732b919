// Shared by captures, graphs and their launches.
#pragma once

#include "capture.h"

#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <thread>
#include <unordered_map>

struct CUgraphNode_st {
  size_t number; // in its graph
  cudaGraphNodeType type;
  course_cpu::NodeQueue queue;
  std::vector<size_t> after; // numbers of nodes
};

namespace course_cpu {

struct Condition { // of a node; its address is a handle
  const unsigned initial;
  const bool is_reset; // at each launch
  std::atomic<unsigned> value{initial};

  Condition(unsigned initial, bool is_reset) : initial(initial), is_reset(is_reset) {}
};

} // namespace course_cpu

struct CUgraph_st {
  std::deque<CUgraphNode_st> nodes; // their addresses are handles
  std::vector<std::shared_ptr<course_cpu::Condition>> conditions;
  // Allocated in the graph, and not freed there so far. Its nodes share it.
  std::map<void *, std::shared_ptr<char>> memory;
  std::vector<void *> ended; // that it has allocated and freed
  size_t ended_bytes = 0;
  std::vector<void *> frees; // memory that other graphs left allocated
};

namespace course_cpu {

struct Capture {
  CUgraph_st *graph;
  bool is_new = true; // the graph; else one that the program has made
  size_t first = 0;   // number of a node that is recorded
  cudaStreamCaptureMode mode;
  std::thread::id thread;                       // that began it
  std::vector<std::shared_ptr<Stream>> streams; // the first is the one where it began
  bool valid = true;
};

extern std::recursive_mutex graphs_mutex; // of all graphs and captures
using GraphsLock = std::lock_guard<std::recursive_mutex>;

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

// A graph that exists from now on until it is discarded; whether one exists.
cudaGraph_t new_graph();
void discard(cudaGraph_t graph);
bool exists(cudaGraph_t graph);

// Records what `queue` queues on the stream that it is given as one node of a graph.
cudaError_t add_node(cudaGraph_t graph, cudaGraphNode_t *node, const cudaGraphNode_t *after,
                     size_t count, const std::function<cudaError_t(cudaStream_t)> &queue);

// The same, of a graph that need not be one of the program's.
cudaError_t record_node(CUgraph_st &graph, CUgraphNode_st **node, CUgraphNode_st *const *after,
                        size_t count, const std::function<cudaError_t(cudaStream_t)> &queue);

// Queue the work of a node.
cudaError_t queue_fill(const cudaMemsetParams *p, cudaStream_t stream);
cudaError_t queue_call(const cudaHostNodeParams *p, cudaStream_t stream);
cudaError_t launch_node(const cudaKernelNodeParams &p, cudaStream_t stream, SourceLine line);

// True if a graph may have these edges; there may be none.
bool are_valid(const cudaGraphEdgeData *edges, size_t count);

// Runs the graph, as it is now, to its end each time that it is called: in an operation of a
// stream, before its work.
std::function<void()> body_of(const CUgraph_st &graph);

} // namespace course_cpu
