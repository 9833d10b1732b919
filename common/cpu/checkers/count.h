// Counted work: with COURSE_CPU_COUNT an instrumented program counts the loads and stores of its
// kernels, and what the host asks of the device, instead of judging them.
#pragma once

#include "shadow.h"

#include <cstddef>
#include <cstdint>

namespace course_cpu {
namespace tools {

struct Operation;

extern bool counting; // COURSE_CPU_COUNT is set

// An operation that has run, after those that are ordered before it.
void count_operation(const Operation &operation);

// From now on accesses belong to this kernel.
void count_kernel(const Operation &operation);

// By a copy from device memory.
void count_bytes_to_host(std::size_t bytes);

// By the operation that runs, of a library.
void count_library_read(std::size_t bytes);

// One load or store of 1 to 16 bytes by a thread of the kernel; of any address. `code`: where.
void count_access(std::uintptr_t address, std::size_t bytes, bool is_store, Code code);

} // namespace tools
} // namespace course_cpu
