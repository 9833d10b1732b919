// The verdicts of one `check` as JUnit XML. formats.py makes the other formats from their JSON.
#pragma once

#include "common/grader/judge/verdict.hpp"

namespace course {

std::string junit(const std::vector<Verdict> &verdicts);

} // namespace course
