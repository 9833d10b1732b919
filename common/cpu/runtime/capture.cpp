// Captures: a captured stream records its work in a graph, and joins other streams to it by events.
#include "capture.h"
#include "course_cpu/api.h"
#include "course_cpu/execution.h"
#include "course_cpu/graphs.h"

#include <algorithm>
#include <atomic>
#include <unordered_map>

struct CUgraph_st {
  std::vector<course_cpu::Node> nodes;
};

namespace course_cpu {

struct Capture {
  std::vector<Node> nodes;
  cudaStreamCaptureMode mode;
  std::thread::id thread;                       // that began it
  std::vector<std::shared_ptr<Stream>> streams; // the first is the one where it began
  bool valid = true;
};

std::recursive_mutex graphs_mutex;

namespace {

auto &graphs() { // of the program, by their handles
  static auto &all = *new std::unordered_map<cudaGraph_t, std::unique_ptr<CUgraph_st>>;
  return all;
}

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
  std::vector<bool> before(capture.nodes.size());
  for (size_t node : capture.streams.front()->frontier)
    before[node] = true;
  for (size_t node = before.size(); node-- > 0;)
    if (before[node])
      for (size_t earlier : capture.nodes[node].after)
        before[earlier] = true;
  return std::all_of(before.begin(), before.end(), [](bool is) { return is; });
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

Mark enqueue(const std::shared_ptr<Stream> &stream, cudaGraphNodeType type,
             std::function<void()> work, OnError on_error, std::vector<Mark> after,
             std::function<void()> meet) {
  if (!stream->capture)
    return queue(stream, std::move(work), on_error, std::move(after), std::move(meet));
  record(
      *stream, type,
      [work = std::move(work), on_error, meet = std::move(meet)](auto &its_stream, auto its_after) {
        return queue(its_stream, work, on_error, std::move(its_after), meet);
      });
  return {};
}

void enqueue(cudaStream_t handle, std::function<void()> kernel) {
  enqueue(find_stream(handle), std::move(kernel));
}

void record(Stream &stream, cudaGraphNodeType type, NodeQueue queue) {
  GraphsLock lock(graphs_mutex);
  auto &nodes = stream.capture->nodes;
  nodes.push_back({type, std::move(queue), std::move(stream.frontier)});
  stream.frontier = {nodes.size() - 1};
}

const std::vector<Node> *nodes_of(cudaGraph_t graph) {
  const auto found = graphs().find(graph);
  return found == graphs().end() ? nullptr : &found->second->nodes;
}

void take_away(cudaGraph_t graph) { graphs().erase(graph); }

void abandon_capture(Stream &stream) {
  GraphsLock lock(graphs_mutex);
  const auto capture = stream.capture;
  if (!capture)
    return;
  if (&stream == capture->streams.front().get())
    return end(capture);
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

cudaError_t cudaStreamBeginCapture(cudaStream_t handle, cudaStreamCaptureMode mode) {
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
    capture->mode = mode;
    capture->thread = std::this_thread::get_id();
    capture->streams = {stream};
    stream->capture = capture;
    captures().push_back(capture);
    capturing = captures().size();
    return cudaSuccess;
  });
}

cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t *graph) {
  return api_call([&] {
    GraphsLock lock(graphs_mutex);
    auto stream = find_stream(handle);
    if (!stream)
      return cudaErrorInvalidResourceHandle;
    if (!graph)
      return cudaErrorInvalidValue;
    *graph = nullptr;
    const auto capture = stream->capture;
    if (!capture)
      return cudaErrorIllegalState;
    if (stream != capture->streams.front())
      return refuse(*capture, cudaErrorStreamCaptureUnmatched);
    if (capture->mode != cudaStreamCaptureModeRelaxed &&
        capture->thread != std::this_thread::get_id())
      return cudaErrorStreamCaptureWrongThread;
    const bool is_joined = joined(*capture);
    end(capture);
    if (!capture->valid || !is_joined)
      return capture->valid ? cudaErrorStreamCaptureUnjoined : cudaErrorStreamCaptureInvalidated;
    auto captured = std::make_unique<CUgraph_st>(CUgraph_st{std::move(capture->nodes)});
    *graph = captured.get();
    graphs()[*graph] = std::move(captured);
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
