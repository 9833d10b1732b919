// Waits as they were known at some time, percentiles, the two forecasts and their back-test.
#include "lessons/19-queue-time/waits.hpp"
#include "tests/19-queue-time/kaplan_meier.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <random>

using Catch::Matchers::WithinRel;

namespace {

constexpr long long not_yet = Options::no_end;

Wait of(long long seconds, bool started, std::uint32_t jobs = 1) {
  return {0, seconds, started, jobs};
}

} // namespace

TEST_CASE("sizes begin at their lower bound") {
  Options options;
  CHECK(size_name(options, 0) == "< 4 CPUh");
  CHECK(size_name(options, 1) == "4 - 16 CPUh");
  options.by_memory = true;
  options.first = 1;
  options.factor = 10;
  CHECK(size_name(options, 3) == ">= 100 GBh");
  for (const double hours : {0.0, 3.99, 4.0, 16.0, 64.0, unlimited}) {
    Records records;
    Job job{};
    job.fate = Job::Fate::started;
    job.partition = "a";
    job.tasks = 1;
    job.cpu_hours = hours;
    add(records, job, Options{});
    const int size = hours < 4 ? 0 : hours < 16 ? 1 : hours < 64 ? 2 : 3;
    CHECK(records.partitions["a"][size].size() == 1);
  }
}

TEST_CASE("Kaplan and Meier's example by hand") {
  Waits waits; // starts after 1, 3 and 5 seconds, cancelled after 2 and 4
  for (const int seconds : {5, 2, 3, 1, 4})
    waits.push_back(of(seconds, seconds % 2));
  // Still waiting: 4/5 after 1 s, 4/5 * 2/3 = 8/15 after 3 s, 0 after 5 s.
  CHECK(percentile(waits, 0.19).seconds == 1);
  CHECK(percentile(waits, 0.21).seconds == 3);
  CHECK(percentile(waits, 0.46).seconds == 3);
  CHECK(percentile(waits, 0.47).seconds == 5);
  CHECK(!percentile(waits, 0.9).or_longer);
  waits.push_back(of(9, false));
  CHECK(percentile(waits, 0.9).or_longer);
  CHECK(percentile(waits, 0.9).seconds == 9);
  CHECK(std::isnan(percentile({}, 0.5).seconds));
}

TEST_CASE("percentiles are those of the judge of rosy-forecast") {
  std::mt19937 bits(5);
  for (int turn = 0; turn < 300; ++turn) {
    Waits waits;
    std::vector<int> waited, started;
    const int count = 1 + int(bits() % 40);
    for (int i = 0; i < count; ++i) {
      waited.push_back(int(bits() % 20));
      started.push_back(int(bits() % 3 > 0));
      waits.push_back(of(waited[i], started[i]));
    }
    const double share = (1 + bits() % 97) / 98.03;
    const double want = kaplan_meier(waited, started, share);
    const Percentile got = percentile(waits, share);
    CHECK(got.or_longer == (want < 0));
    if (want >= 0)
      CHECK(got.seconds == want);
  }
}

TEST_CASE("tasks that share a record weigh as many jobs") {
  CHECK(percentile({of(60, true), of(600, false, 9)}, 0.2).or_longer);
  CHECK(job_count({of(60, true), of(600, false, 9)}) == 10);
}

TEST_CASE("a forecast uses nothing that is known later") {
  // Two jobs of day 10: one starts on it, the other on day 13. Another of day 12 starts on day 14.
  const Waits waits = {{10 * day, 10 * day + 20, true, 1},
                       {10 * day, 13 * day + 5, true, 1},
                       {12 * day, 14 * day + 5, true, 1},
                       {10 * day, 12 * day + 7, false, 1},
                       {11 * day, not_yet, false, 1}};
  CHECK(std::isnan(forecast(waits, 10 * day).seconds));
  CHECK(std::isnan(naive_forecast(waits, 10 * day).seconds));
  const Waits known = as_of(waits, 9 * day, 11 * day, 11 * day); // two of day 10 still wait
  CHECK(known.size() == 3);
  CHECK(percentile(known, 0.3).seconds == 20);
  CHECK(forecast(waits, 11 * day).or_longer);
  CHECK(forecast(waits, 11 * day).seconds == day);
  CHECK(started(waits, 0, 14 * day).size() == 2);
  CHECK(naive_forecast(waits, 11 * day).seconds == 20);
  CHECK(std::isnan(naive_forecast(waits, 13 * day).seconds)); // nothing started on day 12
  CHECK(naive_forecast(waits, 14 * day).seconds == 3 * day + 5);
}

TEST_CASE("the forecast of a queue that is always the same is right") {
  Partitions partitions;
  for (int today = 100; today < 120; ++today)
    partitions["a"][0].insert(partitions["a"][0].end(), 50,
                              {today * day, today * day + 600, true, 1});
  const Score score = back_test(partitions, 114 * day, 120 * day);
  CHECK(score.jobs == 300);
  CHECK(score.naive == 1);
  CHECK(score.forecast == 1);
}

TEST_CASE("an error is a ratio, the same upwards and downwards") {
  for (const long long first : {28, 116})
    for (const long long second : {28, 116}) {
      Partitions partitions;
      partitions["a"][0] = {{5 * day, 5 * day + first, true, 1},
                            {6 * day, 6 * day + second, true, 1}};
      const Score score = back_test(partitions, 5 * day, 7 * day);
      CHECK(score.jobs == 1); // day 5 has no yesterday
      CHECK_THAT(score.naive, WithinRel(first == second ? 1.0 : 2.0, 1e-12));
    }
}

TEST_CASE("the table counts cancelled jobs and those that still wait") {
  Waits waits; // the lesson's picture: starts after 1, 2, 3 hours, cancelled after 5, waits for 6
  for (const int hours : {1, 2, 3, 5})
    waits.push_back({10 * day, 10 * day + hours * hour, hours < 4, 1});
  waits.push_back({10 * day, not_yet, false, 1});
  const long long now = 10 * day + 6 * hour;
  const Waits known = as_of(waits, 0, now, now);
  CHECK(percentile(known, 0.5).seconds == 3 * hour);
  CHECK(!percentile(known, 0.5).or_longer);
  CHECK(percentile(known, 0.9).or_longer);
  CHECK(percentile(known, 0.9).seconds == 6 * hour);
}
