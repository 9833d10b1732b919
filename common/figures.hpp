// The measured results of a lesson. Each result is one row of the program's output. Under
// ./course bench, it is also one row of the table of results.
#pragma once

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace course {

// Prints one row: a name, the value and its unit. If they are given, also the time of one run, and
// the share of `limit` (in the same unit, measured in the same run).
inline void print_figure(const char *what, double value, const char *unit, double limit,
                         const char *limit_is, double seconds) {
  std::printf("   %-40s %10.4g %-*s", what, value, seconds > 0 || limit > 0 ? 8 : 0, unit);
  if (seconds > 0)
    std::printf(" %8.4g ms", 1e3 * seconds);
  if (limit > 0)
    std::printf(" %6.1f %% of %s", 100 * value / limit, limit_is);
  std::printf("\n");
}

// Prints the row. If the environment variable COURSE_FIGURES contains the name of a file, the row
// is also added to this file: program, what, value, unit, limit, limit_is, seconds, separated by
// tabs. So the texts must not contain a tab.
inline void figure(const char *what, double value, const char *unit, double limit = 0,
                   const char *limit_is = "", double seconds = 0) {
  print_figure(what, value, unit, limit, limit_is, seconds);
  const char *path = std::getenv("COURSE_FIGURES");
  if (!path)
    return;
  std::FILE *file = std::fopen(path, "a");
  if (file)
    std::fprintf(file, "%s\t%s\t%.6g\t%s\t%.6g\t%s\t%.6g\n", program_invocation_short_name, what,
                 value, unit, limit, limit_is, seconds);
  if (!file || std::fclose(file) != 0) { // fclose writes the short row
    std::fprintf(stderr, "COURSE_FIGURES: cannot add to %s: %s\n", path, std::strerror(errno));
    std::exit(EXIT_FAILURE);
  }
}

} // namespace course
