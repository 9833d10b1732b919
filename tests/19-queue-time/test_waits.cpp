// Percentiles in fixed memory, classes, the forecast, its back-test, and the stop-loss.
#include "lessons/19-queue-time/forecast.hpp"
#include "lessons/19-queue-time/stop_loss.hpp"
#include "lessons/19-queue-time/waits.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

TEST_CASE("a histogram's percentiles are those of the sorted waits, up to 1/32") {
  std::mt19937 bits(5);
  for (const int count : {1, 2, 3, 10, 1000}) {
    Histogram histogram;
    std::vector<long long> waits;
    for (int i = 0; i < count; ++i) {
      waits.push_back((bits() >> 2) >> (bits() % 30)); // of any size
      histogram.add(waits.back());
    }
    std::sort(waits.begin(), waits.end());
    CHECK(histogram.count() == std::uint64_t(count));
    for (const double share : {0.0, 0.1, 0.5, 0.9, 1.0}) {
      const double want = double(waits[std::size_t(share * (count - 1) + 0.5)]);
      CHECK_THAT(histogram.percentile(share), WithinRel(want, Histogram::error));
    }
  }
}

TEST_CASE("a histogram of any wait, and none") {
  CHECK(Histogram().count() == 0);
  for (long long wait = 0; wait < (1LL << 31); wait += 1 + wait / 50) {
    Histogram one;
    one.add(wait);
    REQUIRE_THAT(one.percentile(0.5), WithinAbs(double(wait), double(wait) / 32));
  }
  Histogram long_waits;
  long_waits.add(1LL << 40);
  CHECK(long_waits.percentile(0.5) > 1e9);
}

TEST_CASE("classes begin at their lower bound") {
  const Classes classes{4, 4, false};
  CHECK(classes.of(0) == 0);
  CHECK(classes.of(3.99) == 0);
  CHECK(classes.of(4) == 1);
  CHECK(classes.of(16) == 2);
  CHECK(classes.of(64) == 3);
  CHECK(classes.of(unlimited) == 3);
  CHECK(classes.name(0) == "< 4 CPUh");
  CHECK(classes.name(1) == "4 - 16 CPUh");
  CHECK(Classes{1, 10, true}.name(3) == ">= 100 GBh");
}

TEST_CASE("Kaplan and Meier's example by hand") {
  Outlook known; // starts after 1, 3 and 5 seconds, somebody gives up after 2, another after 4
  for (const int wait : {1, 3, 5})
    known.started.add(wait);
  for (const int wait : {2, 4})
    known.cut_short.add(wait);
  // Still waiting: 4/5 after 1 s, 4/5 * 2/3 = 8/15 after 3 s, 0 after 5 s.
  CHECK(known.percentile(0.19).seconds == 1);
  CHECK(known.percentile(0.21).seconds == 3);
  CHECK(known.percentile(0.46).seconds == 3);
  CHECK(known.percentile(0.47).seconds == 5);
  CHECK(!known.percentile(0.9).or_longer);
  known.cut_short.add(9);
  CHECK(known.percentile(0.9).or_longer);
  CHECK(known.percentile(0.9).seconds == 9);
}

TEST_CASE("a forecast uses nothing that is known later") {
  // Two jobs of day 10: one starts on it, the other on day 13. Another of day 12 starts on day 14.
  History history;
  history.add_started(10 * day, 10 * day + 20);
  history.add_started(10 * day, 13 * day + 5);
  history.add_started(12 * day, 14 * day + 5);
  history.add_cancelled(10 * day, 12 * day + 7);
  history.add_waiting(11 * day);

  CHECK(outlook(history, 10, 5).empty());
  CHECK(yesterday(history, 10).empty());
  const Outlook of_11 = outlook(history, 11, 5); // two of day 10 still wait, as far as is known
  CHECK(of_11.started.count() == 1);
  CHECK(of_11.cut_short.count() == 2);
  CHECK(of_11.percentile(0.3).seconds == 20);
  CHECK(of_11.percentile(0.5).or_longer);
  CHECK_THAT(of_11.percentile(0.5).seconds, WithinRel(double(day) / 2, Histogram::error));
  const Outlook of_14 = outlook(history, 14, 5);
  CHECK(of_14.started.count() == 2);
  CHECK(of_14.cut_short.count() == 3);
  const Outlook of_14_short = outlook(history, 14, 1); // only the last day with jobs, 12
  CHECK(of_14_short.started.count() == 0);
  CHECK(of_14_short.cut_short.count() == 1);
  CHECK(yesterday(history, 11).percentile(0.5).seconds == 20);
  CHECK(yesterday(history, 13).percentile(0.5).seconds == 20); // the last day on which any started
  CHECK(yesterday(history, 14).percentile(0.5).seconds > 2 * day);
}

TEST_CASE("the forecast of a queue that is always the same is right") {
  Partitions partitions;
  for (int today = 100; today < 120; ++today)
    for (int job = 0; job < 50; ++job)
      partitions["a"][0].add_started(today * day, today * day + 600);
  const Plan plan = make_plan(partitions);
  CHECK(plan.first == 100);
  CHECK(plan.last == 120);
  CHECK(plan.held_out == 114);
  CHECK(plan.window == 1);
  const Score score =
      back_test(partitions, plan.held_out, plan.last, from_window(plan.window), plan.margin);
  CHECK(score.jobs == 300);
  CHECK(score.factor() == 1);
  CHECK(score.coverage() == 1);
}

TEST_CASE("an error is a ratio, the same upwards and downwards") {
  Partitions partitions;
  partitions["a"][0].add_started(5 * day, 5 * day + 28);
  partitions["a"][0].add_started(6 * day, 6 * day + 28 + 88);
  const double factor = back_test(partitions, 5, 7, yesterday).factor();
  CHECK_THAT(factor, WithinRel(2.0, 0.03)); // 60 + 116 against 60 + 28 seconds
}

TEST_CASE("too few days make no forecast") {
  Partitions partitions;
  for (int today = 0; today < Plan::fewest_days - 1; ++today)
    partitions["a"][0].add_started(today * day, today * day + 5);
  CHECK(make_plan(partitions).window == 0);
  CHECK(make_plan({}).window == 0);
}

TEST_CASE("days without jobs to choose by, or to test on, make no forecast") {
  Partitions tested; // the last third has no job but one that became eligible before it
  for (int today = 0; today < 6; ++today)
    tested["a"][0].add_started(today * day, today * day + 5);
  CHECK(make_plan(tested).window > 0);
  tested["a"][0].add_started(5 * day, 20 * day);
  CHECK(make_plan(tested).window == 0);
  Partitions chosen; // of the first two thirds only the first day has a job: it has no yesterday
  for (const int today : {0, 28, 29})
    chosen["a"][0].add_started(today * day, today * day + 5);
  CHECK(make_plan(chosen).window == 0);
}

TEST_CASE("a percentile of weighted values") {
  CHECK(weighted_percentile({{5, 1}, {1, 8}, {3, 1}}, 0.8) == 1);
  CHECK(weighted_percentile({{5, 1}, {1, 8}, {3, 1}}, 0.81) == 3);
  CHECK(weighted_percentile({{5, 1}, {1, 8}, {3, 1}}, 0.95) == 5);
  CHECK(weighted_percentile({}, 0.9) == 0);
}

TEST_CASE("a range that is calibrated holds 80 % of the waits of days that differ") {
  // Each day has a level of its own, which its yesterday does not tell: within a day the waits
  // differ by a factor of 2, between days by one of 50.
  std::mt19937 bits(3);
  std::uniform_real_distribution<double> share(0, 1);
  Partitions partitions;
  for (int today = 100; today < 400; ++today) {
    const double level = 2000 * std::exp(4 * share(bits));
    for (int job = 0; job < 40; ++job)
      partitions["a"][0].add_started(
          today * day, today * day + static_cast<long long>(level * (1 + share(bits))));
  }
  const Plan plan = make_plan(partitions);
  const auto known_at = from_window(1);
  const Margin margin = calibrate(partitions, plan.first, plan.held_out, 1);
  CHECK(margin.low > 2);
  CHECK(margin.high > 2);
  const double before = back_test(partitions, plan.held_out, plan.last, known_at).coverage();
  const double after = back_test(partitions, plan.held_out, plan.last, known_at, margin).coverage();
  CAPTURE(before, after);
  CHECK(before < 0.3);
  CHECK(std::abs(after - 0.8) < 0.08); // of 100 days
}

TEST_CASE("window and margins are chosen from what was known when the tested days began") {
  const int begin = 100, tested = 120, end = 130; // days
  const auto plan = [&](bool later) {
    std::mt19937 bits(7);
    Partitions partitions;
    for (int today = begin; today < end; ++today)
      for (int job = 0; job < 50; ++job) {
        const long long eligible = today * day, start = eligible + bits() % (4 * day);
        if (start < tested * day)
          partitions["a"][0].add_started(eligible, start);
        else if (start < end * day)
          partitions["a"][0].add_started(eligible, later ? end * day - 1 : start);
      }
    return make_plan(partitions);
  };
  const Plan soon = plan(false), late = plan(true);
  CHECK(soon.held_out == tested);
  CHECK(late.held_out == tested);
  CHECK(soon.window == late.window);
  CHECK(soon.margin.low == late.margin.low);
  CHECK(soon.margin.high == late.margin.high);
}

TEST_CASE("a range is never made narrower") {
  Partitions partitions;
  for (int today = 100; today < 120; ++today)
    for (int job = 0; job < 50; ++job)
      partitions["a"][0].add_started(today * day, today * day + 600);
  const Margin margin = calibrate(partitions, 100, 120, 1);
  CHECK(margin.low == 1);
  CHECK(margin.high == 1);
  const Forecast said = forecast(outlook(partitions["a"][0], 110, 1), {2, 3});
  CHECK_THAT(said.low, WithinRel(600 / 2.0 - 30, 0.04));
  CHECK_THAT(said.high, WithinRel(600 * 3.0 + 120, 0.04));
  Outlook at_once;
  at_once.started.add(0);
  CHECK(forecast(at_once, {2, 1}).low == 0); // and not before the job is there
}

TEST_CASE("the table counts who was cancelled and who still waits") {
  History history; // the lesson's picture: starts after 1, 2, 3 hours, cancels after 5 and 6
  for (const int hours : {1, 2, 3})
    history.add_started(10 * day, 10 * day + hours * hour);
  history.add_cancelled(10 * day, 10 * day + 5 * hour);
  history.add_waiting(10 * day);
  const Outlook known = outcome(history, 10 * day + 6 * hour);
  CHECK_THAT(known.percentile(0.5).seconds, WithinRel(3.0 * hour, Histogram::error));
  CHECK(!known.percentile(0.5).or_longer);
  CHECK(known.percentile(0.9).or_longer);
  CHECK_THAT(known.percentile(0.9).seconds, WithinRel(6.0 * hour, Histogram::error));
  History array; // tasks that share a line weigh as many jobs
  array.add_started(0, 60);
  array.add_waiting(0, 9);
  CHECK(outcome(array, 600).percentile(0.2).or_longer);
}

TEST_CASE("when to give up") {
  Outlook waits; // half of the jobs start after 10 s, the others after 1000 s
  waits.started.add(10, 50);
  waits.started.add(1000, 50);
  Outlook other; // a mean of 20 s
  for (const int wait : {10, 30})
    other.started.add(wait);
  const Advice advice = advise({"gpu", "cpu", 30, 200}, waits, other);
  CHECK(advice.times.front().total == 220); // at once: the mean wait and the run
  CHECK(advice.best.wait == 10);
  CHECK(advice.to_give_up());
  CHECK_THAT(advice.best.total, WithinRel(0.5 * 40 + 0.5 * 230, 1e-12));
  CHECK_THAT(advice.never.seconds, WithinRel(0.5 * 40 + 0.5 * 1030, Histogram::error));
  CHECK(!advice.never.or_longer);
  const Advice fast = advise({"gpu", "cpu", 30, 25}, waits, other); // the CPUs are as good
  CHECK(fast.best.wait == 0);
  const Advice slow = advise({"gpu", "cpu", 30, 20000}, waits, other); // they are hopeless
  CHECK(!slow.to_give_up());
  CHECK(!slow.at_once.or_longer);
  other.cut_short.add(30);
  CHECK(advise({"gpu", "cpu", 30, 200}, waits, other).at_once.or_longer);
}

TEST_CASE("who was cancelled counts when to give up") {
  Outlook waits; // one starts after 10 s; three were cancelled after 1000 s
  waits.started.add(10);
  waits.cut_short.add(1000, 3);
  Outlook other;
  other.started.add(20);
  const Advice advice = advise({"gpu", "cpu", 30, 200}, waits, other);
  CHECK(advice.best.wait == 10);
  CHECK_THAT(advice.best.total, WithinRel(0.25 * 40 + 0.75 * 230, 1e-12));
  CHECK(advice.never.or_longer);
  CHECK_THAT(advice.never.seconds, WithinRel(0.25 * 40 + 0.75 * 1030, Histogram::error));
}
