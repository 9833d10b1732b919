// The limits of a device: those of compute capability 8.6.
#pragma once

#include <cstddef>

namespace course_cpu {

constexpr size_t shared_default = 48 << 10;  // bytes that a block may use without asking
constexpr size_t shared_opt_in = 101376;     // bytes that it may ask for
constexpr size_t shared_processor = 102400;  // bytes of a multiprocessor
constexpr size_t shared_reserved = 1024;     // bytes that each resident block costs on top
constexpr unsigned threads_processor = 1536; // resident threads of a multiprocessor
constexpr unsigned blocks_processor = 16;    // resident blocks of a multiprocessor
constexpr unsigned threads_block = 1024;
constexpr unsigned dimension_z = 64;
constexpr unsigned grid_yz = 65535;

} // namespace course_cpu
