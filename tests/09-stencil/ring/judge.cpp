// Judges exercise 09-stencil/ring: rings of all families of sizes, a single cell and two of them;
// numbers that the step does not round, so that bits have to agree.
#include "exercises/09-stencil/ring.hpp"
#include "tests/09-stencil/plate.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cmath>

namespace {

using Question = course::Question<decltype(ring)>;

void call(Question question, const std::vector<float> &now) {
  const int n = int(now.size());
  std::vector<float> next(n);
  for (int i = 0; i < n; ++i)
    next[i] = 0.5f * (now[i > 0 ? i - 1 : n - 1] + now[i < n - 1 ? i + 1 : 0]);
  question.with(n, now, course::output(next, 0));
}

void call(course::Judge &judge, Question question, int n) {
  call(question, exact_numbers(judge, n, 1, judge.number(-50, 50)));
}

Question ask(course::Judge &judge, int n, const std::string &also = "") {
  return judge.ask<decltype(ring)>(std::to_string(n) + (n == 1 ? " cell" : " cells") + also);
}

} // namespace

TEST_CASE("each cell becomes the mean of its neighbours") {
  course::Judge judge;
  for (int n : judge.sizes(100'003))
    call(judge, ask(judge, n), n);
  for (int n : {2, 3, judge.number(4, 9), judge.number(40, 200), judge.number(500, 900)})
    call(judge, ask(judge, n), n);
  const int n = judge.number(300, 600);
  call(ask(judge, n, ", whole numbers that no int holds"), exact_numbers(judge, n, 1, 20));
  call(ask(judge, n, ", numbers near the largest float"), exact_numbers(judge, n, 1, 107));
  call(ask(judge, n, ", numbers so small that they are subnormal"),
       exact_numbers(judge, n, 1, -148));
  call(ask(judge, n, ", numbers of all digits"), judge.numbers<float>(n));
  judge.run();
}

TEST_CASE("numbers that are special") {
  course::Judge judge;
  const int n = judge.number(300, 600), first = judge.number(20, 200);
  std::vector<float> now = exact_numbers(judge, n, 1, judge.number(-50, 50));
  now[first] = now[first + 2] = INFINITY; // both neighbours of a cell
  now[first + 10] = now[first + 12] = -INFINITY;
  now[first + 20] = NAN;
  now[0] = now[n - 2] = INFINITY; // both neighbours of the last cell
  call(ask(judge, n, ", infinite ones and a NaN among them"), now);
  judge.run();
}

TEST_CASE("one ring after the other; and who does the work") {
  course::Judge judge;
  const int n = 32 * judge.number(9, 18) + 31;
  const Question several = ask(judge, n, ", then a larger ring, then as before");
  for (int cells : {n, n + 257, n})
    call(judge, several, cells);
  std::vector<float> now(n, 1);
  call(several, now);
  now[n / 2] = 3; // this number only
  call(several, now);
  Question idle = ask(judge, n, ", and the kernel does nothing");
  call(judge, idle, n);
  idle.without_kernels();
  Question refused = ask(judge, n, ", and the launch fails");
  call(judge, refused, n);
  refused.launches_fail().fails("invalid");
  judge.run();
}

// A float does not hold the number of all cells.
TEST_CASE("more blocks of 256 than 65535", "[large]") {
  course::Judge judge;
  std::vector<float> now(2 * judge.number(8'460'000, 8'499'999) + 1);
  for (std::size_t i = 0; i < now.size(); ++i)
    now[i] = i % 1021;
  call(ask(judge, int(now.size())), now);
  judge.run();
}
