// Captures of streams: what they record, and how the calls that queue work and those that wait see
// them.
#pragma once

#include "stream.h"

namespace course_cpu {

// Queues the work of a node on a stream, after these points too, and returns the point after it.
using NodeQueue = std::function<Mark(const std::shared_ptr<Stream> &, std::vector<Mark>)>;

// An operation as the captured stream would have queued it.
struct Node {
  cudaGraphNodeType type;
  NodeQueue queue;
  std::vector<size_t> after; // numbers of earlier nodes
};

// Queues work and returns the point after it; where the stream is captured, records it.
Mark enqueue(const std::shared_ptr<Stream> &stream, cudaGraphNodeType type,
             std::function<void()> work, OnError on_error = OnError::skip,
             std::vector<Mark> after = {}, std::function<void()> meet = {});
// The same, of a kernel, or of what is never captured.
inline Mark enqueue(const std::shared_ptr<Stream> &stream, std::function<void()> work,
                    OnError on_error = OnError::skip, std::vector<Mark> after = {},
                    std::function<void()> meet = {}) {
  return enqueue(stream, cudaGraphNodeTypeKernel, std::move(work), on_error, std::move(after),
                 std::move(meet));
}

// Records a node in place of queuing work. The stream is being captured.
void record(Stream &stream, cudaGraphNodeType type, NodeQueue queue);

// A stream is destroyed: the capture that began in it ends without a graph; one that it joined goes
// on.
void abandon_capture(Stream &stream);

// The effect of a call that a capture may forbid.
enum class Use {
  queues,   // work, on the stream
  waits,    // for the stream
  allocates // or frees, or waits for the whole device; any stream of it
};

// The error of a call that a capture forbids; it also ends that capture.
cudaError_t capture_forbids(const Stream &stream, Use use);

// The point in a capture after which an event was recorded. The capture's streams are no longer
// captured when it has ended.
struct CapturedPoint {
  std::shared_ptr<Capture> capture;
  std::vector<size_t> nodes; // of its graph
};

CapturedPoint captured_point(const Stream &stream); // without a capture where there is none
cudaError_t wait_in_capture(const std::shared_ptr<Stream> &stream, const CapturedPoint &point);
bool in_progress(const CapturedPoint &point);
cudaError_t refuse(const CapturedPoint &point, cudaError_t error); // ends the capture

// The nodes of a graph of the program's, which exists until it is taken away; nullptr: there is no
// such graph.
const std::vector<Node> *nodes_of(cudaGraph_t graph);
void take_away(cudaGraph_t graph);

extern std::recursive_mutex graphs_mutex; // of all graphs and captures
using GraphsLock = std::lock_guard<std::recursive_mutex>;

} // namespace course_cpu
