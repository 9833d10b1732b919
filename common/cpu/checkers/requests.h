// What warps ask of the memory: which accesses of a warp's lanes are one request, and what that
// costs. common/cpu/README.md, "Counted work", has the rules.
#pragma once

#include "course_cpu_grader.h"
#include "shadow.h"

#include <cstddef>
#include <cstdint>

namespace course_cpu {
namespace tools {

// An access of up to 16 bytes by the thread that runs. `sum` is complete when the block has ended.
// The one thread of a library's kernel stands for many.
void add_to_request(Work::Accesses &sum, std::uintptr_t address, std::size_t bytes, bool shared,
                    bool is_store, bool of_library, Code code);

// All threads of the block are at a barrier, or have ended; all lanes of the warp have met: what
// they do from now on belongs to other requests.
void end_requests();
void end_requests_of_warp(unsigned warp);

} // namespace tools
} // namespace course_cpu
