// Captures: a captured stream records its work in a graph, and joins other streams to it by events.
#include "capture.h"
#include "course_cpu/api.h"
#include "course_cpu/graphs.h"
#include "graph.h"

#include <algorithm>
#include <atomic>

namespace course_cpu {
namespace {

std::vector<std::shared_ptr<Capture>> captures;
std::atomic<size_t> capturing{0}; // captures.size()

cudaError_t refuse(Capture &capture, cudaError_t error) {
  capture.valid = false;
  return error;
}

void append(std::vector<size_t> &nodes, const std::vector<size_t> &more) {
  nodes.insert(nodes.end(), more.begin(), more.end());
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
}

// Whether all that the streams of a capture recorded comes before the first stream's end.
bool joined(const Capture &capture) {
  std::vector<bool> before(capture.graph->nodes.size());
  for (size_t node : capture.streams.front()->frontier)
    before[node] = true;
  for (size_t node = before.size(); node-- > 0;)
    if (before[node])
      for (size_t earlier : capture.graph->nodes[node].after)
        before[earlier] = true;
  return std::all_of(before.begin(), before.end(), [](bool is) { return is; });
}

void end(const std::shared_ptr<Capture> &capture) {
  for (const auto &stream : capture->streams) {
    stream->capture = nullptr;
    stream->frontier.clear();
  }
  captures.erase(std::find(captures.begin(), captures.end(), capture));
  capturing = captures.size();
}

} // namespace

void record(Stream &stream, NodeQueue queue, const std::type_info &kind) {
  GraphsLock lock(graphs_mutex);
  auto &nodes = stream.capture->graph->nodes;
  nodes.push_back({nodes.size(), std::move(queue), &kind, std::move(stream.frontier)});
  stream.frontier = {nodes.back().number};
}

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
    for (const auto &capture : captures)
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
    for (const auto &capture : captures)
      for (const auto &captured : capture->streams)
        if (&captured->device == &stream.device && captured->blocking())
          return refuse(*capture, cudaErrorStreamCaptureImplicit);
  return cudaSuccess;
}

CapturedPoint captured_point(const Stream &stream) { return {stream.capture, stream.frontier}; }

bool in_progress(const CapturedPoint &point) {
  GraphsLock lock(graphs_mutex);
  return point.capture && std::count(captures.begin(), captures.end(), point.capture) > 0;
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
    captures.push_back(capture);
    capturing = captures.size();
    return cudaSuccess;
  });
}

cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t *graph) {
  return api_call([&] {
    GraphsLock lock(graphs_mutex);
    auto stream = find_stream(handle);
    if (!stream || !graph)
      return stream ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle;
    *graph = nullptr;
    const auto capture = stream->capture;
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
    end(capture);
    if (error == cudaSuccess)
      *graph = adopt(std::move(capture->graph));
    return error;
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
