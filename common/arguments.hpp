// Arguments of the lessons' programs: whole numbers at fixed positions, each with a default value.
#pragma once

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>

namespace course {

// The whole number at `position` of the command line, or `standard` if there is no such argument.
// `name` is its name in messages. If the argument is not a number from `least` to `most`, prints an
// error and ends the program with exit code 2.
inline long count_argument(int argc, char **argv, int position, const char *name, long standard,
                           long most = INT_MAX, long least = 1) {
  if (position >= argc)
    return standard;
  char *end = nullptr;
  errno = 0;
  const long value = std::strtol(argv[position], &end, 10);
  if (end != argv[position] && *end == '\0' && errno == 0 && value >= least && value <= most)
    return value;
  std::fprintf(stderr, "%s: %s is \"%s\"; it must be a whole number from %ld to %ld\n", argv[0],
               name, argv[position], least, most);
  std::exit(2);
}

// If there are more than `most` arguments, prints `usage`, such as "[n]", and ends the program with
// exit code 2.
inline void expect_arguments(int argc, char **argv, int most, const char *usage) {
  if (argc - 1 <= most)
    return;
  std::fprintf(stderr, "%s: \"%s\" is one argument too many; usage: %s %s\n", argv[0],
               argv[most + 1], argv[0], usage);
  std::exit(2);
}

} // namespace course
