// The judge of one exercise: it draws inputs, asks a worker process that holds the learner's
// function, and compares what comes back. It links no learner's code: only the *type* of the
// function in the contract header is used, as in judge.ask<decltype(axpby)>("257 numbers").
#pragma once

#include "common/grader/judge/case.hpp"
#include "common/grader/judge/pattern.hpp"

#include <algorithm>
#include <deque>
#include <random>

namespace course {

// An array that the function only reads (`const T *`). A std::vector<T> converts to it.
template <class T> struct Input : Parameter {
  Input(const std::vector<T> &values) {
    element = element_of<T>();
    pointer = true;
    count = values.size();
    before = expected = bytes_of(values.data(), count);
  }
};

// An array that the function writes (`T *`); see output() and in_out().
template <class T> struct InOut : Parameter {
  InOut(const std::vector<T> &wanted, double allowed) {
    element = element_of<T>();
    pointer = true;
    constant = false;
    count = wanted.size();
    expected = bytes_of(wanted.data(), count);
    tolerance = allowed;
  }
  // A picture or matrix of rows of that many columns: messages give (row, column).
  InOut &&shape(std::size_t its_columns) && {
    columns = its_columns;
    return std::move(*this);
  }
  // A usual mistake gives these values, as many: messages then say "Often: " and what it is.
  InOut &&often(const std::vector<T> &values, const std::string &meaning) && {
    mistakes.push_back({bytes_of(values.data(), count), meaning});
    return std::move(*this);
  }
};
// Written completely by the function: sent as unwritten(), so a place left out shows.
// tolerance: the largest absolute difference that counts as equal.
template <class T> InOut<T> output(const std::vector<T> &expected, double tolerance = 0) {
  InOut<T> array(expected, tolerance);
  array.output = true;
  const Bytes value = unwritten<T>();
  for (std::size_t i = 0; i < expected.size(); ++i)
    array.before.insert(array.before.end(), value.begin(), value.end());
  return array;
}
// Read and written: sent as `before`, must come back as `expected` (as many elements).
template <class T>
InOut<T> in_out(const std::vector<T> &before, const std::vector<T> &expected,
                double tolerance = 0) {
  InOut<T> array(expected, tolerance);
  array.before = bytes_of(before.data(), before.size());
  array.before.resize(array.expected.size());
  return array;
}

// Maps a parameter's type in the contract to what Question::with takes for it.
template <class P> struct Given {
  static_assert(std::is_arithmetic_v<P>, "parameters are numbers, const T * or T *");
  struct type : Parameter {
    type(P value) {
      element = element_of<P>();
      before = expected = bytes_of(&value, 1);
    }
  };
};
template <class T> struct Given<const T *> { using type = Input<T>; };
template <class T> struct Given<T *> { using type = InOut<T>; };

template <class F> class Question;

// A case that calls the learner's function, once for each with().
template <class R, class... P> class Question<R(P...)> {
public:
  explicit Question(Case &its_case) : its_case_(its_case) {}

  // The arguments in order: numbers; a vector for const T *; output() or in_out() for T *.
  Question &with(typename Given<P>::type... arguments) {
    Call &call = its_case_.calls.emplace_back();
    (call.parameters.push_back(std::move(arguments)), ...);
    if constexpr (!std::is_void_v<R>)
      call.result_bytes = sizeof(R);
    return *this;
  }

  // Runs as that many ranks of MPI. with() is then for one rank: the first for rank 0, the next for
  // rank 1, and so on; after the last rank's, with() begins a second call on every rank.
  Question &ranks(int count) {
    its_case_.ranks = count;
    return *this;
  }

  // The last call must return `expected`; tolerance: the largest absolute difference. Usual
  // mistakes return one of `mistakes`; the text completes "Often: ".
  template <class T>
  Question &returns(T expected, double tolerance = 0,
                    const std::vector<std::pair<T, std::string>> &mistakes = {}) {
    R wanted = static_cast<R>(expected);
    return complain(
        [&its_case = its_case_, wanted, tolerance, mistakes](const void *came) -> Finding {
          Element e = element_of<R>();
          if (e.same(&wanted, came, tolerance))
            return {};
          std::vector<std::string> meanings;
          for (const auto &[value, meaning] : mistakes)
            if (const R its = static_cast<R>(value); e.same(&its, came, tolerance))
              meanings.push_back(meaning);
          Remark seen = meanings.empty() ? pattern(e, &wanted, came, its_case.needs_kernel)
                                         : Remark{"", often(meanings), About::known_mistake};
          seen.fact = "expected " + e.text(&wanted) + "      got " + e.text(came) + seen.fact;
          Finding finding(Kind::value, seen);
          finding.expected = e.text(&wanted);
          return finding;
        });
  }

  // The last call must return something for which predicate(value) holds; `what` completes
  // "expected ...", for instance "a time above 0", and show(value) tells of a struct what came.
  template <class Predicate, class Show>
  Question &returns_such_that(const std::string &what, Predicate predicate, Show show) {
    static_assert(std::is_trivially_copyable_v<R>, "a returned value crosses as bytes");
    return complain([what, predicate, show](const void *came) -> Finding {
      const R value = value_at<R>(came);
      if (predicate(value))
        return {};
      return {Kind::value, "expected " + what + "      got " + show(value)};
    });
  }
  template <class Predicate>
  Question &returns_such_that(const std::string &what, Predicate predicate) {
    return returns_such_that(what, predicate, [](R value) { return element_of<R>().text(&value); });
  }

  // The function may hold that many bytes of device memory at most; the device says that it has
  // more.
  Question &device_memory(std::size_t bytes) {
    return environment("COURSE_DEVICE_MEMORY", std::to_string(bytes));
  }

  // The function may have that many bytes of device memory allocated when it launches a kernel; the
  // device has room for more, so a size that is found by trying is too large.
  Question &allocates_at_most(std::size_t bytes) {
    return environment("COURSE_MOST_ALLOCATED", std::to_string(bytes));
  }

  // Each launch fails, with cudaErrorInvalidValue.
  Question &launches_fail() {
    its_case_.launches = Launches::fail;
    return *this;
  }

  // The function must not return: it ends the program, with an exit code that is not 0 or by an
  // exception that nobody catches, and words of CUDA's reason, such as "invalid" of "invalid
  // argument", are on its output.
  Question &fails(const std::string &reason) {
    its_case_.fails = true;
    its_case_.printed.push_back(reason);
    return *this;
  }

  // Each launch succeeds, and its kernel does nothing.
  Question &kernels_do_nothing() {
    its_case_.launches = Launches::do_nothing;
    return *this;
  }

  // The same, and nothing may come back right, but for what it was before and for what cudaMemset
  // gives: that is work of the host. Draw values for which this cannot happen by chance. On the CPU
  // backend the case is then asked again: kernels run, but host code sees arrays through a mask, so
  // that what it adds to their work is wrong. `host`: what it has to see by the specification.
  Question &without_kernels(Host host = Host::sees_nothing) {
    its_case_.nothing_right = true;
    its_case_.host = host;
    return kernels_do_nothing();
  }

  // All calls together launch so many kernels at most.
  Question &launches_at_most(std::size_t count) {
    its_case_.most_launches = count;
    return *this;
  }

  // A kernel is launched with blocks of so many threads in x and y, and a grid of so many blocks.
  Question &launches_blocks_of(int x, int y = 1) {
    its_case_.block = {std::uint64_t(x), std::uint64_t(y), 1};
    return *this;
  }
  Question &launches_grid_of(int x, int y = 1) {
    its_case_.grid = {std::uint64_t(x), std::uint64_t(y), 1};
    return *this;
  }

  // All kernels run on this device; -1: on any.
  Question &launches_on(int device) {
    its_case_.device = device;
    return *this;
  }

  // A variable of the worker's environment, COURSE_CPU_THREADS for instance.
  Question &environment(const std::string &name, const std::string &value) {
    its_case_.environment.emplace_back(name, value);
    return *this;
  }

  // Before the last call the first device is this much fuller, as by another program.
  Question &taken_before_the_last_call(std::size_t bytes) {
    return environment("COURSE_TAKEN", std::to_string(bytes));
  }

  // Every case has to launch a kernel, except one that says this.
  Question &needs_no_kernel() {
    its_case_.needs_kernel = false;
    return *this;
  }

  // The kernels may do that at most, for instance at_most(&Work::global_loads, 2 * n, "...");
  // counted on the CPU backend with g++, elsewhere nothing is asked. `meaning` completes "Often: ".
  Question &at_most(std::uint64_t Work::*what, std::uint64_t limit, const std::string &meaning) {
    its_case_.work.push_back({what, limit, meaning});
    return *this;
  }

  // The kernels must do that at least, counted as above.
  Question &at_least(std::uint64_t Work::*what, std::uint64_t limit, const std::string &meaning) {
    its_case_.work.push_back({what, limit, meaning, 0, true});
    return *this;
  }

  // Copies and kernels may overlap: the longest chain holds at most half of them, or another part.
  // Counted as above.
  Question &overlaps(const std::string &meaning, int parts = 2) {
    its_case_.work.push_back({&Work::chain, 0, meaning, parts});
    return *this;
  }

private:
  Question &complain(std::function<Finding(const void *)> complaint) {
    its_case_.calls.back().result_complaint.swap(complaint);
    return *this;
  }
  Case &its_case_;
};

// A case that runs the learner's whole program, its own main included.
class Program {
public:
  explicit Program(Case &its_case) : its_case_(its_case) {}
  Program &ranks(int count) { // of MPI
    its_case_.ranks = count;
    return *this;
  }
  Program &arguments(std::vector<std::string> values) {
    its_case_.arguments = std::move(values);
    return *this;
  }
  // On the GPU and on the CPU backend CUDA_VISIBLE_DEVICES, for instance, is understood.
  Program &environment(const std::string &name, const std::string &value) {
    its_case_.environment.emplace_back(name, value);
    return *this;
  }
  Program &fails() { // with any exit code but 0, or by abort(); another crash is no such end
    its_case_.fails = true;
    return *this;
  }
  Program &kernel_faults() { // as asked: it fails, and a tool's report of that fault is no verdict
    its_case_.faults = true;
    return fails();
  }
  // Text that must, or must not, appear on its output (stdout and stderr together).
  Program &prints(const std::string &text) {
    its_case_.printed.push_back(text);
    return *this;
  }
  Program &prints_not(const std::string &text) {
    its_case_.not_printed.push_back(text);
    return *this;
  }

private:
  Case &its_case_;
};

// A size that a float does not hold, one more than a multiple of all blocks of 2^k and 3 * 2^k
// threads.
constexpr int above_floats = 5'533 * 3072 + 1;

// Collects the cases of one Catch2 TEST_CASE and runs them: one process a case on the CPU backend,
// one process until the first failure on a GPU.
class Judge {
public:
  Judge();

  // Random numbers, replayable: COURSE_SEED gives the same ones again.
  template <class T> std::vector<T> numbers(std::size_t count, T low = T(-1), T high = T(1)) {
    std::vector<T> values(count);
    for (T &value : values)
      value = number(low, high);
    return values;
  }
  template <class T> T number(T low, T high) { // low <= number <= high
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(std::uniform_int_distribution<long long>(low, high)(random_));
    else
      return std::uniform_real_distribution<T>(low, high)(random_);
  }

  // Sizes that nobody can foresee, one of each family, from the ordinary to the extreme: a multiple
  // of every block that is a power of two and one more, such a multiple, one less; a prime; an odd
  // one above 3/4 of `largest`, which alone is large; an odd multiple of a warp; one below a
  // warp; 1. `largest` is at least 64.
  std::vector<int> sizes(int largest);

  // The same for rows of columns (columns first): whole warps and one more, whole warps, one less,
  // two primes, one far wider than tall, one far taller than wide, a row, a column. The longer side
  // of the last four is above 3/4 of `longest`, which is at least 512.
  std::vector<std::pair<int, int>> shapes(int longest);

  // The values, with each of `special` in one of their places, as many as there is room for.
  template <class T> std::vector<T> sprinkled(std::vector<T> values, std::vector<T> special) {
    std::shuffle(special.begin(), special.end(), random_);
    special.resize(std::min(special.size(), values.size()));
    for (std::size_t i = 0; i < special.size(); ++i) // one for each stretch of the list
      values[number(i * values.size() / special.size(),
                    (i + 1) * values.size() / special.size() - 1)] = special[i];
    return values;
  }

  template <class F> Question<F> ask(const std::string &title) { return Question<F>(add(title)); }
  Program program(const std::string &title) { return Program(add(title)); }

  // Asks everything that was added, and then the smaller cases again in one process, and fails the
  // Catch2 test case when an answer is wrong.
  void run();

private:
  int prime(int low, int high); // one from low to high, which has to be twice low at least
  int odd_below(int largest);   // and above 3/4 of it

  Case &add(const std::string &title);
  void add_hidden();
  void add_all_again();
  std::mt19937_64 random_;
  std::deque<Case> cases_; // questions refer to them
};

} // namespace course
