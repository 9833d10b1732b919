// Judges exercise 21-scan/row-offsets.
#include "common/grader/judge/judge.hpp"
#include "exercises/21-scan/row-offsets.hpp"

#include <catch2/catch_test_macros.hpp>

#include <climits>

namespace {

using Question = course::Question<decltype(row_offsets)>;

void call(Question question, const std::vector<int> &counts) {
  std::vector<long long> offsets(counts.size() + 1), own_row_included(counts.size() + 1);
  std::vector<long long> in_32_bits(counts.size() + 1);
  for (std::size_t r = 0; r < counts.size(); ++r) {
    own_row_included[r] = offsets[r + 1] = offsets[r] + counts[r];
    in_32_bits[r + 1] = int(unsigned(offsets[r + 1]));
  }
  question.with(int(counts.size()), counts,
                course::output(offsets)
                    .often(own_row_included, "each offset includes its own row.")
                    .often(in_32_bits, "the sums are ints, and overflow."));
}

Question ask(course::Judge &judge, const std::string &title, const std::vector<int> &counts) {
  const auto question = judge.ask<decltype(row_offsets)>(title);
  call(question, counts);
  return question;
}

} // namespace

TEST_CASE("where each row begins") {
  course::Judge judge;
  for (int rows : judge.sizes(100'000))
    ask(judge, std::to_string(rows) + " rows", judge.numbers<int>(rows, 0, 50));
  auto counts = judge.numbers<int>(2015, 1, 9);
  ask(judge, "2015 rows, and the kernel does nothing", counts).without_kernels();
  const auto again = ask(judge, "2015 rows, then one of them is longer", counts);
  counts[judge.number(500, 1000)] += 1;
  call(again, counts);
  judge.run();
}

TEST_CASE("empty rows, and more numbers than an int counts") {
  course::Judge judge;
  const int rows = judge.number(600, 900);
  ask(judge, std::to_string(rows) + " empty rows", std::vector<int>(rows));
  ask(judge, std::to_string(rows) + " rows of a thousand million numbers and more",
      judge.numbers<int>(rows, 1'000'000'000, INT_MAX));
  ask(judge, "3 rows, as long as an int counts", {INT_MAX, INT_MAX, INT_MAX});
  judge.run();
}

TEST_CASE("more than 1024 blocks of 1024", "[large]") {
  course::Judge judge;
  const int rows = judge.number(1'985'000, 2'000'000);
  for (int its_rows : {rows, (1 << 20) + judge.number(1, 1023)})
    ask(judge, std::to_string(its_rows) + " rows", judge.numbers<int>(its_rows, 0, INT_MAX));
  judge.run();
}
