// Captures: a captured stream records its work in a graph, and joins other streams to it by events.
#include "capture.h"
#include "course_cpu/api.h"
#include "course_cpu/graphs.h"
#include "graph.h"
#include "runtime.h"

#include <algorithm>
#include <atomic>

namespace course_cpu {
namespace {

std::vector<std::shared_ptr<Capture>> &captures() {
  static auto &all = *new std::vector<std::shared_ptr<Capture>>;
  return all;
}
std::atomic<size_t> capturing{0}; // captures().size()

cudaError_t refuse(Capture &capture, cudaError_t error) {
  capture.valid = false;
  return error;
}

void append(std::vector<size_t> &nodes, const std::vector<size_t> &more) {
  nodes.insert(nodes.end(), more.begin(), more.end());
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
}

// True if everything that the capture's streams recorded comes before the first stream's end.
bool joined(const Capture &capture) {
  std::vector<bool> before(capture.graph->nodes.size());
  for (size_t node : capture.streams.front()->frontier)
    before[node] = true;
  for (size_t node = before.size(); node-- > 0;)
    if (before[node])
      for (size_t earlier : capture.graph->nodes[node].after)
        before[earlier] = true;
  return std::all_of(before.begin() + capture.first, before.end(), [](bool is) { return is; });
}

void end(const std::shared_ptr<Capture> &capture) {
  for (const auto &stream : capture->streams) {
    stream->capture = nullptr;
    stream->frontier.clear();
  }
  captures().erase(std::find(captures().begin(), captures().end(), capture));
  capturing = captures().size();
}

} // namespace

void record(Stream &stream, cudaGraphNodeType type, NodeQueue queue) {
  GraphsLock lock(graphs_mutex);
  auto &nodes = stream.capture->graph->nodes;
  nodes.push_back({nodes.size(), type, std::move(queue), std::move(stream.frontier)});
  stream.frontier = {nodes.back().number};
}

void abandon_capture(Stream &stream) {
  GraphsLock lock(graphs_mutex);
  const auto capture = stream.capture;
  if (!capture)
    return;
  if (&stream == capture->streams.front().get()) {
    end(capture);
    if (capture->is_new)
      discard(capture->graph);
    return;
  }
  stream.capture = nullptr; // its nodes stay
  auto &streams = capture->streams;
  streams.erase(std::find_if(streams.begin(), streams.end(),
                             [&](const auto &its) { return its.get() == &stream; }));
}

cudaError_t capture_forbids(const Stream &stream, Use use) {
  if (capturing == 0)
    return cudaSuccess;
  GraphsLock lock(graphs_mutex);
  if (use == Use::allocates) {
    for (const auto &capture : captures())
      if (capture->mode == cudaStreamCaptureModeGlobal ||
          (capture->mode == cudaStreamCaptureModeThreadLocal &&
           capture->thread == std::this_thread::get_id()))
        return refuse(*capture, cudaErrorStreamCaptureUnsupported);
    return cudaSuccess;
  }
  if (const auto &capture = stream.capture) {
    if (!capture->valid)
      return cudaErrorStreamCaptureInvalidated;
    return use == Use::queues ? cudaSuccess : refuse(*capture, cudaErrorStreamCaptureUnsupported);
  }
  if (&stream == stream.device.default_stream.get())
    for (const auto &capture : captures())
      for (const auto &captured : capture->streams)
        if (&captured->device == &stream.device && captured->blocking())
          return refuse(*capture, cudaErrorStreamCaptureImplicit);
  return cudaSuccess;
}

CapturedPoint captured_point(const Stream &stream) { return {stream.capture, stream.frontier}; }

bool in_progress(const CapturedPoint &point) {
  GraphsLock lock(graphs_mutex);
  return point.capture && std::count(captures().begin(), captures().end(), point.capture) > 0;
}

cudaError_t refuse(const CapturedPoint &point, cudaError_t error) {
  GraphsLock lock(graphs_mutex);
  return refuse(*point.capture, error);
}

cudaError_t wait_in_capture(const std::shared_ptr<Stream> &stream, const CapturedPoint &point) {
  GraphsLock lock(graphs_mutex);
  if (!in_progress(point)) {
    if (point.capture)
      return stream->capture ? refuse(*stream->capture, cudaErrorCapturedEvent)
                             : cudaErrorCapturedEvent;
    return refuse(*stream->capture, cudaErrorStreamCaptureIsolation);
  }
  if (!stream->capture) {
    if (stream == stream->device.default_stream)
      return refuse(*point.capture, cudaErrorStreamCaptureImplicit);
    stream->capture = point.capture;
    point.capture->streams.push_back(stream);
  } else if (stream->capture != point.capture) {
    refuse(*stream->capture, cudaSuccess);
    return refuse(*point.capture, cudaErrorStreamCaptureMerge);
  }
  append(stream->frontier, point.nodes);
  return cudaSuccess;
}

} // namespace course_cpu

using namespace course_cpu;

namespace {

// `graph`: where the nodes come; nullptr for a new graph.
cudaError_t begin(cudaStream_t handle, cudaGraph_t graph, const cudaGraphNode_t *after,
                  size_t count, cudaStreamCaptureMode mode) {
  return api_call([&] {
    GraphsLock lock(graphs_mutex);
    auto stream = find_stream(handle);
    if (!stream)
      return cudaErrorInvalidResourceHandle;
    if (stream == stream->device.default_stream)
      return cudaErrorStreamCaptureUnsupported;
    if (stream->capture)
      return refuse(*stream->capture, cudaErrorIllegalState);
    auto capture = std::make_shared<Capture>();
    capture->is_new = !graph;
    capture->graph = graph ? graph : new_graph();
    capture->first = capture->graph->nodes.size();
    capture->mode = mode;
    capture->thread = std::this_thread::get_id();
    capture->streams = {stream};
    stream->capture = capture;
    for (size_t i = 0; i < count; ++i)
      stream->frontier.push_back(after[i]->number);
    captures().push_back(capture);
    capturing = captures().size();
    return cudaSuccess;
  });
}

} // namespace

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  return begin(stream, nullptr, nullptr, 0, mode);
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                          const cudaGraphNode_t *after, const cudaGraphEdgeData *,
                                          size_t count, cudaStreamCaptureMode mode) {
  if (!exists(graph) || (count > 0 && !after))
    return api_call([] { return cudaErrorInvalidValue; });
  return begin(stream, graph, after, count, mode);
}

cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t *graph) {
  return api_call([&] {
    GraphsLock lock(graphs_mutex);
    auto stream = find_stream(handle);
    if (!stream)
      return cudaErrorInvalidResourceHandle;
    const auto capture = stream->capture;
    if (graph)
      *graph = nullptr;
    else if (!capture || capture->is_new)
      return cudaErrorInvalidValue;
    if (!capture)
      return cudaErrorIllegalState;
    if (stream != capture->streams.front())
      return refuse(*capture, cudaErrorStreamCaptureUnmatched);
    if (capture->mode != cudaStreamCaptureModeRelaxed &&
        capture->thread != std::this_thread::get_id())
      return cudaErrorStreamCaptureWrongThread;
    const cudaError_t error = !capture->valid     ? cudaErrorStreamCaptureInvalidated
                              : !joined(*capture) ? cudaErrorStreamCaptureUnjoined
                                                  : cudaSuccess;
    const cudaGraph_t captured = capture->graph;
    const bool is_lost = error != cudaSuccess && capture->is_new;
    end(capture);
    if (is_lost)
      discard(captured);
    else if (error == cudaSuccess && graph)
      *graph = captured;
    return error;
  });
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t handle, cudaStreamCaptureStatus *status,
                                     unsigned long long *id, cudaGraph_t *graph,
                                     const cudaGraphNode_t **after, const cudaGraphEdgeData **edges,
                                     size_t *count) {
  const cudaError_t error = cudaStreamIsCapturing(handle, status);
  if (error != cudaSuccess || *status != cudaStreamCaptureStatusActive)
    return error;
  GraphsLock lock(graphs_mutex);
  auto &nodes = of_this_thread<std::vector<cudaGraphNode_t>>(); // of the latest call
  nodes.clear();
  const auto stream = find_stream(handle);
  CUgraph_st &its = *stream->capture->graph;
  for (const size_t node : stream->frontier)
    nodes.push_back(&its.nodes[node]);
  if (id)
    *id = reinterpret_cast<std::uintptr_t>(stream->capture.get());
  if (graph)
    *graph = &its;
  if (after)
    *after = nodes.data();
  if (edges)
    *edges = nullptr;
  if (count)
    *count = nodes.size();
  return cudaSuccess;
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t handle, cudaGraphNode_t *after,
                                                const cudaGraphEdgeData *, size_t count,
                                                unsigned int flags) {
  return api_call([&] {
    GraphsLock lock(graphs_mutex);
    const auto stream = find_stream(handle);
    if (!stream || !stream->capture)
      return stream ? cudaErrorIllegalState : cudaErrorInvalidResourceHandle;
    if (flags == cudaStreamSetCaptureDependencies)
      stream->frontier.clear();
    std::vector<size_t> more;
    for (size_t i = 0; i < count; ++i)
      more.push_back(after[i]->number);
    append(stream->frontier, more);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t handle, cudaStreamCaptureStatus *status) {
  return api_call([&] {
    GraphsLock lock(graphs_mutex);
    auto stream = find_stream(handle);
    if (!stream || !status)
      return stream ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle;
    *status = !stream->capture         ? cudaStreamCaptureStatusNone
              : stream->capture->valid ? cudaStreamCaptureStatusActive
                                       : cudaStreamCaptureStatusInvalidated;
    return cudaSuccess;
  });
}
