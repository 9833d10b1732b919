// What captures and graphs share.
#pragma once

#include "capture.h"

#include <deque>
#include <map>
#include <thread>

struct CUgraphNode_st {
  size_t number; // in its graph
  course_cpu::NodeQueue queue;
  const std::type_info *kind; // see capture.h
  std::vector<size_t> after;  // numbers of nodes; all are smaller
};

struct CUgraph_st {
  std::deque<CUgraphNode_st> nodes; // their addresses are handles
  // Allocated in the graph, and not freed there so far. Its nodes share it.
  std::map<void *, std::shared_ptr<char>> memory;
  std::vector<void *> ended; // that it has allocated and freed
  std::vector<void *> frees; // what other graphs left allocated
};

namespace course_cpu {

struct Capture {
  std::unique_ptr<CUgraph_st> graph = std::make_unique<CUgraph_st>();
  cudaStreamCaptureMode mode;
  std::thread::id thread;                       // that began it
  std::vector<std::shared_ptr<Stream>> streams; // the first is the one where it began
  bool valid = true;
};

extern std::recursive_mutex graphs_mutex; // of all graphs and captures
using GraphsLock = std::lock_guard<std::recursive_mutex>;

// The handle of a graph that exists from now on.
cudaGraph_t adopt(std::unique_ptr<CUgraph_st> graph);

} // namespace course_cpu
