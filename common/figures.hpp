// The measured results of a lesson. Each result is one row of the program's output, and under
// ./course bench also one row of the table of results.
#pragma once

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace course {

// The optional parts of a result, given by name: g++, clang and nvcc accept that in C++17, too.
struct FigureDetails {
  double limit = 0;          // measured in the same run, in the unit of the result
  const char *limit_is = ""; // its name, such as "device copy"
  double seconds = 0;        // the time of one run
};

// Prints a result: its name, the value and its unit, then the details that are given, such as
//   course::figure("add", rate, "GB/s", {.limit = copy, .limit_is = "device copy"});
// If the environment variable COURSE_FIGURES contains the name of a file, the result is also added
// to this file as a line of JSON. So the texts must not contain a quotation mark or a backslash.
inline void figure(const char *what, double value, const char *unit,
                   const FigureDetails &details = {}) {
  const auto [limit, limit_is, seconds] = details;
  std::printf("   %-40s %10.4g %-*s", what, value, seconds > 0 || limit > 0 ? 8 : 0, unit);
  if (seconds > 0)
    std::printf(" %8.4g ms", 1e3 * seconds);
  if (limit > 0)
    std::printf(" %6.1f %% of %s", 100 * value / limit, limit_is);
  std::printf("\n");

  const char *path = std::getenv("COURSE_FIGURES");
  if (!path)
    return;
  std::FILE *file = std::fopen(path, "a");
  if (file) {
    std::fprintf(file, "{\"program\":\"%s\",\"what\":\"%s\",\"value\":%.4g,\"unit\":\"%s\"",
                 program_invocation_short_name, what, value, unit);
    if (seconds > 0)
      std::fprintf(file, ",\"seconds\":%.4g", seconds);
    if (limit > 0)
      std::fprintf(file, ",\"limit\":%.4g,\"limit_is\":\"%s\"", limit, limit_is);
    std::fputs("}\n", file);
  }
  if (!file || std::fclose(file) != 0) { // fclose writes the short line
    std::fprintf(stderr, "COURSE_FIGURES: cannot add to %s: %s\n", path, std::strerror(errno));
    std::exit(EXIT_FAILURE);
  }
}

} // namespace course
