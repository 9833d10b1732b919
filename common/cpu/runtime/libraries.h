// What cuBLAS and NCCL tell the runtime. Both runtimes have these functions, so a library is built
// once: for programs that the tools look into, too.
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
