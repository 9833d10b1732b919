// The figures of a lesson: each a row of its output and, under ./course bench, of the bench's
// table.
#pragma once

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace course {

// Prints one row: what was measured, its value and unit and, where `limit` (in the same unit,
// measured in the same run) is given, the share of it. When the environment's COURSE_FIGURES names
// a file, the row is added there too: program, what, value, unit, limit, limit_is, with tabs
// between them; so the texts hold no tab and no quotation mark.
inline void figure(const char *what, double value, const char *unit, double limit = 0,
                   const char *limit_is = "") {
  std::printf("   %-40s %10.4g %s", what, value, unit);
  if (limit > 0)
    std::printf("%*s %6.1f %% of %s", 8 - int(std::strlen(unit)), "", 100 * value / limit,
                limit_is);
  std::printf("\n");
  const char *path = std::getenv("COURSE_FIGURES");
  if (!path)
    return;
  std::FILE *file = std::fopen(path, "a");
  if (!file) {
    std::fprintf(stderr, "COURSE_FIGURES: cannot add to %s: %s\n", path, std::strerror(errno));
    std::exit(EXIT_FAILURE);
  }
  std::fprintf(file, "%s\t%s\t%.6g\t%s\t%.6g\t%s\n", program_invocation_short_name, what, value,
               unit, limit, limit_is);
  std::fclose(file);
}

} // namespace course
