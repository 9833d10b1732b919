// CUDA's functions that allocate and free.
#include "allocations.h"
#include "capture.h"
#include "course_cpu/api.h"
#include "course_cpu/execution.h"
#include "course_cpu/graphs.h"
#include "course_cpu/heap.h"
#include "graph.h"
#include "observer.h"

#include <algorithm>

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
  if (in_kernel()) { // from the heap of kernels, which host code cannot reach
    *pointer = heap_malloc(bytes);
    return *pointer ? cudaSuccess : cudaErrorMemoryAllocation;
  }
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

cudaError_t cudaMalloc3D(cudaPitchedPtr *pitched, cudaExtent extent) {
  if (!pitched)
    return record_error(cudaErrorInvalidValue);
  pitched->xsize = extent.width;
  pitched->ysize = extent.height;
  return cudaMallocPitch(&pitched->ptr, &pitched->pitch, extent.width,
                         extent.height * extent.depth);
}

cudaError_t cudaFree(void *pointer) {
  if (in_kernel()) {
    heap_free(pointer);
    return cudaSuccess;
  }
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
    return allocate(pointer, bytes, Place::pinned, flags);
  });
}

cudaError_t cudaMallocHost(void **pointer, size_t bytes, unsigned int flags) {
  return cudaHostAlloc(pointer, bytes, flags);
}

cudaError_t cudaFreeHost(void *pointer) {
  return allocation_call([&] { return free_memory(pointer, true); });
}

cudaError_t cudaHostRegister(void *pointer, size_t bytes, unsigned int flags) {
  return api_call([&] {
    if (!pointer || bytes == 0)
      return cudaErrorInvalidValue;
    if (known_bytes(pointer, bytes) > 0)
      return cudaErrorHostMemoryAlreadyRegistered;
    std::lock_guard<std::mutex> lock(allocations_mutex);
    Allocation a{Place::pinned, current_device().index, bytes};
    a.flags = flags;
    allocations()[static_cast<char *>(pointer)] = a;
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

cudaError_t cudaHostGetFlags(unsigned int *flags, void *host_pointer) {
  return api_call([&] {
    std::lock_guard<std::mutex> lock(allocations_mutex);
    auto entry = find_allocation(host_pointer);
    if (!flags || entry == allocations().end() || entry->second.place != Place::pinned)
      return cudaErrorInvalidValue;
    *flags = entry->second.flags | cudaHostAllocMapped;
    return cudaSuccess;
  });
}

// ---- stream-ordered allocation ----

// Memory of a graph has the same address in each launch, and no values when a launch begins to use
// it. It is held as long as a node of the graph is there that names it.
static cudaError_t allocate_in_graph(void **pointer, size_t bytes,
                                     const std::shared_ptr<Stream> &stream) {
  GraphsLock graphs(graphs_mutex);
  if (cudaError_t error = capture_forbids(*stream, Use::queues))
    return error;
  if (cudaError_t error = allocate(pointer, bytes, Place::device); error || !*pointer)
    return error;
  const std::shared_ptr<char> memory(static_cast<char *>(*pointer), [](char *base) {
    std::lock_guard<std::mutex> lock(allocations_mutex);
    const auto entry = allocations().find(base);
    if (entry == allocations().end())
      return; // cudaDeviceReset has been here
    entry->second.of_graph = false;
    if (entry->second.freed)
      release(entry);
  });
  {
    std::lock_guard<std::mutex> lock(allocations_mutex);
    Allocation &its = allocations()[memory.get()];
    its.of_graph = its.freed = true; // until a launch leaves it allocated, nobody else may free it
  }
  stream->capture->graph->memory[*pointer] = memory;
  enqueue(stream, cudaGraphNodeTypeMemAlloc, [memory, bytes] {
    fill_bytes(memory.get(), 0xFF, bytes);
    tools::begins(memory.get(), bytes);
  });
  return cudaSuccess;
}

static cudaError_t free_in_graph(void *pointer, const std::shared_ptr<Stream> &stream) {
  GraphsLock graphs(graphs_mutex);
  if (cudaError_t error = capture_forbids(*stream, Use::queues))
    return error;
  CUgraph_st &graph = *stream->capture->graph;
  for (const auto &freed : {graph.ended, graph.frees})
    if (std::find(freed.begin(), freed.end(), pointer) != freed.end())
      return cudaErrorInvalidValue;
  auto &allocated = graph.memory;
  const auto found = allocated.find(pointer);
  if (found == allocated.end()) { // perhaps what another graph leaves
    std::lock_guard<std::mutex> lock(allocations_mutex);
    const auto entry = allocations().find(static_cast<char *>(pointer));
    if (entry == allocations().end() || !entry->second.of_graph)
      return cudaErrorInvalidValue;
    graph.frees.push_back(pointer);
    enqueue(stream, cudaGraphNodeTypeMemFree,
            [base = entry->first, bytes = entry->second.size] { tools::ends(base, bytes); });
    return cudaSuccess;
  }
  enqueue(stream, cudaGraphNodeTypeMemFree, [memory = found->second, bytes = locate(pointer).size] {
    tools::ends(memory.get(), bytes);
  });
  allocated.erase(found);
  graph.ended.push_back(pointer);
  graph.ended_bytes += locate(pointer).size;
  return cudaSuccess;
}

cudaError_t cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t handle) {
  return api_call([&] {
    auto stream = find_stream(handle);
    if (!stream)
      return cudaErrorInvalidResourceHandle;
    if (stream->capture)
      return allocate_in_graph(pointer, bytes, stream);
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
    if (stream->capture)
      return free_in_graph(pointer, stream);
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
          if (!entry->second.of_graph)
            tools::ends(entry->first, entry->second.size);
          end_use(entry);
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

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device) {
  return cudaDeviceGetDefaultMemPool(pool, device);
}

cudaError_t cudaMallocFromPoolAsync(void **pointer, size_t bytes, cudaMemPool_t,
                                    cudaStream_t stream) {
  return cudaMallocAsync(pointer, bytes, stream);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void *value) {
  return api_call([&] { return value ? cudaSuccess : cudaErrorInvalidValue; });
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t, cudaMemPoolAttr attribute, void *value) {
  return api_call([&] {
    if (!value)
      return cudaErrorInvalidValue;
    if (attribute < cudaMemPoolAttrReleaseThreshold)
      *static_cast<int *>(value) = 1;
    else
      *static_cast<unsigned long long *>(value) = 0;
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const cudaMemPoolProps *properties) {
  if (!properties)
    return record_error(cudaErrorInvalidValue);
  return cudaDeviceGetDefaultMemPool(pool, properties->location.id);
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t) {
  return api_call([] { return cudaSuccess; });
}

// Memory of a pool is each device's, as all memory is here; the tools ask for peer access.
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t, const cudaMemAccessDesc *descriptions,
                                 size_t count) {
  return api_call([&] {
    for (size_t i = 0; i < count; ++i)
      if (!device_exists(descriptions[i].location.id))
        return cudaErrorInvalidDevice;
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, size_t) {
  return api_call([] { return cudaSuccess; });
}
