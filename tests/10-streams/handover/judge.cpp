// Judges exercise 10-streams/handover: lists of any length, with the streams' work in each order;
// and that the host waits for nothing but the result.
#include "exercises/10-streams/handover.hpp"
#include "common/grader/judge.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

using Question = course::Question<decltype(handover)>;

void ask_also(course::Judge &judge, Question question, int n) {
  std::vector<float> in, out;
  for (int i = 0; i < n; ++i) { // whole numbers, which no square rounds, and not their own squares
    in.push_back(judge.number(2, 2000) * (judge.number(0, 1) ? 1 : -1));
    out.push_back(in.back() * in.back());
  }
  question.with(n, in, course::output(out));
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
  judge.run();
}

TEST_CASE("in another order of the streams; several calls; and a kernel that does nothing") {
  course::Judge judge;
  const int n = judge.number(1000, 3000);
  for (const char *order : {"reverse", "random:1", "random:2"})
    ask(judge, n, std::string(", streams in another order: ") + order)
        .environment("COURSE_CPU_ORDER", order);
  const Question several = ask(judge, n, ", then twice as many, then again");
  ask_also(judge, several, 2 * n);
  ask_also(judge, several, n);
  ask(judge, n, ", kernels do nothing").without_kernels();
  judge.run();
}

TEST_CASE("only the stream waits for the numbers") {
  course::Judge judge;
  ask(judge, judge.number(1000, 3000), ", counted")
      .at_most(&course::Work::waits, 1,
               "the host waits for the copy, or asks for it again and again. "
               "cudaStreamWaitEvent lets a stream wait instead.");
  judge.run();
}
