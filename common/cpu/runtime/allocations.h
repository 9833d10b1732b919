// The table of all memory that the program has from CUDA: between memory.cpp, CUDA's functions, and
// allocations.cpp, which takes the memory and gives it back.
#pragma once

#include "device.h"

#include <atomic>
#include <map>
#include <mutex>

namespace course_cpu {

enum class Place { pageable, pinned, device, managed };

struct Location {
  Place place = Place::pageable;
  int device = -1;
  char *base = nullptr; // of the allocation
  size_t size = 0;      // bytes from the pointer to the allocation's end
};

struct Allocation {
  Place place;
  int device;
  size_t size;         // bytes
  char *raw = nullptr; // from the system; nullptr if the memory is not ours
  size_t raw_size = 0;
  bool mapped = false; // by mmap
  bool guarded = false;
  bool freed = false; // by cudaFreeAsync, whose stream has not come so far
  size_t uses = 0;    // of a __device__ variable
  size_t number = 0;  // of the allocation in this process
};

using Allocations = std::map<char *, Allocation>; // by the address that the program has

extern std::mutex allocations_mutex; // of the table and of Device::used
extern std::atomic<bool> managed_was_allocated, pinned_was_allocated, pinned_was_copied;
Allocations &allocations();
Allocations::iterator find_allocation(const void *address); // whose memory holds it, or end()

cudaError_t allocate(void **pointer, size_t bytes, Place place);
void release(Allocations::iterator entry); // removes it; the caller holds the mutex

// Frees memory of cudaMalloc or of cudaMallocHost. As on a device, it waits for all work first.
cudaError_t free_memory(void *pointer, bool pinned);

Location locate(const void *pointer);
size_t known_bytes(const void *start, size_t bytes); // how many of them are memory that CUDA knows
void free_all(Device &device);                       // for cudaDeviceReset
bool kernels_keep(const void *pointer);              // in memory that CUDA knows
// __device__ variables: course_cpu/symbols.h
void add_symbol(const void *address, size_t bytes);
void drop_symbol(const void *address);
void give_symbol(const void *address);

void copy_bytes(void *to, const void *from, size_t bytes); // large ones on all cores
void fill_bytes(void *to, int value, size_t bytes);

} // namespace course_cpu
