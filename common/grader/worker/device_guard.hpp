// Guards the worker's device memory: fresh memory is 0xFF, every allocation ends in a guard zone.
// And counts its launches. One implementation for each backend.
#pragma once

#include "common/grader/worker/kind.hpp"
#include "common/grader/worker/launches.hpp"
#include "common/grader/worker/work.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace course {

// The content before and after an array: successive numbers are large and of opposite sign, so that
// a read past the end is detected; and each array has its own, so that a copy from past the end of
// one to past the end of another is detected as well.
inline std::vector<unsigned char> guard_zone(std::size_t bytes) {
  static unsigned arrays = 0;
  const unsigned char its = arrays++ % 8;
  std::vector<unsigned char> zone(bytes);
  for (std::size_t i = 0; i < bytes; ++i)
    zone[i] = (i / 8 % 2 ? 0xFE : 0x7F) - its;
  return zone;
}

// Call before the first allocation. COURSE_DEVICE_MEMORY: the bytes that the program may hold,
// which may be fewer than the device says that it has.
void guard_device_memory();

// Tells the tools where an array in host memory begins and ends; 0 bytes: no longer.
void guard_host_array(const void *start, std::size_t bytes);

// Each allocation whose guard zone was written since the last call. Waits for the device.
std::vector<Found> device_memory_damage();

// Memory that is allocated and not freed, and arrays that cudaHostRegister has pinned and that
// still are (0 on a GPU).
struct LiveMemory {
  std::size_t allocations, bytes, registrations;
};
LiveMemory live_device_memory();

// The most bytes that were allocated at one of the launches so far.
std::size_t most_bytes_at_a_launch();

// Holds so many bytes of the first device, as another program would, until the next call.
void take_device_memory(std::size_t bytes);

// The error that cudaGetLastError() would give, a cudaError_t, and clears; no asking by the
// program.
int take_last_error();

// Waits for the device, and takes the error that the program has left, which may be that a kernel
// was ended at an illegal address.
std::optional<Found> take_device_error();

bool is_device_memory(const void *pointer);

// How many kernels the program has launched so far; those of linked libraries are left out.
std::size_t launches();

// The device of a launch, and its sizes in x, y and z.
struct LaunchShape {
  int device;
  std::array<unsigned, 3> grid, block;
};
// Those of the program's launches since it was asked last; of many equal ones one.
std::vector<LaunchShape> take_launch_shapes();
void note_launch(int device, const std::array<unsigned, 3> &grid,
                 const std::array<unsigned, 3> &block);

// The counted work of each kernel, and of the host code, so far.
std::vector<KernelWork> counted_work();

// Sets the effect of each launch of the program from now on.
void treat_launches(Launches treatment);

// Where launches are `hidden`, host code sees numbers through a mask. The judge's arrays have it
// from the start; a copy to the device takes it off what has it, and a copy to the host puts it on.
// So a kernel computes as ever, and what host code computes from an array is wrong, while what it
// hands on as it is stays right. Or only the judge's arrays have it, or only what is copied to the
// host. Call mask_array() for an array before a call, unmask_array() after it, and unmask_result()
// for what the call has returned, which may be a number of an array.
void mask_arrays_for(Launches treatment);
void mask_array(void *array, std::size_t bytes);
void unmask_array(void *array, std::size_t bytes);
void unmask_result(void *result, std::size_t bytes);
// Kernels may have used arrays of the host without a copy, so nothing can be concluded.
bool host_memory_is_shared();

} // namespace course
