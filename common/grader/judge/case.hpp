// One case of a judge as a value: what is asked of the learner's function or program, and what is
// right.
#pragma once

#include "common/grader/judge/verdict.hpp"
#include "common/grader/worker/launches.hpp"
#include "common/grader/worker/work.hpp"

#include <cstddef>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace course {

// The numbers of arrays that host code has to see by the specification: none; those of inputs,
// which it converts; those of results, from which it computes what the function gives.
enum class Host { sees_nothing, sees_inputs, sees_results, sees_all };

using Bytes = std::vector<unsigned char>;

// Compares and prints elements of one type.
struct Element {
  std::size_t bytes;
  bool (*same)(const void *expected, const void *came, double tolerance);
  double (*number)(const void *);
  std::string (*text)(const void *);
  bool is_float;
};

template <class T> T value_at(const void *at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

template <class T> Element element_of() {
  static_assert(std::is_arithmetic_v<T>, "arrays hold numbers");
  return {sizeof(T),
          [](const void *expected, const void *came, double tolerance) {
            T e = value_at<T>(expected), c = value_at<T>(came);
            if (e == c)
              return true;
            if constexpr (std::is_floating_point_v<T>)
              return std::isnan(e) ? std::isnan(c) : std::fabs(double(e) - double(c)) <= tolerance;
            return std::fabs(double(e) - double(c)) <= tolerance;
          },
          [](const void *at) { return double(value_at<T>(at)); },
          [](const void *at) {
            std::ostringstream out;
            out.precision(std::numeric_limits<T>::max_digits10);
            out << +value_at<T>(at);
            return out.str();
          },
          std::is_floating_point_v<T>};
}

// The content of an output before the call: a signalling NaN, which no arithmetic gives, or an
// integer far from 0. Its lower bits are drawn once, and no program knows them.
std::uint64_t drawn_bits();
template <class T> Bytes unwritten() {
  std::uint64_t bits = drawn_bits();
  if (std::is_same_v<T, float>)
    bits = (bits & 0x003F'FFFF) | 0x7F80'0001;
  else if (std::is_same_v<T, double>)
    bits = (bits & 0x0007'FFFF'FFFF'FFFF) | 0x7FF0'0000'0000'0001;
  else
    bits |= std::uint64_t(1) << (8 * sizeof(T) - 1);
  return {reinterpret_cast<unsigned char *>(&bits),
          reinterpret_cast<unsigned char *>(&bits) + sizeof(T)};
}

// The result of a usual mistake. `meaning` completes "Often: ", without a full stop.
struct Mistake {
  Bytes values;
  std::string meaning;
};

// One parameter of a call: a scalar (count 1, no pointer) or the array that a pointer points at.
struct Parameter {
  Element element{};
  bool pointer = false;
  bool constant = true;    // an input: it must come back as it was sent
  bool output = false;     // it must be written completely: sent as unwritten()
  std::size_t count = 1;   // elements
  std::size_t columns = 0; // of a picture or matrix; 0: a list
  double tolerance = 0;    // largest absolute difference that counts as equal
  Bytes before, expected;
  std::vector<Mistake> mistakes; // of an array that is written
};

template <class T> Bytes bytes_of(const T *values, std::size_t count) {
  Bytes bytes(count * sizeof(T));
  if (count)
    std::memcpy(bytes.data(), values, bytes.size());
  return bytes;
}

struct Call {
  std::vector<Parameter> parameters;
  std::size_t result_bytes = 0;
  std::function<Finding(const void *result)> result_complaint; // the error in it
};

struct WorkLimit {
  std::uint64_t Work::*what;
  std::uint64_t limit;
  std::string meaning;
  int parts = 0; // instead of `limit`: all copies and kernels, divided by this
  bool is_least = false;
};

// One case: calls in one process, or on several ranks, or a run of the whole program.
struct Case {
  std::string title;
  int ranks = 0;           // of MPI; 0: one process that knows nothing of MPI
  std::vector<Call> calls; // none: the whole program; call k is on rank k % ranks
  std::vector<std::string> arguments;
  std::vector<std::pair<std::string, std::string>> environment;
  bool needs_kernel = true;
  std::size_t most_launches = 0; // of kernels; 0: any number
  // Blocks of the grid, threads of a block, in x, y and z, of one launch at least; 0: any number.
  std::array<std::uint64_t, 3> grid{}, block{};
  int device = -1; // of all launches; -1: any
  Launches launches = Launches::run;
  bool nothing_right = false;     // no output may come back right: its kernels do nothing
  Host host = Host::sees_nothing; // when such a case is asked again, with kernels
  std::vector<WorkLimit> work;
  bool again = false;  // each call was one of another case
  bool fails = false;  // it has to end with an exit code that is not 0
  bool faults = false; // a kernel has to end at a fault: what tools say of it is no verdict
  std::vector<std::string> printed, not_printed;
};

using Calls = std::vector<const Call *>;

} // namespace course
