// Faults in host code.
#pragma once

#include <csignal>

namespace course_cpu {

// Says what happened, and what that often means; in the instrumented build also where. `code` and
// `stack` are the registers of the code that the signal interrupted.
void report_host_fault(const siginfo_t &info, const void *code, const void *stack);

} // namespace course_cpu
