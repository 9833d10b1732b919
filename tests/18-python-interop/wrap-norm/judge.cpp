// Judges exercise 18-python-interop/wrap-norm by scripts in Python: what they get, or how they are
// refused.
#include "exercises/18-python-interop/wrap-norm.hpp"
#include "tests/18-python-interop/scripts.hpp"

#include <catch2/catch_test_macros.hpp>

#include <set>
#include <string>
#include <vector>

namespace {

using Question = course::Question<decltype(wrap_norm)>;

const std::string begin = R"(
import numpy as np
import course, heat, sys, threading, time

class OfCuda:
    """Memory of a kind that CUDA gives, as a library on a GPU has it."""
    def __init__(self, values, kind):
        self.address = course.memory(values.nbytes, kind)
        self.about = dict(shape=values.shape, typestr="<f4", data=(self.address, False), version=3)
        if kind != "device":
            class Host:
                __array_interface__ = self.about
            np.asarray(Host())[...] = values
    @property
    def __cuda_array_interface__(self):
        return self.about
    def __del__(self, free=course.free):
        free(self.address)

class Many:
    """An array that says of itself that it has so many elements."""
    def __init__(self, *shape):
        self.__array_interface__ = dict(a.__array_interface__, shape=shape)
)";

Question ask(course::Judge &judge, const std::string &title) {
  return judge.ask<decltype(wrap_norm)>(title);
}

// The script's last lines, which leave the norm of a and b in `result`.
void ask_norm(course::Judge &judge, Question question, int n, const std::string &lines) {
  const auto a = judge.numbers<float>(n, 1, 3), b = judge.numbers<float>(n, -2, 2);
  double squares = 0;
  for (int i = 0; i < n; ++i)
    squares += (double(a[i]) - b[i]) * (double(a[i]) - b[i]);
  question.with(text_of(begin + lines), a, b, n);
  gives(question, std::sqrt(squares), 1e-12 * std::sqrt(squares));
}

// Arguments x and y for which heat.norm(x, y) and heat.norm(y, x) are refused.
struct Pair {
  std::string x, y = "b";
};

// One case, thus one process, for all of them: each takes less time than the import of NumPy.
void ask_refusals(course::Judge &judge, const std::string &title, const std::vector<Pair> &pairs,
                  const std::string &error, const std::string &says = "") {
  auto question = ask(judge, title);
  question.needs_no_kernel();
  for (const auto &[x, y] : pairs)
    for (const std::string &arguments : std::set{x + ", " + y, y + ", " + x}) {
      const int n = 2 * judge.number(50, 500);
      const std::string call = "heat.norm(" + arguments + ")";
      question.with(text_of(begin + call), judge.numbers<float>(n), judge.numbers<float>(n), n);
      raises(question, call, error, says);
    }
}

} // namespace

TEST_CASE("the norm of NumPy's arrays, which are only read") {
  course::Judge judge;
  const auto several = ask(judge, "heat.norm(a, b), several times");
  for (const int n : {judge.number(3, 300), judge.number(200'000, 300'000), 1})
    ask_norm(judge, several, n, "result = heat.norm(a, b)");
  const auto forms = ask(judge, "arrays of several dimensions, and of none; a part of an array");
  const int n = 6 * judge.number(100, 200);
  ask_norm(judge, forms, n, "result = heat.norm(a.reshape(2, 3, -1), b.reshape(2, 3, -1))");
  ask_norm(judge, forms, 1, "result = heat.norm(a.reshape(()), b.reshape(()))");
  ask_norm(judge, forms, n, R"(
x = np.append(b, a)
result = heat.norm(x[a.size:], b.copy())
)");
  auto idle = ask(judge, "kernels do nothing");
  ask_norm(judge, idle, 3001, "result = heat.norm(a, b)");
  idle.without_kernels();
  judge.run();
}

TEST_CASE("arrays of other libraries, and empty ones") {
  course::Judge judge;
  const auto managed = ask(judge, "arrays in managed and pinned memory, as libraries have them");
  const int n = judge.number(1000, 3000);
  ask_norm(judge, managed, n, "result = heat.norm(OfCuda(a, 'managed'), OfCuda(b, 'managed'))");
  ask_norm(judge, managed, n, R"(
x = OfCuda(a.reshape(1, -1), "managed")
x.about["strides"] = (4 * a.size, 4) # as without gaps
result = heat.norm(x, b.reshape(1, -1))
)");
  ask_norm(judge, managed, n, "result = heat.norm(OfCuda(a, 'pinned'), b)");
  auto empty = ask(judge, "empty arrays");
  const std::vector<float> one{1}, two{2};
  empty.with(text_of(begin + "result = heat.norm(a[:0], b[:0])"), one, two, 1).needs_no_kernel();
  gives(empty, 0);
  empty.with(text_of(begin + "result = heat.norm(a[:0].reshape(3, 0), b[:0].reshape(3, 0))"), one,
             two, 1);
  gives(empty, 0);
  judge.run();
}

TEST_CASE("what norm() cannot read") {
  course::Judge judge;
  ask_refusals(judge, "float64, float16, float32 with its bytes in the other order, int32",
               {{"a.astype(np.float64)"},
                {"a.astype(np.float16)"},
                {"a.astype('>f4')"},
                {"a.astype(np.int32)"}},
               "TypeError", "float32");
  const std::string error = "ValueError";
  ask_refusals(judge, "memory of a device", {{"OfCuda(a, 'device')"}}, error, "device");
  ask_refusals(judge, "every second element; a transposed matrix",
               {{"np.repeat(a, 2)[::2]"},
                {"np.repeat(a, 2)[::2]", "np.repeat(b, 2)[::2]"},
                {"a.reshape(-1, 2).T", "b.reshape(2, -1)"}},
               error);
  ask_refusals(judge, "one element less, as many in other rows or columns, none and many",
               {{"a[1:]"},
                {"a.reshape(-1, 1)"},
                {"a.reshape(2, -1)", "b.reshape(-1, 2)"},
                {"a.reshape(1, 2, -1)", "b.reshape(1, -1, 2)"},
                {"a[:0]"},
                {"a[:0].reshape(3, 0)", "b[:0].reshape(0, 3)"}},
               error);
  for (const std::string many : {"Many(2**32 + 3)", "Many(2**31)", "Many(2**16, 2**15)"})
    ask_refusals(judge, "more elements than an int counts", {{many, many}}, error);
  judge.run();
}

TEST_CASE("no device") {
  course::Judge judge;
  judge.program("without a device the program's script gets an exception")
      .environment("CUDA_VISIBLE_DEVICES", "")
      .fails()
      .prints("RuntimeError: no CUDA-capable device is detected");
  judge.run();
}

// Python's threads change only where one gives up the lock.
TEST_CASE("other threads of Python run meanwhile") {
  course::Judge judge;
  ask_norm(judge, ask(judge, "the device waits until another thread of Python has run"),
           judge.number(1000, 3000), R"(
sys.setswitchinterval(1000)
may_run = threading.Lock()
may_run.acquire()
def run():
    may_run.acquire()
    for _ in range(10): # who gives the lock up for a moment alone has it again before the last turn
        time.sleep(0.01)
    course.go_on()
thread = threading.Thread(target=run)
thread.start()
course.hold_device()
may_run.release()
norm = heat.norm(a, b)
assert course.came_in_time(), "no other thread of Python has run until the norm was there"
thread.join()
result = norm
)");
  judge.run();
}
