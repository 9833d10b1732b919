// Judges exercise 11-libraries/shares: farms in any order, totals of any size.
#include "exercises/11-libraries/shares.hpp"
#include "tests/11-libraries/keys.hpp"

#include <catch2/catch_test_macros.hpp>

#include <climits>
#include <map>

namespace {

using Question = course::Question<decltype(shares)>;

void call(Question question, const std::vector<int> &farm, const std::vector<double> &energy) {
  const int n = int(farm.size());
  std::map<int, double> sums;
  double total = 0;
  for (int i = 0; i < n; ++i) {
    sums[farm[i]] += energy[i];
    total += energy[i];
  }
  // Elements past the last group stay as they were.
  std::vector<int> farms(n, -7), farms_before(n, -7);
  std::vector<double> share(n, -7), share_before(n, -7);
  int group = 0;
  double largest = 0;
  for (const auto &[number, sum] : sums) {
    farms[group] = number;
    largest = std::max(largest, sum / total);
    share[group++] = sum / total;
  }
  // Both sums have at most n roundings of 2^-53 each, in whatever order; so have the expected ones.
  question
      .with(n, farm, energy, course::in_out(farms_before, farms),
            course::in_out(share_before, share, 4 * (n + 2) * std::ldexp(largest, -53)))
      .returns(group);
}

void call(course::Judge &judge, Question question, const std::vector<int> &farm, double low,
          double high) {
  call(question, farm, judge.numbers<double>(farm.size(), low, high));
}

} // namespace

TEST_CASE("shares of farms in any order") {
  course::Judge judge;
  for (int n : judge.sizes(40'000))
    call(judge, judge.ask<decltype(shares)>(std::to_string(n) + " amounts"),
         judge.numbers<int>(n, 0, 1 + n / 50), 0.1, 9);
  const int n = judge.number(99'500, 100'000);
  call(judge, judge.ask<decltype(shares)>(std::to_string(n) + " amounts of nearly as many farms"),
       judge.numbers<int>(n, 0, 2'000'000'000), 0.1, 9);
  judge.run();
}

TEST_CASE(
    "farms that are in order already; amounts below 1; large ones; tiny ones; several calls") {
  course::Judge judge;
  const int n = judge.number(200, 900);
  auto ordered = judge.numbers<int>(n, 5, 25);
  std::sort(ordered.begin(), ordered.end());
  auto question = judge.ask<decltype(shares)>(
      std::to_string(n) + " amounts, in order; then below 1; then large; then tiny");
  auto energy = judge.numbers<double>(n, 1, 9);
  call(question, ordered, energy);
  energy[n / 2] += 50; // alone
  call(question, ordered, energy);
  call(judge, question, judge.numbers<int>(n, 5, 25), 1e-3, 0.9);
  call(judge, question, judge.numbers<int>(n, 5, 25), 1e303, 1e305);   // no float, nor its square
  call(judge, question, judge.numbers<int>(n, 5, 25), 1e-313, 9e-313); // 1 / total: no double
  judge.run();
}

// Small amounts are lost in a running sum; and a difference of such numbers is no int.
TEST_CASE("a farm that has nearly all; and farms with the least and the largest number") {
  course::Judge judge;
  constexpr double nearly_all = 0x1p70; // any sum of the others is less than half of its last bit
  const std::vector<int> farm{7, 3, 7, 5, INT_MIN, 3, INT_MAX};
  const std::vector<double> energy{1, nearly_all, 2, 4, 1, nearly_all, 8};
  std::vector<double> share{0x1p-71, 1, 0x1p-69, 3 * 0x1p-71, 0x1p-68, -7, -7};
  judge.ask<decltype(shares)>("7 amounts")
      .with(7, farm, energy,
            course::in_out(std::vector<int>(7, -7), {INT_MIN, 3, 5, 7, INT_MAX, -7, -7}),
            course::in_out(std::vector<double>(7, -7), share, 0x1p-100))
      .returns(5);
  judge.run();
}

TEST_CASE("farms whose numbers use all bits; and the kernels do nothing") {
  course::Judge judge;
  const int n = 32 * judge.number(10, 20) + 31;
  const std::string amounts = std::to_string(n) + " amounts";
  call(judge, judge.ask<decltype(shares)>(amounts + " of farms far apart, and next to each other"),
       wide_keys(judge, n), 0.1, 9);
  call(judge,
       judge.ask<decltype(shares)>(amounts + ", and the kernels do nothing").without_kernels(),
       judge.numbers<int>(n, 100, 120), 0.1, 9);
  judge.run();
}
