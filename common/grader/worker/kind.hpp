// Kinds of verdicts on a submission, or on one case of its judge. common/grader/README.md explains
// them. The worker names its findings by the enumerator's number.
#pragma once

#include <cstdint>
#include <string>

namespace course {

enum class Kind : unsigned char {
  pass,
  not_started,
  value,
  input,
  oob,
  leak,
  idle,
  work,
  launch,
  exit,
  crash,
  deadlock,
  timeout,
  memory,
  processes,
  output,
  forgery,
  compile,
  fault,
  error // grading itself failed, which says nothing of the submission
};

constexpr const char *kind_names[] = {"pass",   "not-started", "value",   "input",  "oob",
                                      "leak",   "idle",        "work",    "launch", "exit",
                                      "crash",  "deadlock",    "timeout", "memory", "processes",
                                      "output", "forgery",     "compile", "fault",  "error"};

constexpr int kind_count = sizeof kind_names / sizeof *kind_names;
static_assert(kind_count == int(Kind::error) + 1);

constexpr const char *name(Kind kind) { return kind_names[int(kind)]; }

// A finding of the worker, as the reply holds it: with the parameter (1, 2, ...) whose host array
// was written outside of; or the bytes of a device array, and how many have changed from its end
// on; or whether the error is a launch's configuration.
struct Found {
  Kind kind;
  std::string text;
  std::uint64_t parameter = 0, bytes = 0, past_end = 0, of_launch = 0;
};

} // namespace course
