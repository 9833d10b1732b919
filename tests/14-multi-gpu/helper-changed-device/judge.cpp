// Judges exercise 14-multi-gpu/helper-changed-device: lists of any length, on each of several
// devices, in one chunk and in many.
#include "common/grader/judge/judge.hpp"
#include "exercises/14-multi-gpu/helper-changed-device.hpp"

#include <catch2/catch_test_macros.hpp>

#include <climits>
#include <cmath>

namespace {

using Question = course::Question<decltype(helper_changed_device)>;

void ask_also(course::Judge &judge, Question question, int n, int task) {
  std::vector<float> in, out;
  for (int i = 0; i < n; ++i) // not their own squares; each square is rounded once
    in.push_back(judge.number(1.5f, 2000.0f) * (judge.number(0, 1) ? 1 : -1));
  if (n > 100)
    in = judge.sprinkled(in, {3e38f, -INFINITY, 1e-20f}); // squares: infinite, subnormal
  for (const float x : in)
    out.push_back(x * x);
  question.with(n, task, in, course::output(out));
}

Question ask(course::Judge &judge, int n, int task, int devices, const std::string &also = "") {
  auto question = judge.ask<decltype(helper_changed_device)>(
      std::to_string(n) + " numbers, task " + std::to_string(task) +
      ", devices: " + std::to_string(devices) + also);
  ask_also(judge, question, n, task);
  question.environment("COURSE_CPU_DEVICES", std::to_string(devices));
  if (!COURSE_CUDA) // a machine has as many GPUs as it has
    question.launches_on(task % devices);
  return question;
}

} // namespace

TEST_CASE("each number is squared, with any number of devices") {
  course::Judge judge;
  for (int n : judge.sizes(50'000)) {
    const int task = judge.number(0, 6), devices = judge.number(1, 4);
    ask(judge, n, task, devices);
  }
  judge.run();
}

TEST_CASE("on each device; several tasks; many chunks; and kernels that do nothing") {
  course::Judge judge;
  const int n = 32 * judge.number(31, 90) + 31;
  for (const int task : {0, 1, 2, INT_MAX})
    ask(judge, n, task, 3);
  Question several = ask(judge, n, 1, 3, ", then tasks 0 and 5");
  several.launches_on(-1);
  ask_also(judge, several, 2 * n, 0);
  ask_also(judge, several, n, 5);
  std::vector<float> in(n, 3), out(n, 9);
  several.with(n, 5, in, course::output(out));
  in[n / 2] = 4; // alone
  out[n / 2] = 16;
  several.with(n, 5, in, course::output(out));
  ask(judge, judge.number(50'000, 60'000), 0, 2, ", little memory")
      .environment("COURSE_CPU_MEMORY", "100000");
  ask(judge, n, 0, 2, ", kernels do nothing").without_kernels();
  // Chunks of 250 numbers; the last one is shorter, or a few numbers.
  for (const int rest : {judge.number(50, 200), judge.number(1, 7)})
    ask(judge, 250 * judge.number(3, 6) + rest, 0, 2, ", little memory, kernels do nothing")
        .environment("COURSE_CPU_MEMORY", "4000")
        .without_kernels();
  judge.run();
}

TEST_CASE("the fullest device decides, whichever it is") {
  if (COURSE_CUDA)
    return; // there all memory of the GPU is free
  course::Judge judge;
  for (int fullest = 0; fullest < 3; ++fullest) {
    const int free = judge.number(2000, 3000); // bytes; elsewhere there is room for the whole list
    std::string memory;
    for (int gpu = 0; gpu < 3; ++gpu)
      memory += (gpu ? "," : "") + std::to_string(gpu == fullest ? free : 1'000'000);
    for (const int after : {0, judge.number(1, 2)}) // the fullest itself, and another one
      ask(judge, judge.number(2000, 3000), (fullest + after) % 3, 3,
          ", GPU " + std::to_string(fullest) + " has " + std::to_string(free) +
              " bytes, and a chunk may have a quarter of that")
          .environment("COURSE_CPU_MEMORY", memory)
          .device_memory(free / 4);
  }
  const int free = judge.number(2000, 3000), all = 10 * free;
  Question twice = ask(judge, 3000, 0, 2,
                       " of " + std::to_string(all) + " bytes; again when " + std::to_string(free) +
                           " of them are free");
  ask_also(judge, twice, 3000, 0);
  twice.environment("COURSE_CPU_MEMORY", std::to_string(all))
      .taken_before_the_last_call(all - free);
  judge.run();
}

TEST_CASE("as many numbers as there may be", "[large]") {
  course::Judge judge;
  const int n = 20'000'000 - judge.number(1, 255);
  judge.ask<decltype(helper_changed_device)>(std::to_string(n) + " numbers, one device")
      .environment("COURSE_CPU_DEVICES", "1")
      .with(n, 0, std::vector<float>(n, 3.0f), course::output(std::vector<float>(n, 9.0f)));
  judge.run();
}
