// Common patterns of wrong values, and their usual meaning. A pattern is true of all of the values;
// a guess follows only where the values bear it out.
#pragma once

#include "common/grader/judge/case.hpp"

#include <string>
#include <vector>

namespace course {

// One array: what was sent, expected and came, element by element.
struct View {
  const Parameter &array;
  const Bytes &came;
  bool has_kernels = true; // the exercise; else nothing that comes of them explains a value

  const void *at(const Bytes &bytes, std::size_t i) const {
    return bytes.data() + i * array.element.bytes;
  }
  double number(std::size_t i) const { return array.element.number(at(came, i)); }
  double expected(std::size_t i) const { return array.element.number(at(array.expected, i)); }

  // It came back as it was sent; of an output: nobody wrote it.
  bool untouched(std::size_t i) const {
    return std::memcmp(at(array.before, i), at(came, i), array.element.bytes) == 0;
  }
  // Only an array that is both input and output has such elements: they must not change.
  bool stays(std::size_t i) const {
    return !array.output && !array.constant &&
           std::memcmp(at(array.before, i), at(array.expected, i), array.element.bytes) == 0;
  }
  bool unwritten(std::size_t i) const { return array.output && untouched(i); }
  bool right(std::size_t i) const { return !unwritten(i) && holds(i, i); }
  // Element i holds what belongs at j.
  bool holds(std::size_t i, std::size_t j) const {
    return array.element.same(at(array.expected, j), at(came, i), array.tolerance);
  }
  // These values came, as many.
  bool is_all(const Bytes &values) const {
    for (std::size_t i = 0; i < array.count; ++i)
      if (unwritten(i) || !array.element.same(at(values, i), at(came, i), array.tolerance))
        return false;
    return true;
  }
  // It is as device memory that nobody wrote: the worker fills that with 0xFF. Where there are no
  // kernels, an int of these bytes is a -1 that somebody wrote.
  bool fresh(std::size_t i) const {
    const auto *byte = static_cast<const unsigned char *>(at(came, i));
    return has_kernels && array.element.bytes >= 4 &&
           std::count(byte, byte + array.element.bytes, 0xFF) == long(array.element.bytes);
  }
};

// Several guesses as one; empty when there are none.
std::string often(const std::vector<std::string> &guesses);

// Of an array whose elements at `wrong` are wrong, at least one; empty when nothing is seen. That a
// NaN is computed (About) is not borne out where an argument is NaN or infinite, or where an
// earlier call was right.
Remark pattern(const View &view, const std::vector<std::size_t> &wrong);

// Of one number that is wrong; the fact is empty, or a blank and what is seen.
Remark pattern(const Element &element, const void *expected, const void *came,
               bool has_kernels = true);

} // namespace course
