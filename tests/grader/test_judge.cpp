// Tests what a judge draws: each family is there, whatever the seed.
#include "common/grader/judge/judge.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cmath>

namespace {

bool is_prime(int n) {
  int divisors = 0;
  for (int d = 1; d <= n; ++d)
    divisors += n % d == 0;
  return divisors == 2;
}

// How many of them are in the family.
template <class Values, class Family> auto count(const Values &values, Family family) {
  return std::count_if(values.begin(), values.end(), family);
}

} // namespace

TEST_CASE("sizes of every family") {
  course::Judge judge;
  for (int largest : {64, 100, 2049, 10'000, 1'000'003})
    for (int round = 0; round < 200; ++round) {
      const auto sizes = judge.sizes(largest);
      const int unit = largest > 2048 ? 1024 : 32;
      INFO("up to " << largest);
      CHECK(count(sizes, [&](int n) { return n < 1 || n > largest; }) == 0);
      CHECK(count(sizes, [](int n) { return n == 1; }) >= 1);
      CHECK(count(sizes, [](int n) { return n > 1 && n < 32; }) >= 1);
      CHECK(count(sizes, [](int n) { return n % 32 == 0 && n % 64 != 0; }) >= 1);
      CHECK(count(sizes, [=](int n) { return n % unit == 0; }) >= 1);
      CHECK(count(sizes, [=](int n) { return n % unit == 1; }) >= 1);
      CHECK(count(sizes, [=](int n) { return n % unit == unit - 1; }) >= 1);
      CHECK(count(sizes, is_prime) >= 1);
      CHECK(count(sizes, [=](int n) { return n % 2 == 1 && n >= largest - largest / 4 - 1; }) >= 1);
    }
}

TEST_CASE("sizes differ from judge to judge's next draw") {
  course::Judge judge;
  CHECK(judge.sizes(1'000'003) != judge.sizes(1'000'003));
}

TEST_CASE("shapes far from square, and others") {
  course::Judge judge;
  for (int round = 0; round < 200; ++round) {
    const auto shapes = judge.shapes(5000);
    const auto both = [&](auto family) {
      return count(shapes, [=](auto s) { return family(s.first) && family(s.second); });
    };
    CHECK(both([](int n) { return n < 1 || n > 5000; }) == 0);
    CHECK(count(shapes, [](auto s) { return s.first == 1 && s.second > 3700; }) == 1);
    CHECK(count(shapes, [](auto s) { return s.second == 1 && s.first > 3700; }) == 1);
    CHECK(count(shapes, [](auto s) { return s.first > 100 * s.second; }) >= 2);
    CHECK(count(shapes, [](auto s) { return s.second > 100 * s.first; }) >= 2);
    for (int rest : {0, 1, 31})
      CHECK(both([=](int n) { return n % 32 == rest; }) >= 1);
    CHECK(both(is_prime) >= 1);
  }
}

TEST_CASE("special values in a list") {
  course::Judge judge;
  for (int n : {1, 2, 3, 100}) {
    const auto values = judge.sprinkled(judge.numbers<float>(n, 1, 2), {0.0f, -5.0f, 1e30f});
    CHECK(values.size() == std::size_t(n));
    CHECK(count(values, [](float x) { return x < 1 || x > 2; }) == std::min(n, 3));
  }
}
