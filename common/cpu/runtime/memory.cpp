// CUDA's functions that allocate and free.
#include "allocations.h"
#include "capture.h"
#include "course_cpu/api.h"
#include "observer.h"

using namespace course_cpu;

namespace {

constexpr size_t pitch_alignment = 512; // bytes, of the rows of cudaMallocPitch

// Runs an API call that allocates or frees at once, which a capture may forbid.
template <class Body> cudaError_t allocation_call(const Body &body) {
  return api_call([&] {
    const cudaError_t error = capture_forbids(*current_device().default_stream, Use::allocates);
    return error != cudaSuccess ? error : body();
  });
}

} // namespace

// ---- device and managed memory ----

cudaError_t cudaMalloc(void **pointer, size_t bytes) {
  return allocation_call([&] { return allocate(pointer, bytes, Place::device); });
}

cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned int flags) {
  return allocation_call([&] {
    if (bytes == 0 || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost))
      return cudaErrorInvalidValue;
    return allocate(pointer, bytes, Place::managed);
  });
}

cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width_bytes, size_t height) {
  return allocation_call([&] {
    if (!pitch)
      return cudaErrorInvalidValue;
    *pitch = (width_bytes + pitch_alignment - 1) / pitch_alignment * pitch_alignment;
    return allocate(pointer, *pitch * height, Place::device);
  });
}

cudaError_t cudaFree(void *pointer) {
  return allocation_call([&] { return free_memory(pointer, false); });
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes) {
  return api_call([&] {
    std::lock_guard<std::mutex> lock(allocations_mutex);
    const Device &device = current_device();
    *free_bytes = device.capacity - device.used;
    *total_bytes = device.capacity;
    return cudaSuccess;
  });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *pointer) {
  return api_call([&] {
    if (!attributes)
      return cudaErrorInvalidValue;
    const Location where = locate(pointer);
    void *p = const_cast<void *>(pointer);
    switch (where.place) {
    case Place::pageable:
      *attributes = {cudaMemoryTypeUnregistered, cudaInvalidDeviceId, nullptr, p};
      break;
    case Place::pinned:
      *attributes = {cudaMemoryTypeHost, where.device, p, p};
      break;
    case Place::device:
      *attributes = {cudaMemoryTypeDevice, where.device, p, nullptr};
      break;
    case Place::managed:
      *attributes = {cudaMemoryTypeManaged, where.device, p, p};
      break;
    }
    return cudaSuccess;
  });
}

// ---- pinned host memory ----

cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned int flags) {
  return allocation_call([&] {
    constexpr unsigned known =
        cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
    if ((flags & ~known) != 0)
      return cudaErrorInvalidValue;
    return allocate(pointer, bytes, Place::pinned);
  });
}

cudaError_t cudaMallocHost(void **pointer, size_t bytes, unsigned int flags) {
  return cudaHostAlloc(pointer, bytes, flags);
}

cudaError_t cudaFreeHost(void *pointer) {
  return allocation_call([&] { return free_memory(pointer, true); });
}

cudaError_t cudaHostRegister(void *pointer, size_t bytes, unsigned int) {
  return api_call([&] {
    if (!pointer || bytes == 0)
      return cudaErrorInvalidValue;
    if (known_bytes(pointer, bytes) > 0)
      return cudaErrorHostMemoryAlreadyRegistered;
    std::lock_guard<std::mutex> lock(allocations_mutex);
    allocations()[static_cast<char *>(pointer)] = {Place::pinned, current_device().index, bytes};
    pinned_was_allocated = true;
    tools::registered(static_cast<char *>(pointer), bytes);
    return cudaSuccess;
  });
}

cudaError_t cudaHostUnregister(void *pointer) {
  return api_call([&] {
    std::lock_guard<std::mutex> lock(allocations_mutex);
    auto entry = allocations().find(static_cast<char *>(pointer));
    if (entry == allocations().end() || entry->second.place != Place::pinned || entry->second.raw)
      return cudaErrorHostMemoryNotRegistered;
    tools::unregistered(entry->first);
    allocations().erase(entry);
    return cudaSuccess;
  });
}

cudaError_t cudaHostGetDevicePointer(void **device_pointer, void *host_pointer,
                                     unsigned int flags) {
  return api_call([&] {
    if (!device_pointer || flags != 0 || locate(host_pointer).place != Place::pinned)
      return cudaErrorInvalidValue;
    *device_pointer = host_pointer;
    return cudaSuccess;
  });
}

// ---- stream-ordered allocation ----

cudaError_t cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t handle) {
  return api_call([&] {
    auto stream = find_stream(handle);
    if (!stream)
      return cudaErrorInvalidResourceHandle;
    if (cudaError_t error = capture_forbids(*stream, Use::waits)) // no memory of graphs here
      return error;
    cudaError_t error = allocate(pointer, bytes, Place::device);
    if (error == cudaErrorMemoryAllocation) {
      finish({stream, stream->issued}); // queued frees may make room
      error = allocate(pointer, bytes, Place::device);
    }
    if (tools::on && error == cudaSuccess && *pointer)
      enqueue(stream,
              [base = static_cast<char *>(*pointer), bytes] { tools::begins(base, bytes); });
    return error;
  });
}

cudaError_t cudaFreeAsync(void *pointer, cudaStream_t handle) {
  return api_call([&] {
    auto stream = find_stream(handle);
    if (!stream)
      return cudaErrorInvalidResourceHandle;
    if (!pointer)
      return cudaSuccess;
    if (cudaError_t error = capture_forbids(*stream, Use::waits))
      return error;
    {
      std::lock_guard<std::mutex> lock(allocations_mutex);
      auto entry = allocations().find(static_cast<char *>(pointer));
      if (entry == allocations().end() || entry->second.place != Place::device ||
          !entry->second.raw || entry->second.freed) {
        tools::free_refused(pointer);
        return cudaErrorInvalidValue;
      }
      entry->second.freed = true;
    }
    enqueue(
        stream,
        [pointer] {
          std::lock_guard<std::mutex> lock(allocations_mutex);
          auto entry = allocations().find(static_cast<char *>(pointer));
          if (entry == allocations().end())
            return; // cudaDeviceReset has been here
          tools::ends(entry->first, entry->second.size);
          release(entry);
        },
        OnError::run);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *pointer, size_t,
                                     unsigned int flags) {
  return api_call([&] {
    if (!find_stream(stream))
      return cudaErrorInvalidResourceHandle;
    const bool known =
        flags == cudaMemAttachGlobal || flags == cudaMemAttachHost || flags == cudaMemAttachSingle;
    return known && locate(pointer).place == Place::managed ? cudaSuccess : cudaErrorInvalidValue;
  });
}

// ---- memory pools: one a device, the default one; its attributes change nothing ----

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device) {
  return with_device(device, [&](Device &d) {
    *pool = reinterpret_cast<cudaMemPool_t>(&d);
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void *value) {
  return api_call([&] { return value ? cudaSuccess : cudaErrorInvalidValue; });
}

// ---- the end of all ----

cudaError_t cudaDeviceReset() {
  return api_call([] {
    finish_all(current_device());
    free_all(current_device());
    tools::all_destroyed(); // also those of other devices, which few programs reset
    return current_device().sticky;
  });
}
