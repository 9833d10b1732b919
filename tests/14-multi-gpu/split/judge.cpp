// Judges exercise 14-multi-gpu/split: lists of any length, on devices of which none has memory for
// the whole list; and that the devices may work at the same time.
#include "common/grader/judge/judge.hpp"
#include "exercises/14-multi-gpu/split.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cmath>

namespace {

using Question = course::Question<decltype(split)>;

void call(Question question, float factor, const std::vector<float> &in) {
  std::vector<float> out;
  for (const float x : in)
    out.push_back(factor * x);
  question.with(int(in.size()), factor, in, course::output(out));
}

void ask_also(course::Judge &judge, Question question, int n) {
  call(question, judge.number(1.5f, 4.5f),
       judge.numbers<float>(n)); // every product is rounded once
}

Question ask(course::Judge &judge, int n, int devices, const std::string &also = "") {
  auto question = judge.ask<decltype(split)>(
      std::to_string(n) + " numbers, devices: " + std::to_string(devices) + also);
  ask_also(judge, question, n);
  question.environment("COURSE_CPU_DEVICES", std::to_string(devices));
  return question;
}

} // namespace

TEST_CASE("each number is multiplied") {
  course::Judge judge;
  for (int n : judge.sizes(100'000))
    ask(judge, n, judge.number(1, 4));
  ask(judge, judge.number(1, 2), 3); // fewer numbers than devices
  const int n = judge.number(1000, 3000);
  const Question special = ask(judge, n, 2, ", then some that are not finite; and times 0");
  for (const float factor : {1.5f, 0.0f, INFINITY})
    call(special, factor,
         judge.sprinkled(judge.numbers<float>(n), {NAN, INFINITY, -INFINITY, 0, 3e38f, 1e-40f}));
  judge.run();
}

TEST_CASE("no device has memory for the whole list") {
  course::Judge judge;
  for (const int devices : {2, judge.number(3, 5), judge.number(6, 9)})
    for (const int largest : {judge.number(60'000, 70'000), judge.number(20, 90)}) // share
      for (const int less : {0, 1}) // one of them has a number less
        ask(judge, devices * largest - less, devices,
            ", each with memory for " + std::to_string(largest) + " of them")
            .environment("COURSE_CPU_MEMORY", std::to_string(largest * sizeof(float)));
  ask(judge, judge.number(2, 3), 4, ", each with memory for one of them")
      .environment("COURSE_CPU_MEMORY", "4");
  judge.run();
}

TEST_CASE("in another order of the streams; several calls; and kernels that do nothing") {
  course::Judge judge;
  const int n = 32 * judge.number(31, 90) + 31;
  for (const char *order : {"reverse", "random:1"})
    ask(judge, n, 3, std::string(", streams in another order: ") + order)
        .environment("COURSE_CPU_ORDER", order);
  const Question several = ask(judge, n, 2, ", then twice as many, then again");
  ask_also(judge, several, 2 * n);
  auto in = judge.numbers<float>(n);
  call(several, 2, in);
  in[n / 2] += 1; // alone
  call(several, 2, in);
  call(several, 3, in);
  ask(judge, n, 2, ", kernels do nothing").without_kernels();
  judge.run();
}

TEST_CASE("the devices work at the same time") {
  course::Judge judge;
  // More than 64 KiB each, so that a copy from pageable memory would make the host wait; or 1 MiB.
  const char *const meaning =
      "the host waits in the loop over the devices, and only then gives work to those after it.";
  for (auto [devices, share] : {std::pair(3, judge.number(20'000, 30'000)),
                                {5, judge.number(20'000, 30'000)},
                                {3, judge.number(270'000, 300'000)}})
    ask(judge, devices * share, devices, ", counted").overlaps(meaning, devices);
  judge.run();
}

TEST_CASE("as many numbers as there may be", "[large]") {
  course::Judge judge;
  const int n = 20'000'000 - judge.number(1, 255);
  judge.ask<decltype(split)>(std::to_string(n) + " numbers, one device")
      .environment("COURSE_CPU_DEVICES", "1")
      .with(n, 2, std::vector<float>(n, 3.0f), course::output(std::vector<float>(n, 6.0f)));
  judge.run();
}
