// Events: marks in streams, with the time at which the work before them was done.
#include "capture.h"
#include "context.h"
#include "course_cpu/api.h"
#include "course_cpu/execution.h"
#include "observer.h"

#include <chrono>
#include <unordered_map>

namespace course_cpu {
namespace {

using Clock = std::chrono::steady_clock;

struct Event {
  int device;
  unsigned flags;
  Mark mark;                               // no stream: never recorded
  std::shared_ptr<Clock::time_point> time; // written when the mark is reached
  CapturedPoint captured;                  // in place of the two, where the stream was captured
};

// The event of all kernels. Their children run one after the other, so events order nothing.
const cudaEvent_t event_of_kernel = reinterpret_cast<cudaEvent_t>(8);

cudaError_t use_in_kernel(cudaEvent_t event) {
  return record_error(event == event_of_kernel ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

std::mutex mutex; // of the table and of the events in it

std::unordered_map<cudaEvent_t, Event> &events() {
  static auto &map = *new std::unordered_map<cudaEvent_t, Event>;
  return map;
}

// Runs an API call on a copy of the event that a handle names.
template <class Body> cudaError_t with_event(cudaEvent_t handle, const Body &body) {
  return api_call([&]() -> cudaError_t {
    std::unique_lock<std::mutex> lock(mutex);
    auto found = events().find(handle);
    if (found == events().end())
      return cudaErrorInvalidResourceHandle;
    Event event = found->second;
    lock.unlock();
    return body(event);
  });
}

// Queues the event on a stream; from now on it means this point.
Mark queue_event(cudaEvent_t handle, const std::shared_ptr<Stream> &stream,
                 std::vector<Mark> after) {
  const auto time = std::make_shared<Clock::time_point>();
  const Mark mark = enqueue(
      stream, [time] { *time = Clock::now(); }, OnError::run, std::move(after));
  std::lock_guard<std::mutex> lock(mutex);
  if (const auto found = events().find(handle); found != events().end()) {
    found->second.mark = mark;
    found->second.time = time;
    found->second.captured = {};
  }
  return mark;
}

Mark mark_of(cudaEvent_t handle) {
  std::lock_guard<std::mutex> lock(mutex);
  const auto found = events().find(handle);
  return found == events().end() ? Mark{} : found->second.mark;
}

cudaError_t sticky_error(const Event &event) { return devices()[event.device].sticky; }

} // namespace
} // namespace course_cpu

using namespace course_cpu;

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *handle, unsigned int flags) {
  if (in_kernel()) {
    if (!handle || flags != cudaEventDisableTiming)
      return record_error(cudaErrorInvalidValue);
    *handle = event_of_kernel;
    return cudaSuccess;
  }
  return api_call([&] {
    constexpr unsigned known =
        cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
    if (!handle || (flags & ~known) != 0)
      return cudaErrorInvalidValue;
    static std::uintptr_t last = 0;
    std::lock_guard<std::mutex> lock(mutex);
    last += 16;
    *handle = reinterpret_cast<cudaEvent_t>(last);
    events()[*handle] = {current_device().index, flags, {}, nullptr, {}};
    return cudaSuccess;
  });
}

cudaError_t cudaEventCreate(cudaEvent_t *event) {
  return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags) {
  return cudaEventCreateWithFlags(event, flags);
}

cudaError_t cudaEventDestroy(cudaEvent_t handle) {
  if (in_kernel())
    return use_in_kernel(handle);
  return api_call([&] {
    std::lock_guard<std::mutex> lock(mutex);
    return events().erase(handle) == 1 ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t handle, cudaStream_t stream_handle,
                                     unsigned int flags) {
  if (in_kernel())
    return use_in_kernel(handle);
  return with_event(handle, [&](const Event &event) {
    if ((flags & ~unsigned{cudaEventRecordExternal}) != 0)
      return cudaErrorInvalidValue;
    auto stream = find_stream(stream_handle);
    if (!stream || stream->device.index != event.device)
      return cudaErrorInvalidResourceHandle;
    if (cudaError_t error = capture_forbids(*stream, Use::queues))
      return error;
    if (!stream->capture) {
      queue_event(handle, stream, {});
    } else if (flags == cudaEventRecordExternal) { // a node: recorded by each launch of the graph
      const auto queue = [handle](auto &its_stream, auto after) {
        return queue_event(handle, its_stream, std::move(after));
      };
      record(*stream, cudaGraphNodeTypeEventRecord, queue);
    } else {
      std::lock_guard<std::mutex> lock(mutex);
      events()[handle] = {event.device, event.flags, {}, nullptr, captured_point(*stream)};
    }
    return cudaSuccess;
  });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault);
}

cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
  return with_event(handle, [&](const Event &event) {
    if (in_progress(event.captured))
      return refuse(event.captured, cudaErrorCapturedEvent);
    finish(event.mark);
    return sticky_error(event);
  });
}

cudaError_t cudaEventQuery(cudaEvent_t handle) {
  return with_event(handle, [&](const Event &event) {
    if (in_progress(event.captured))
      return refuse(event.captured, cudaErrorCapturedEvent);
    return query(event.mark) ? sticky_error(event) : cudaErrorNotReady;
  });
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start_handle,
                                 cudaEvent_t end_handle) {
  return with_event(start_handle, [&](const Event &start) {
    return with_event(end_handle, [&](const Event &end) {
      if (!milliseconds)
        return cudaErrorInvalidValue;
      if (!start.time || !end.time || start.device != end.device ||
          ((start.flags | end.flags) & cudaEventDisableTiming))
        return cudaErrorInvalidResourceHandle;
      if (!reached(start.mark) || !reached(end.mark))
        return cudaErrorNotReady;
      *milliseconds = std::chrono::duration<float, std::milli>(*end.time - *start.time).count();
      return cudaSuccess;
    });
  });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream_handle, cudaEvent_t handle,
                                unsigned int flags) {
  if (in_kernel())
    return use_in_kernel(handle);
  return with_event(handle, [&](const Event &event) {
    if ((flags & ~unsigned{cudaEventWaitExternal}) != 0)
      return cudaErrorInvalidValue;
    auto stream = find_stream(stream_handle);
    if (!stream)
      return cudaErrorInvalidResourceHandle;
    if (flags == cudaEventWaitExternal) { // a node: each launch waits for what the event then means
      if (!stream->capture)
        return cudaErrorIllegalState;
      if (cudaError_t error = capture_forbids(*stream, Use::queues))
        return error;
      const auto queue = [handle](auto &its_stream, auto after) {
        after.push_back(mark_of(handle));
        return enqueue(
            its_stream, [] {}, OnError::run, std::move(after));
      };
      record(*stream, cudaGraphNodeTypeWaitEvent, queue);
      return cudaSuccess;
    }
    if (event.captured.capture || stream->capture)
      return wait_in_capture(stream, event.captured);
    if (tools::on || !reached(event.mark))
      enqueue(stream, [] {}, OnError::run, {event.mark});
    return cudaSuccess;
  });
}
