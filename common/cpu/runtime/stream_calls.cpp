// CUDA's functions about one stream: its properties, waits and host functions.
#include "capture.h"
#include "course_cpu/api.h"
#include "observer.h"

namespace course_cpu {
namespace {

// Runs an API call on the stream of a handle.
template <class Body> cudaError_t with_stream(cudaStream_t handle, const Body &body) {
  return api_call([&] {
    auto stream = find_stream(handle);
    return stream ? body(stream) : cudaErrorInvalidResourceHandle;
  });
}

cudaError_t queue_host_function(const std::shared_ptr<Stream> &stream, std::function<void()> work,
                                OnError on_error) {
  enqueue(
      stream, cudaGraphNodeTypeHost,
      [work = std::move(work)] {
        host_callback_runs = true;
        work();
        host_callback_runs = false;
        if (is_looker())
          tools::host_may_learn();
      },
      on_error);
  return cudaSuccess;
}

} // namespace

} // namespace course_cpu

using namespace course_cpu;

cudaError_t cudaStreamCreate(cudaStream_t *stream) {
  return create_stream(stream, cudaStreamDefault);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags) {
  return create_stream(stream, flags);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int) {
  return create_stream(stream, flags);
}

cudaError_t cudaStreamDestroy(cudaStream_t handle) {
  return api_call([&] {
    const auto stream = take_stream(handle);
    if (!stream)
      return cudaErrorInvalidResourceHandle;
    abandon_capture(*stream);
    destroy(stream);
    return cudaSuccess;
  });
}

// Hints for caches and schedulers: they change nothing.
cudaError_t cudaStreamSetAttribute(cudaStream_t handle, cudaStreamAttrID,
                                   const cudaStreamAttrValue *value) {
  return with_stream(handle, [&](auto &) { return value ? cudaSuccess : cudaErrorInvalidValue; });
}

cudaError_t cudaCtxResetPersistingL2Cache() {
  return api_call([] { return cudaSuccess; });
}

cudaError_t cudaDeviceSynchronize() {
  return api_call([] {
    if (cudaError_t error = capture_forbids(*current_device().default_stream, Use::allocates))
      return error;
    finish_all(current_device());
    return current_device().sticky;
  });
}

cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
  return with_stream(handle, [&](auto &stream) {
    if (cudaError_t error = capture_forbids(*stream, Use::waits))
      return error;
    finish({stream, stream->issued});
    return stream->device.sticky;
  });
}

cudaError_t cudaStreamQuery(cudaStream_t handle) {
  return with_stream(handle, [&](auto &stream) {
    if (cudaError_t error = capture_forbids(*stream, Use::waits))
      return error;
    return query({stream, stream->issued}) ? stream->device.sticky : cudaErrorNotReady;
  });
}

cudaError_t cudaStreamAddCallback(cudaStream_t handle, cudaStreamCallback_t callback,
                                  void *user_data, unsigned int flags) {
  return with_stream(handle, [&](auto &stream) {
    if (!callback || flags != 0)
      return cudaErrorInvalidValue;
    if (cudaError_t error = capture_forbids(*stream, Use::waits)) // CUDA cannot capture it
      return error;
    Device &device = stream->device;
    return queue_host_function(
        stream, [=, &device] { callback(handle, device.sticky, user_data); }, OnError::run);
  });
}

cudaError_t cudaLaunchHostFunc(cudaStream_t handle, cudaHostFn_t function, void *user_data) {
  return with_stream(handle, [&](auto &stream) {
    if (!function)
      return cudaErrorInvalidValue;
    if (cudaError_t error = capture_forbids(*stream, Use::queues))
      return error;
    const tools::HostMemory memory(user_data);
    return queue_host_function(
        stream,
        [=] {
          memory.is_gone("host function", false);
          function(user_data);
        },
        OnError::skip);
  });
}
