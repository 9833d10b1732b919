// Environment variables.
#pragma once

#include <cstdlib>
#include <string>

namespace course {

// The variable of that name; `otherwise` where it is not set, or empty.
inline std::string variable(const char *name, const std::string &otherwise = "") {
  const char *value = std::getenv(name);
  return value && *value ? value : otherwise;
}

} // namespace course
