// The runtime's records for a timeline: COURSE_TIMELINE (timeline_records.hpp).
#pragma once

#include <cstddef>
#include <cstdint>

namespace course_cpu {

// A stretch of time, from the object's construction to its end. Work of the device lies in the row
// of the stream whose work this thread runs, a wait in that of the host.
class Span {
public:
  enum Kind { kernel, copy, fill, wait };
  Span(Kind kind, const char *name, std::size_t bytes = 0);
  ~Span();
  Span(const Span &) = delete;
  Span &operator=(const Span &) = delete;

private:
  Kind kind_;
  const char *name_; // lives as long; nullptr: nothing is recorded
  std::size_t bytes_;
  std::int64_t begin_;
};

} // namespace course_cpu
