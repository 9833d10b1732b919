// Compares a case's loads, stores and host requests with its limits.
#pragma once

#include "common/grader/judge/exchange.hpp"
#include "common/grader/judge/verdict.hpp"

#include <optional>
#include <vector>

namespace course {

// The work of each kernel; nothing when the reply ends before it.
std::optional<std::vector<KernelWork>> work_of(Reply &reply);

// The work that was counted, beside the limits of the case.
Finding judge_work(const Case &its_case, const std::vector<KernelWork> &kernels);

} // namespace course
