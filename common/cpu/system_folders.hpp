// Files that were installed with the compilers and the system's packages. Programs may lie below
// /usr, too: containers keep them in /usr/src.
#pragma once

#include <filesystem>
#include <string>

namespace course_cpu {

inline bool is_of_system(const std::string &path) {
  // Clang has /usr/bin/../lib/gcc/../../include.
  const std::string file = std::filesystem::path(path).lexically_normal().string();
  for (const char *folder :
       {"/usr/include/", "/usr/lib", "/usr/local/include/", "/usr/local/lib", "/usr/local/cuda"})
    if (file.rfind(folder, 0) == 0)
      return true;
  return false;
}

} // namespace course_cpu
