// Judges exercise 14-multi-gpu/not-yet-there: matrices of any shape on several devices, with the
// streams' work in each order.
#include "common/grader/judge/judge.hpp"
#include "exercises/14-multi-gpu/not-yet-there.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cmath>

namespace {

using Question = course::Question<decltype(not_yet_there)>;

void ask_also(course::Judge &judge, Question question, int rows, int columns,
              const std::vector<float> &special = {}) {
  std::vector<float> x, sums(columns, 0.0f);
  for (int i = 0; i < rows * columns; ++i) // no sum has more digits than a float, and none is 0
    x.push_back(judge.number(1, (1 << 24) / rows) / 8.0f);
  if (!special.empty())
    x = judge.sprinkled(x, special);
  for (int i = 0; i < rows * columns; ++i)
    sums[i % columns] += x[i];
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
  ask(judge, judge.number(64'500, 65'000), judge.number(1, 2), 2);
  const int columns = judge.number(100, 200);
  ask_also(judge, ask(judge, 5, columns, 3, ", then some that are not finite"), 5, columns,
           {NAN, INFINITY, -INFINITY});
  judge.run();
}

TEST_CASE("no device has memory for two shares of the rows") {
  course::Judge judge;
  for (const auto &[devices, share] :
       {std::pair{judge.number(3, 4), judge.number(80, 90)}, {3, judge.number(24, 30)}}) {
    const int columns = judge.number(300, 600);
    ask(judge, devices * share, columns, devices, ", each with memory for a part of the rows")
        .environment("COURSE_CPU_MEMORY", std::to_string((share + 20) * columns * sizeof(float)));
  }
  judge.run();
}

TEST_CASE("in another order of the streams; several matrices; and kernels that do nothing") {
  course::Judge judge;
  const int rows = 31, columns = 32 * judge.number(10, 19) + 31;
  for (const char *order : {"reverse", "random:1", "random:2"})
    ask(judge, rows, columns, 3, std::string(", streams in another order: ") + order)
        .environment("COURSE_CPU_ORDER", order);
  Question several = ask(judge, rows, columns, 2, ", then fewer rows, then more");
  ask_also(judge, several, 3, columns);
  ask_also(judge, several, 2 * rows, columns);
  std::vector<float> x(rows * columns, 2), sums(columns, 2 * rows);
  several.with(rows, columns, x, course::output(sums));
  x[rows / 2 * columns + columns / 2] += 5; // alone
  sums[columns / 2] += 5;
  several.with(rows, columns, x, course::output(sums));
  x[columns - 1] = INFINITY; // on two devices, in the last column
  x.back() = -INFINITY;
  sums.back() = NAN;
  several.with(rows, columns, x, course::output(sums));
  ask(judge, rows, columns, 2, ", kernels do nothing").without_kernels();
  judge.run();
}

TEST_CASE("as many columns as there may be", "[large]") {
  course::Judge judge;
  const int columns = 20'000'000 - judge.number(1, 255);
  judge.ask<decltype(not_yet_there)>("1 row of " + std::to_string(columns) + ", one device")
      .environment("COURSE_CPU_DEVICES", "1")
      .with(1, columns, std::vector<float>(columns, 3.0f),
            course::output(std::vector<float>(columns, 3.0f)));
  judge.run();
}
