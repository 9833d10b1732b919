// The environment variables that `check` sets for a judge, and a user for both.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>

namespace course {

// The variable of that name; `otherwise` where it is not set, or empty.
inline std::string variable(const char *name, const std::string &otherwise = "") {
  const char *value = std::getenv(name);
  return value && *value ? value : otherwise;
}

// The seed of everything that a judge draws; `check` draws it, and `bank` does not.
inline std::uint64_t seed() { return std::stoull(variable("COURSE_SEED", "1"), nullptr, 16); }

// The tool that the worker runs under (memcheck, ... or all); empty: none.
inline std::string tool() { return variable("COURSE_TOOL"); }

} // namespace course
