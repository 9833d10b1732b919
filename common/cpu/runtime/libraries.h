// The interface of cuBLAS and NCCL to the runtime. Both runtimes have these functions, so a library
// is built once, also for programs under the tools.
#pragma once

#include <cstddef>
#include <string>

namespace course_cpu {

// Nobody sees the accesses of a library: it says what a call reads, and what it has written.
void library_reads(const void *from, size_t bytes);
void library_writes(const void *to, size_t bytes);

// Reports what is wrong with a call's arguments.
void library_fault(const std::string &message);

} // namespace course_cpu
