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

// An odd number of eighths, up to this many: not whole, and nothing rounds a product of two and the
// sum with a third.
float odd_eighths(course::Judge &judge, int most) {
  return (2 * judge.number(1, most / 2) + 1) / 8.0f;
}

void ask_also(course::Judge &judge, Question question, int n, int parts) {
  std::vector<float> in;
  for (int i = 0; i < n; ++i)
    in.push_back(odd_eighths(judge, 8191));
  ask_also(question, in, parts, odd_eighths(judge, 31), odd_eighths(judge, 255));
}

Question ask(course::Judge &judge, int n, int parts, const std::string &also = "") {
  auto question = judge.ask<decltype(traffic_jam)>(std::to_string(n) + " samples in " +
                                                   std::to_string(parts) + " parts" + also);
  ask_also(judge, question, n, parts);
  question.launches_at_most(parts);
  return question;
}

} // namespace

TEST_CASE("every sample is amplified") {
  course::Judge judge;
  int parts = 1;
  for (int n : judge.sizes(60'000))
    ask(judge, n, parts++);
  ask(judge, judge.number(2, 9), 20);                             // more parts than samples
  ask(judge, judge.number(3000, 9000), judge.number(1980, 2000)); // or than threads in a block
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
  const float gain = odd_eighths(judge, 31), offset = odd_eighths(judge, 255);
  for (auto [its_gain, its_offset] :
       {std::pair(gain, offset), {gain, -offset}, {0, -offset}, {0, 0}, {1, 0}, {-1, offset}})
    ask_also(question, in, 5, its_gain, its_offset);
  judge.run();
}

TEST_CASE("in another order of the streams; several calls; and who does the work") {
  course::Judge judge;
  const int n = 32 * judge.number(156, 280) + 31, parts = judge.number(5, 20);
  for (const char *order : {"reverse", "random:1", "random:2"})
    ask(judge, n, parts, std::string(", streams in another order: ") + order)
        .environment("COURSE_CPU_ORDER", order);
  Question several = ask(judge, n, parts, ", then fewer, then again");
  ask_also(judge, several, n / 2, parts);
  std::vector<float> in(n, odd_eighths(judge, 8191));
  const float gain = odd_eighths(judge, 31);
  ask_also(several, in, parts, gain, gain);
  in[n / 2] += 1; // alone
  ask_also(several, in, parts, gain, gain);
  several.launches_at_most(5 * parts);
  ask(judge, n, parts, ", kernels do nothing").without_kernels();
  // Parts of 64 samples, and the last one has 31.
  const int many = judge.number(34, 60);
  ask(judge, 64 * (many - 1) + 31, many, ", kernels do nothing").without_kernels();
  judge.run();
}

TEST_CASE("parts in different streams may overlap") {
  course::Judge judge;
  // So long that a copy from pageable memory makes the host wait, more than 64 KiB each; and many.
  for (auto [length, parts] : {std::pair(judge.number(17'000, 20'000), judge.number(12, 15)),
                               {judge.number(300, 900), judge.number(40, 60)},
                               {judge.number(20, 40), judge.number(1980, 2000)}})
    ask(judge, length * parts, parts, ", counted")
        .at_most(&course::Work::waits_between, 0, "the host waits in the loop.")
        .overlaps("parts wait for others: the host waits in the loop, a copy has a side in "
                  "pageable memory, something is in the default stream, there are too few "
                  "streams, or an event is between two of them.",
                  3);
  judge.run();
}

TEST_CASE("as many samples as there may be", "[large]") {
  course::Judge judge;
  std::vector<float> in(20'000'000 - judge.number(1, 1000));
  for (std::size_t i = 0; i < in.size(); ++i)
    in[i] = i % 1021;
  ask_also(judge.ask<decltype(traffic_jam)>(std::to_string(in.size()) + " samples in 1 part"), in,
           1, 3, 5);
  in.resize(4'500'000); // more than 16 MiB
  auto counted = judge.ask<decltype(traffic_jam)>("4500000 samples in 12 parts, counted");
  ask_also(counted, in, 12, 3, 5);
  counted.overlaps("a copy has a side in pageable memory.", 3);
  judge.run();
}
