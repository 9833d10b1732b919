// Judges exercise 10-streams/handover: lists of any length, with the streams' work in each order;
// and that the host waits for nothing but the result.
#include "common/grader/judge/judge.hpp"
#include "exercises/10-streams/handover.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cmath>

namespace {

using Question = course::Question<decltype(handover)>;

void ask_also(Question question, const std::vector<float> &in) {
  std::vector<float> out;
  for (float number : in)
    out.push_back(number * number);
  question.with(int(in.size()), in, course::output(out));
}

// Numbers of 12 digits, more than a half has, which no square rounds; none is its own square.
std::vector<float> numbers(course::Judge &judge, int n) {
  const int exponent = judge.number(-60, 40);
  std::vector<float> in(n);
  for (float &number : in)
    number = std::ldexp(float(2 * judge.number(1024, 2047) + 1) * (judge.number(0, 1) ? 1 : -1),
                        exponent);
  return in;
}

void ask_also(course::Judge &judge, Question question, int n) {
  ask_also(question, numbers(judge, n));
}

Question ask(course::Judge &judge, int n, const std::string &also = "") {
  auto question = judge.ask<decltype(handover)>(std::to_string(n) + " numbers" + also);
  ask_also(judge, question, n);
  return question;
}

} // namespace

TEST_CASE("each number is squared") {
  course::Judge judge;
  for (int n : judge.sizes(100'000))
    ask(judge, n);
  const int n = judge.number(300, 900);
  ask_also(judge.ask<decltype(handover)>(std::to_string(n) + " numbers, some of them special"),
           judge.sprinkled(numbers(judge, n), {INFINITY, -INFINITY, NAN, 1e20f, -1e30f, -0.0f}));
  judge.run();
}

TEST_CASE("in another order of the streams; several calls; and a kernel that does nothing") {
  course::Judge judge;
  const int n = 32 * judge.number(31, 90) + 31;
  for (const char *order : {"reverse", "random:1", "random:2"})
    ask(judge, n, std::string(", streams in another order: ") + order)
        .environment("COURSE_CPU_ORDER", order);
  const Question several = ask(judge, n, ", then twice as many, then again");
  ask_also(judge, several, 2 * n);
  auto in = numbers(judge, n);
  ask_also(several, in);
  in[n / 2] = -2 * in[0]; // alone
  ask_also(several, in);
  ask(judge, n, ", kernels do nothing").without_kernels();
  judge.run();
}

TEST_CASE("only the stream waits for the numbers") {
  course::Judge judge;
  // So many that a copy from pageable memory makes the host wait, more than 64 KiB; and few.
  for (int n : {judge.number(17'000, 20'000), judge.number(200, 900)})
    ask(judge, n, ", counted")
        .at_most(&course::Work::waits, 1,
                 "the host waits for the copy, or asks for it again and again. With "
                 "cudaStreamWaitEvent a stream waits instead.");
  judge.run();
}

TEST_CASE("as many numbers as there may be", "[large]") {
  course::Judge judge;
  std::vector<float> in(10'000'000 - judge.number(0, 1000));
  for (std::size_t i = 0; i < in.size(); ++i)
    in[i] = i % 1021 + 2;
  auto question = judge.ask<decltype(handover)>(std::to_string(in.size()) + " numbers, counted");
  ask_also(question, in);
  question.at_most(&course::Work::waits, 1, "the host waits for the copy, or for each of several.");
  judge.run();
}
