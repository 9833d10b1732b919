// A grader's interface to the CPU backend; not part of CUDA.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace course_cpu {

// Surrounds every later device allocation (cudaMalloc and its kin, managed memory too) with a zone
// of known bytes on both sides, and fills all fresh device memory with 0xFF, whatever its size.
// Call it before the first allocation: older allocations stay unguarded.
void guard_memory(bool on);

// Tells the tools that an array of so many bytes begins there, though its allocation is larger; 0
// bytes: no longer.
void guard_host_array(const void *start, std::size_t bytes);

// Later allocations fail that would make a device hold more than so many bytes. What the device
// says of its memory stays as it is.
void limit_memory(std::size_t bytes);

// One allocation whose guard zones were overwritten.
struct Damage {
  std::size_t allocation_bytes; // the size that the program asked for
  std::size_t allocation;       // which allocation of the process it was: 1, 2, ...
  std::ptrdiff_t first;         // offset of the first damaged byte: negative before the
                                // allocation, >= allocation_bytes after it
  std::ptrdiff_t last;          // offset of the last damaged byte
  std::size_t bytes;            // how many guard bytes differ
  bool at_free;                 // found when the allocation was freed
};

// One sentence about a damage, for a person: what was written and how far outside.
std::string describe(const Damage &damage);

// Finishes the queued work of all devices and returns the damage found at any cudaFree and in the
// living allocations since the last call. The zones are mended: each damage is reported once.
std::vector<Damage> check_guards();

// Says on stderr why a call or a launch is refused, where memory is guarded: a grader reads it.
void say_refused(const std::string &what);

// Device allocations that are not freed: how many, and their bytes.
std::size_t live_allocations();
std::size_t live_bytes();
// Arrays that cudaHostRegister has pinned, and that still are.
std::size_t live_registrations();

// Kernels launched so far, on any device; those that break a limit are left out.
std::size_t launches();

// From now on it is called for each of them, with the sizes in x, y and z.
using LaunchNote = void(int device, const std::array<unsigned, 3> &grid,
                        const std::array<unsigned, 3> &block);
void watch_launches(LaunchNote *note);

// From now on it is called after each copy of bytes that lie side by side between the host's memory
// and a device's, in the order of the streams.
using CopyNote = void(void *to, const void *from, std::size_t bytes, bool to_device);
void watch_copies(CopyNote *note);

// True if kernels may have shared memory with host code, without copies: there has been managed
// memory, or page-locked memory that no copy took part in.
bool host_memory_is_shared();

// The work of one launch's kernel so far, in all launches at that place.
struct Work {
  struct Accesses {
    std::uint64_t number = 0, bytes = 0; // of threads
    std::uint64_t requests = 0;          // of warps: see checkers/requests.h
    std::uint64_t sectors = 0;           // of 32 bytes, in global memory, that these touch
    std::uint64_t coalesced = 0;         // and with the bytes of each request side by side
    std::uint64_t conflicts = 0;         // of banks, in shared memory: extra wavefronts
  };
  std::string kernel; // with the place of its launch
  std::uint64_t launches = 0;
  Accesses global[2], shared[2];             // loads, stores
  std::uint64_t mma_float = 0, mma_half = 0; // calls of mma_sync by warps: the type of the sums
};

// In the order of their first launches, while COURSE_CPU_COUNT asks for it.
std::vector<Work> counted_work();

// The host's requests to the device so far, while COURSE_CPU_COUNT asks for them.
struct HostWork {
  std::uint64_t copies = 0;        // that were done: those of a graph in each of its launches
  std::uint64_t waits = 0;         // calls in which the host waited for work that was not done
  std::uint64_t waits_between = 0; // of these between the first and the last launch of one kernel
  std::uint64_t chain = 0; // copies, fills and kernels that run one after the other: of all that
                           // streams, events and waits put in an order, the most
  std::uint64_t bytes_to_host = 0; // by copies
  std::uint64_t library_calls = 0; // operations in which NCCL or cuBLAS read memory
  std::uint64_t library_bytes = 0; // that these read
};
HostWork counted_host_work();

// As cudaGetLastError(), but for the tools nobody has asked: the program itself has not.
int take_last_error(); // a cudaError_t

// The effect of each launch from now on: its kernel runs; it succeeds, and its kernel does nothing;
// or it fails with cudaErrorInvalidValue, like one that asks for too much shared memory.
enum class Launches { run, do_nothing, fail };
void treat_launches(Launches treatment);

} // namespace course_cpu
