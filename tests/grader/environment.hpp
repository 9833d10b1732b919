// What `check` tells a judge, and a user both of them, by environment variables.
#pragma once

#include <cstdlib>
#include <string>

namespace course {

// The variable of that name; `otherwise` where it is not set, or empty.
inline std::string variable(const char *name, const std::string &otherwise = "") {
  const char *value = std::getenv(name);
  return value && *value ? value : otherwise;
}

// The tool that the worker runs under (memcheck, ... or all); empty: none.
inline std::string tool() { return variable("COURSE_TOOL"); }

} // namespace course
