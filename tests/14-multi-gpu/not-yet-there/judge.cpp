// Judges exercise 14-multi-gpu/not-yet-there: matrices of any shape on several devices, with the
// streams' work in each order.
#include "exercises/14-multi-gpu/not-yet-there.hpp"
#include "common/grader/judge.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

using Question = course::Question<decltype(not_yet_there)>;

void ask_also(course::Judge &judge, Question question, int rows, int columns) {
  std::vector<float> x, sums(columns, 0.0f);
  for (int i = 0; i < rows * columns; ++i) { // whole numbers: no sum is rounded, and none is 0
    x.push_back(judge.number(1, 1000));
    sums[i % columns] += x.back();
  }
  question.with(rows, columns, x, course::output(sums));
}

Question ask(course::Judge &judge, int rows, int columns, int devices,
             const std::string &also = "") {
  auto question = judge.ask<decltype(not_yet_there)>(
      std::to_string(rows) + " rows of " + std::to_string(columns) +
      ", devices: " + std::to_string(devices) + also);
  ask_also(judge, question, rows, columns);
  question.environment("COURSE_CPU_DEVICES", std::to_string(devices));
  return question;
}

} // namespace

TEST_CASE("each column is summed, with any number of devices") {
  course::Judge judge;
  for (int columns : judge.sizes(3000))
    ask(judge, judge.number(4, 16), columns, judge.number(1, 4));
  ask(judge, judge.number(1, 2), judge.number(100, 200), 3); // fewer rows than devices
  judge.run();
}

TEST_CASE("in another order of the streams; several matrices; and kernels that do nothing") {
  course::Judge judge;
  const int rows = judge.number(20, 30), columns = judge.number(300, 600);
  for (const char *order : {"reverse", "random:1", "random:2"})
    ask(judge, rows, columns, 3, std::string(", streams in another order: ") + order)
        .environment("COURSE_CPU_ORDER", order);
  const Question several = ask(judge, rows, columns, 2, ", then fewer rows, then more");
  ask_also(judge, several, 3, columns);
  ask_also(judge, several, 2 * rows, columns);
  ask(judge, rows, columns, 2, ", kernels do nothing").without_kernels();
  judge.run();
}
