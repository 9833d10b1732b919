// The table of all memory that the program has from CUDA: between memory.cpp, CUDA's functions, and
// allocations.cpp, which takes the memory and gives it back.
#pragma once

#include "context.h"

#include <atomic>
#include <map>
#include <mutex>

namespace course_cpu {

struct Allocation {
  Place place;
  int device;
  size_t size;         // bytes
  char *raw = nullptr; // from the system; nullptr if the memory is not ours
  size_t raw_size = 0;
  bool mapped = false; // by mmap
  bool guarded = false;
  bool freed = false;    // by cudaFreeAsync, whose stream has not come so far, or by a graph
  bool of_graph = false; // which holds it, free or not, as long as it has nodes that name it
  unsigned flags = 0;    // of pinned memory
  size_t uses = 0;       // of a __device__ variable
  size_t number = 0;     // of the allocation in this process
};

using Allocations = std::map<char *, Allocation>; // by the address that the program has

extern std::mutex allocations_mutex; // of the table and of Device::used
extern std::atomic<bool> managed_was_allocated, pinned_was_allocated, pinned_was_copied;
Allocations &allocations();
Allocations::iterator find_allocation(const void *address); // whose memory holds it, or end()

cudaError_t allocate(void **pointer, size_t bytes, Place place, unsigned flags = 0);
void release(Allocations::iterator entry); // removes it; the caller holds the mutex
void end_use(Allocations::iterator entry); // the same, but what a graph holds stays there as freed

// Frees memory of cudaMalloc or of cudaMallocHost. As on a device, it waits for all work first.
cudaError_t free_memory(void *pointer, bool pinned);

// ---- heap.cpp: see course_cpu/heap.h ----
size_t heap_limit();               // bytes
bool set_heap_limit(size_t bytes); // false: a kernel has used the heap already

} // namespace course_cpu
