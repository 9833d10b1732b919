// Events: marks in streams, with the time at which the work before them was done.
#include "capture.h"
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

std::mutex events_mutex; // of the table and of the events in it

std::unordered_map<cudaEvent_t, Event> &events() {
  static auto &map = *new std::unordered_map<cudaEvent_t, Event>;
  return map;
}

// Runs an API call on a copy of the event that a handle names.
template <class Body> cudaError_t with_event(cudaEvent_t handle, const Body &body) {
  return api_call([&]() -> cudaError_t {
    std::unique_lock<std::mutex> lock(events_mutex);
    auto found = events().find(handle);
    if (found == events().end())
      return cudaErrorInvalidResourceHandle;
    Event event = found->second;
    lock.unlock();
    return body(event);
  });
}

cudaError_t sticky_error(const Event &event) { return devices()[event.device].sticky; }

} // namespace
} // namespace course_cpu

using namespace course_cpu;

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *handle, unsigned int flags) {
  return api_call([&] {
    constexpr unsigned known =
        cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
    if (!handle || (flags & ~known) != 0)
      return cudaErrorInvalidValue;
    static std::uintptr_t last = 0;
    std::lock_guard<std::mutex> lock(events_mutex);
    last += 16;
    *handle = reinterpret_cast<cudaEvent_t>(last);
    events()[*handle] = {current_device().index, flags, {}, nullptr, {}};
    tools::created("an event", *handle);
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
  return api_call([&] {
    std::lock_guard<std::mutex> lock(events_mutex);
    tools::destroyed("an event", handle);
    return events().erase(handle) == 1 ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}

cudaError_t cudaEventRecord(cudaEvent_t handle, cudaStream_t stream_handle) {
  return with_event(handle, [&](const Event &event) {
    auto stream = find_stream(stream_handle);
    if (!stream || stream->device.index != event.device)
      return cudaErrorInvalidResourceHandle;
    if (cudaError_t error = capture_forbids(*stream, Use::queues))
      return error;
    const CapturedPoint point = captured_point(*stream); // where the stream is not captured, a mark
    const auto time = stream->capture ? nullptr : std::make_shared<Clock::time_point>();
    Mark mark;
    if (time)
      mark = enqueue(
          stream, [time] { *time = Clock::now(); }, OnError::run);
    std::lock_guard<std::mutex> lock(events_mutex);
    if (const auto found = events().find(handle); found != events().end())
      found->second = {event.device, event.flags, mark, time, point};
    return cudaSuccess;
  });
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
  return with_event(handle, [&](const Event &event) {
    if (flags != cudaEventWaitDefault)
      return cudaErrorInvalidValue;
    auto stream = find_stream(stream_handle);
    if (!stream)
      return cudaErrorInvalidResourceHandle;
    if (event.captured.capture || stream->capture)
      return wait_in_capture(stream, event.captured);
    if (tools::on || !reached(event.mark))
      enqueue(stream, [] {}, OnError::run, {event.mark});
    return cudaSuccess;
  });
}
