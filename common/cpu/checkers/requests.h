// Requests of warps to memory, and their costs, in the terms of Nsight Compute.
//
// A request is one instruction of a warp, for all its lanes. In global memory it costs as many
// sectors, aligned pieces of 32 bytes, as its lanes touch; "if coalesced": as many as it would if
// the bytes of the lanes were adjacent. In shared memory a wavefront brings one 4-byte word from
// each of the 32 banks; each further wavefront that a request needs is a bank conflict. Accesses of
// 8 bytes are served by half warps, those of 16 bytes by quarters; each of these needs a wavefront
// without a conflict.
//
// Lanes run one after the other here, so a request is the k-th execution of a machine instruction
// by each lane, counted from the last __syncthreads, or from the last operation at which all lanes
// converged. In an algorithm of Thrust or CUB, a kernel of one thread, it is 32 executions in a
// row. The result is the GPU's where lanes run together. It is an estimate where lanes skip
// different rounds of one loop, and where g++ and nvcc choose different instructions (a structure
// of 12 bytes is three accesses for both, one of 16 bytes is one here). An atomic counts as a load
// and a store. tests/count/requests.cu had the same sectors and conflicts under Nsight Compute on
// an H200, except for `rounds` (lanes that skip rounds) and atomics.
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
