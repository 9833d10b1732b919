// Judges what a worker left: its reply and its output.
#pragma once

#include "common/grader/judge/exchange.hpp"
#include "common/grader/judge/verdict.hpp"
#include "common/grader/sandbox/sandbox.hpp"

#include <optional>

namespace course {

// True if loads and stores are counted for this case. A worker counts, or is under a tool.
bool is_counted(const Case &its_case);

extern const Finding no_reply; // for malformed replies

// Reads one case's part of the reply, with the answers to `calls`. Nothing when the reply ends
// before it.
std::optional<Finding> judge_reply(const Case &its_case, const Calls &calls, std::uint64_t nonce,
                                   Reply &reply);

// Compares loads, stores and what else was counted with the limits of the case.
Finding judge_work(const Case &its_case, const std::vector<KernelWork> &kernels);

// A case that runs the whole program.
Finding judge_program(const Case &its_case, const Outcome &outcome);

} // namespace course
