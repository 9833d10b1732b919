// Captures of streams, as the calls that queue work and those that wait see them.
#pragma once

#include "context.h"

namespace course_cpu {

// Queues the work of a node on a stream, after these points too, and returns the point after it.
using NodeQueue = std::function<Mark(const std::shared_ptr<Stream> &, std::vector<Mark>)>;

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

} // namespace course_cpu
