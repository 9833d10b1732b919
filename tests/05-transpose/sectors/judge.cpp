// Judges exercise 05-transpose/sectors: requests whose answer is known, and drawn ones.
#include "common/grader/judge/judge.hpp"
#include "exercises/05-transpose/sectors.hpp"

#include <catch2/catch_test_macros.hpp>

#include <set>

namespace {

using Question = course::Question<decltype(sectors)>;

void ask_also(Question question, int offset, int stride, int element_bytes) {
  std::set<int> touched; // slower than any formula, and independent
  for (int lane = 0; lane < 32; ++lane)
    touched.insert((offset + lane * stride) * element_bytes / 32);
  question.with(offset, stride, element_bytes).returns(int(touched.size()));
}

void ask(course::Judge &judge, const std::string &title, int offset, int stride,
         int element_bytes) {
  ask_also(judge.ask<decltype(sectors)>(title).needs_no_kernel(), offset, stride, element_bytes);
}

} // namespace

TEST_CASE("sectors of a request") {
  course::Judge judge;
  ask(judge, "32 floats side by side", 0, 1, 4);
  ask(judge, "32 floats, not from the start of a sector", judge.number(1, 7), 1, 4);
  ask(judge, "32 floats from the second sector on", 8, 1, 4);
  ask(judge, "32 floats from the start of another sector", 8 * judge.number(1, 99), 1, 4);
  ask(judge, "every second float", 8 * judge.number(0, 99), 2, 4);
  ask(judge, "every third float, from the second one of a sector", 8 * judge.number(0, 99) + 1, 3,
      4);
  ask(judge, "every fifth float, from the middle of a sector", 8 * judge.number(0, 99) + 5, 5, 4);
  ask(judge, "floats with a stride of a sector", judge.number(0, 99), 8, 4);
  ask(judge, "a column of floats", judge.number(0, 99), judge.number(9, 1000), 4);
  ask(judge, "one float for all lanes", judge.number(0, 1000), 0, 4);
  ask(judge, "doubles side by side", 4 * judge.number(0, 99), 1, 8);
  ask(judge, "every second double", judge.number(0, 99), 2, 8);
  ask(judge, "float4 side by side", judge.number(0, 99), 1, 16);
  ask(judge, "bytes side by side", 32 * judge.number(0, 30), 1, 1);
  ask(judge, "bytes, not from the start of a sector", judge.number(1, 31), 1, 1);
  ask(judge, "the largest offset and stride", 1000, 1000, 16);
  const int first = 8 * judge.number(0, 99);
  auto again = judge.ask<decltype(sectors)>("one float for all lanes, then 32 floats from it on");
  again.needs_no_kernel();
  ask_also(again, first, 0, 4);
  ask_also(again, first, 1, 4);
  judge.run();
}

TEST_CASE("sectors of drawn requests") {
  course::Judge judge;
  auto strides = judge.ask<decltype(sectors)>("strides up to 64, and some of each further 16");
  strides.needs_no_kernel();
  std::vector<int> asked{128, 256, 512};
  for (int stride = 0; stride <= 1000; stride += stride < 64 ? 1 : judge.number(1, 16))
    asked.push_back(stride);
  for (int stride : asked)
    for (int element_bytes : {1, 2, 4, 8, 16})
      ask_also(strides, judge.number(0, 1000), stride, element_bytes);
  for (int element_bytes : {1, 2, 4, 8, 16}) {
    auto question = judge.ask<decltype(sectors)>("8 requests for elements of " +
                                                 std::to_string(element_bytes) + " bytes");
    question.needs_no_kernel();
    for (int k = 0; k < 8; ++k)
      ask_also(question, judge.number(0, 1000), judge.number(0, k < 6 ? 40 : 1000), element_bytes);
  }
  judge.run();
}
