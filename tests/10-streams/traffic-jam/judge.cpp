// Judges exercise 10-streams/traffic-jam: the values; and that parts may overlap.
#include "common/grader/judge/judge.hpp"
#include "exercises/10-streams/traffic-jam.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cmath>

namespace {

using Question = course::Question<decltype(traffic_jam)>;

void ask_also(Question question, const std::vector<float> &in, int parts, float gain,
              float offset) {
  std::vector<float> out;
  for (float sample : in)
    out.push_back(gain * sample + offset);
  question.with(int(in.size()), parts, gain, offset, in, course::output(out));
}

void ask_also(course::Judge &judge, Question question, int n, int parts) {
  std::vector<float> in;
  for (int i = 0; i < n; ++i) // whole numbers, which nothing rounds
    in.push_back(judge.number(1, 10'000));
  ask_also(question, in, parts, judge.number(2, 9), judge.number(1, 99));
}

Question ask(course::Judge &judge, int n, int parts, const std::string &also = "") {
  auto question = judge.ask<decltype(traffic_jam)>(std::to_string(n) + " samples in " +
                                                   std::to_string(parts) + " parts" + also);
  ask_also(judge, question, n, parts);
  return question;
}

} // namespace

TEST_CASE("every sample is amplified") {
  course::Judge judge;
  int parts = 1;
  for (int n : judge.sizes(60'000))
    ask(judge, n, parts++);
  ask(judge, judge.number(2, 9), 20); // more parts than samples
  // One part with more blocks than a block may have threads: a launch must not exchange the two.
  ask(judge, judge.number(270'000, 300'000), 1);
  judge.run();
}

TEST_CASE("samples that are infinite, below 0, no number; and a gain of 0") {
  course::Judge judge;
  std::vector<float> in(judge.number(300, 900));
  for (float &sample : in)
    sample = judge.number(-10'000, 10'000);
  in = judge.sprinkled(in, {INFINITY, -INFINITY, NAN, -0.0f});
  const Question question = judge.ask<decltype(traffic_jam)>(std::to_string(in.size()) +
                                                             " samples, some of them special");
  for (float gain : {judge.number(2, 9), 0, -1})
    ask_also(question, in, 5, gain, judge.number(1, 99));
  judge.run();
}

TEST_CASE("in another order of the streams; several calls; and who does the work") {
  course::Judge judge;
  const int n = judge.number(5000, 9000), parts = judge.number(5, 20);
  for (const char *order : {"reverse", "random:1", "random:2"})
    ask(judge, n, parts, std::string(", streams in another order: ") + order)
        .environment("COURSE_CPU_ORDER", order);
  const Question several = ask(judge, n, parts, ", then fewer, then again");
  ask_also(judge, several, n / 2, parts);
  ask_also(judge, several, n, parts);
  ask(judge, n, parts, ", kernels do nothing").without_kernels();
  judge.run();
}

TEST_CASE("parts in different streams may overlap") {
  course::Judge judge;
  // So long that a copy from pageable memory makes the host wait: more than 64 KiB each.
  const int length = judge.number(17'000, 20'000), parts = judge.number(12, 15);
  ask(judge, length * parts, parts, ", counted")
      .at_most(&course::Work::waits_between, 0, "the host waits in the loop.")
      .at_most(&course::Work::launches, parts, "the number of parts is not the one asked for.")
      .overlaps("parts wait for others: the host waits in the loop, a copy has a side in pageable "
                "memory, something is in the default stream, there are fewer than four streams, or "
                "an event is between two of them.",
                3);
  judge.run();
}

TEST_CASE("more samples than a float counts, in one part", "[large]") {
  course::Judge judge;
  const int n = (1 << 24) + 1;
  ask_also(judge.ask<decltype(traffic_jam)>(std::to_string(n) + " samples in 1 part"),
           std::vector<float>(n, 8), 1, 3, 5);
  judge.run();
}
