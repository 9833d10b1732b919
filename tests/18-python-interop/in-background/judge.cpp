// Judges exercise 18-python-interop/in-background.
#include "tests/18-python-interop/scripts.hpp"

#include <catch2/catch_test_macros.hpp>

#include <utility>

namespace {

std::vector<float> after_steps(std::vector<float> now, int ny, int nx, double rate, int steps) {
  std::vector<float> next = now;
  for (; steps > 0; --steps) {
    for (int y = 1; y < ny - 1; ++y)
      for (int x = 1; x < nx - 1; ++x) {
        const int i = y * nx + x;
        const double mean = 0.25 * (now[i - 1] + now[i + 1] + now[i - nx] + now[i + nx]);
        next[i] = now[i] + rate * (mean - now[i]);
      }
    std::swap(now, next);
  }
  return now;
}

// A plate of drawn size, and how often and how fast it changes.
struct Plate {
  int ny, nx, steps;
  double rate;
  std::vector<float> before, after;

  explicit Plate(course::Judge &judge, double rate = 0)
      : ny(judge.number(20, 90)), nx(judge.number(100, 300)), steps(judge.number(3, 9)),
        rate(rate ? rate : judge.number(0.2, 0.8)), before(judge.numbers<float>(ny * nx, 0, 100)),
        after(after_steps(before, ny, nx, this->rate, steps)) {}

  // The script's first lines.
  std::string names() const {
    return "ny, nx, steps, rate = " + std::to_string(ny) + ", " + std::to_string(nx) + ", " +
           std::to_string(steps) + ", " + course::element_of<double>().text(&rate) +
           "\nplate = values.reshape(ny, nx)\n";
  }
};

Script ask(course::Judge &judge, const std::string &title) {
  return judge.ask<decltype(python_script)>(title);
}

Script ask_steps(course::Judge &judge, const std::string &title, const Plate &plate,
                 const std::string &lines) {
  Script question = ask(judge, title);
  run(question, plate.names() + lines, plate.before, plate.after, 1e-3);
  return question;
}

void ask_refusals(course::Judge &judge, const std::string &title, const std::string &exception,
                  const std::vector<std::string> &arrays) {
  Script question = ask(judge, title);
  question.needs_no_kernel();
  for (const std::string &array : arrays) {
    const Plate plate(judge);
    raises(question, plate.names() + "exercise.Steps(" + array + ", rate, steps).wait()\n",
           plate.before, exception);
  }
}

} // namespace

TEST_CASE("the plate has the result after wait()") {
  course::Judge judge;
  const std::string steps = "exercise.Steps(plate, rate, steps).wait()\n";
  const std::string first_steps = R"py(before = plate.copy()
try:
    exercise.Steps(plate, rate, steps).wait()
except exercise.ctypes.ArgumentError as error:
    error.args = (f"{error}\nOften: argtypes is missing, or one of its types is wrong",)
    raise
assert (plate != before).any(), \
    "no value changed\nOften: heat_start is not called, or its argtypes has a wrong type"
)py";
  ask_steps(judge, "a plate", Plate(judge), first_steps);
  ask_steps(judge, "the rate is the integer 1", Plate(judge, 1), first_steps);
  ask_steps(judge, "some of a plate's rows", Plate(judge), R"py(before = plate.copy()
rows, alone = plate[2:-1], plate[2:-1].copy()
exercise.Steps(rows, rate, steps).wait()
exercise.Steps(alone, rate, steps).wait()
assert np.array_equal(rows, alone), "the rows differ from a plate that has these rows alone"
assert np.array_equal(plate[:2], before[:2]), "other rows of the plate have changed"
exercise.Steps(before, rate, steps).wait()
values[:] = before.ravel()
)py");
  ask_steps(judge, "kernels do nothing", Plate(judge), steps).without_kernels();
  judge.run();
}

TEST_CASE("arrays that the library cannot use") {
  course::Judge judge;
  ask_refusals(judge, "other types than float32, and no array", "TypeError",
               {"plate.astype(np.float64)", "plate.astype('>f4')", "plate.astype(np.int32)",
                "plate.tolist()", "np.zeros((2 * ny, nx), np.float16)[:ny]", "plate.data",
                "plate[0, 0]"});
  ask_refusals(judge, "not contiguous, not two dimensions, read-only", "ValueError",
               {"plate.T", "plate[:, 1:-1]", "plate[::2]", "np.tile(plate, (2, 1))[ny - 1::-1]",
                "values", "plate[None]", "np.broadcast_to(values[:nx], (ny, nx))",
                "np.frombuffer(plate.tobytes(), np.float32).reshape(ny, nx)"});
  Script fails = ask(judge, "a kernel cannot be launched");
  const Plate plate(judge);
  raises(fails, plate.names() + "exercise.Steps(plate, rate, steps).wait()\n", plate.before,
         "RuntimeError: invalid argument");
  fails.launches_fail().needs_no_kernel();
  judge.run();
}

TEST_CASE("owner and stream") {
  course::Judge judge;
  ask_steps(judge, "nothing but the work refers to the plate", Plate(judge),
            R"py(plate = plate.copy()
alive = weakref.ref(plate)
work = exercise.Steps(plate, rate, steps)
del plate
gc.collect()
assert alive() is not None, "the plate was freed before wait()"
plate = alive()
work.wait()
values[:] = plate.ravel()
)py");
  ask_steps(judge, "nothing but two works refers to their plates", Plate(judge),
            R"py(plates = [plate.copy(), plate.copy()]
alive = [weakref.ref(its) for its in plates]
works = [exercise.Steps(its, rate, steps) for its in plates]
del plates
gc.collect()
assert all(its() is not None for its in alive), "a plate was freed before wait()"
first, second = (its() for its in alive)
for work in works:
    work.wait()
assert np.array_equal(first, second), "the two plates differ, but were the same before"
values[:] = first.ravel()
)py");
  ask_steps(
      judge, "earlier work in the stream has not ended", Plate(judge),
      R"py(exercise.Steps(plate.copy(), rate, 1).wait() # loads the kernel, for which CUDA may wait
plate = grader.pinned(plate)
stream = grader.held_stream()
work = exercise.Steps(plate, rate, steps, stream)
grader.wait_for_default_stream()
early = not np.array_equal(plate, values.reshape(ny, nx))
held = grader.go_on()
work.wait()
assert held, "Steps() waited for its steps: only wait() should"
assert not early, "the steps did not wait for earlier work in their stream"
values[:] = plate.ravel()
)py");
  // The CPU backend's handles are small numbers: half of the address is enough for it.
  ask_steps(judge, "the address of a stream has 64 bits", Plate(judge), R"py(
stream = grader.held_stream()
grader.go_on()
exercise.Steps(plate, rate, steps, stream).wait()
if stream < 2**32:
    another = stream + 2**32
    assert exercise.library.heat_wait(another) != 0, \
        "heat_wait received half of the stream's address: declare its argtypes"
    try:
        exercise.Steps(plate, rate, steps, another)
        assert False, "heat_start received half of the stream's address: see its argtypes"
    except RuntimeError:
        exercise.library.cudaGetLastError() # clears the error
)py");
  judge.run();
}
