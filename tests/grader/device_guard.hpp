// Guards the worker's device memory: fresh memory is 0xFF, every allocation ends in a guard zone.
// And counts its launches. One implementation for each backend.
#pragma once

#include "tests/grader/launches.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace course {

// Call before the first allocation. COURSE_DEVICE_MEMORY: the bytes that the program may hold,
// which may be fewer than the device says that it has.
void guard_device_memory();

// Tells the tools where an array in host memory begins and ends; 0 bytes: no longer.
void guard_host_array(const void *start, std::size_t bytes);

// A sentence for each allocation whose guard zone was written since the last call. Waits for the
// device.
std::vector<std::string> device_memory_damage();

// What is allocated and not freed.
struct LiveMemory {
  std::size_t allocations, bytes;
};
LiveMemory live_device_memory();

// The error that cudaGetLastError() would give, a cudaError_t, and clears; no asking by the
// program.
int take_last_error();

// How many kernels the program has launched so far; those of linked libraries are left out.
std::size_t launches();

// What a kernel of the program did so far, or its host code, where it is counted: the members of
// Work (case.hpp), in their order.
struct KernelWork {
  std::string kernel; // with the place of its launch
  std::array<std::uint64_t, 22> numbers;
};
std::vector<KernelWork> counted_work();

// From now on begin(call) is called when the program waits for other processes by a call of NCCL,
// and nothing else goes on in it; end() when that is over. On the CPU backend; a GPU's NCCL tells
// nobody.
void watch_waits(void (*begin)(const char *call), void (*end)());

// What becomes of each launch of the program from now on.
void treat_launches(Launches treatment);

} // namespace course
