// Judges exercise 11-libraries/strongest: groups of all sizes, winds of either sign.
#include "exercises/11-libraries/strongest.hpp"
#include "tests/11-libraries/keys.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <map>

namespace {

using Question = course::Question<decltype(strongest)>;

Question ask(course::Judge &judge, int n, const std::string &also = "") {
  return judge.ask<decltype(strongest)>(std::to_string(n) + " measurements" + also);
}

void call(Question question, const std::vector<int> &station, const std::vector<float> &wind) {
  const int n = int(station.size());
  std::map<int, float> maxima;
  for (int i = 0; i < n; ++i) {
    float &maximum = maxima.emplace(station[i], wind[i]).first->second;
    maximum = std::max(maximum, wind[i]);
  }
  // Elements past the last group stay as they were.
  std::vector<int> stations(n, -7), stations_before(n, -7);
  std::vector<float> found(n, -7), found_before(n, -7);
  int group = 0;
  for (const auto &[number, maximum] : maxima) {
    stations[group] = number;
    found[group++] = maximum;
  }
  question
      .with(n, station, wind, course::in_out(stations_before, stations),
            course::in_out(found_before, found))
      .returns(group);
}

void call(course::Judge &judge, Question question, const std::vector<int> &station, float low,
          float high) {
  call(question, station, judge.numbers<float>(station.size(), low, high));
}

} // namespace

TEST_CASE("the strongest wind of each station") {
  course::Judge judge;
  for (int n : judge.sizes(60'000))
    call(judge, ask(judge, n), judge.numbers<int>(n, 0, 1 + n / 20), 0, 50);
  const int n = judge.number(90'000, 100'000);
  call(judge, ask(judge, n, " of nearly as many stations"), judge.numbers<int>(n, 0, 2'000'000'000),
       0, 50);
  judge.run();
}

TEST_CASE("a sensor with an offset: all winds below 0") {
  course::Judge judge;
  const int n = judge.number(300, 700);
  call(judge, ask(judge, n, " below 0"), judge.numbers<int>(n, 100, 120), -60, -1);
  judge.run();
}

TEST_CASE("one station; a station for each measurement, in falling order; several calls") {
  course::Judge judge;
  const int n = judge.number(300, 700);
  std::vector<int> falling(n);
  for (int i = 0; i < n; ++i)
    falling[i] = 3 * (n - i) - 400;
  auto question = ask(judge, n, ": of one station, then each of another one");
  call(judge, question, std::vector<int>(n, 17), 0, 50);
  call(judge, question, falling, 0, 50);
  auto wind = judge.sprinkled(judge.numbers<float>(n, -60, 50), {INFINITY, -INFINITY});
  call(question, falling, wind);
  wind[n / 2] = 99; // alone
  call(question, falling, wind);
  judge.run();
}

TEST_CASE("stations whose numbers use all bits; and the kernels do nothing") {
  course::Judge judge;
  const int n = 32 * judge.number(10, 20) + 31;
  call(judge, ask(judge, n, " of stations far apart, and next to each other"), wide_keys(judge, n),
       0, 50);
  call(judge, ask(judge, n, ", and the kernels do nothing").without_kernels(),
       judge.numbers<int>(n, 100, 120), 1, 50);
  judge.run();
}

TEST_CASE("as many measurements as there may be", "[large]") {
  course::Judge judge;
  const int n = 1'100'000 - judge.number(0, 1000);
  call(judge, ask(judge, n), judge.numbers<int>(n, 0, 1 << 17), 0, 50);
  judge.run();
}
