// Judges exercise 19-queue-time/rosy-forecast: cancelled jobs before, between and after those that
// started, in the same second, and so many that the wait is not known.
#include "common/grader/judge.hpp"
#include "exercises/19-queue-time/rosy-forecast.hpp"
#include "tests/19-queue-time/kaplan_meier.hpp"

#include <catch2/catch_test_macros.hpp>

#include <climits>

namespace {

struct Jobs {
  std::vector<int> waited, started;
  void add(int its_wait, int has_started) {
    waited.push_back(its_wait);
    started.push_back(has_started);
  }
};

using Question = course::Question<decltype(rosy_forecast)>;

void call(Question question, const Jobs &jobs, double share) {
  const std::vector<int> all(jobs.started.size(), 1);
  std::vector<int> forever;
  Jobs lucky;
  for (std::size_t i = 0; i < all.size(); ++i) {
    forever.push_back(jobs.started[i] ? jobs.waited[i] : INT_MAX);
    if (jobs.started[i])
      lucky.add(jobs.waited[i], 1);
  }
  question.with(int(all.size()), jobs.waited, jobs.started, share)
      .returns(kaplan_meier(jobs.waited, jobs.started, share), 0,
               {{kaplan_meier(lucky.waited, lucky.started, share),
                 "the jobs that never started are left out"},
                {kaplan_meier(jobs.waited, all, share),
                 "a job that was cancelled is counted as if it had started then"},
                {kaplan_meier(forever, jobs.started, share),
                 "a job that was cancelled stays at risk for ever"}});
}

// Each job would start after one time, and be cancelled after another; both functions draw.
template <class Wait, class Patience> Jobs draw(int count, Wait wait, Patience patience) {
  Jobs jobs;
  for (int i = 0; i < count; ++i) {
    const int starts = wait(), cancels = patience();
    jobs.add(std::min(starts, cancels), starts <= cancels);
  }
  return jobs;
}

} // namespace

TEST_CASE("percentiles of waits, some of them cut short") {
  course::Judge judge;
  const auto ask = [&](const std::string &title, const Jobs &jobs, double share) {
    auto question = judge.ask<decltype(rosy_forecast)>(title);
    question.needs_no_kernel();
    call(question, jobs, share);
  };
  // No share is a fraction of small numbers: rounding decides nothing.
  const auto share = [&](double low, double high) { return judge.number(low, high); };
  const auto up_to = [&](int longest) {
    return [&judge, longest] { return judge.number(0, longest); };
  };
  const auto never = [] { return INT_MAX; };

  Jobs picture;
  for (const int hours : {4, 1, 3, 5, 2})
    picture.add(3600 * hours, hours <= 3);
  ask("started after 1, 2 and 3 h, cancelled after 4 and 5 h", picture, 0.5);
  Jobs between;
  for (const int hours : {6, 2, 5, 1, 3, 7, 4})
    between.add(3600 * hours, hours % 2);
  ask("started after 1, 3, 5 and 7 h, cancelled after 2, 4 and 6 h", between, 0.5);
  ask("all have started", draw(judge.number(300, 400), up_to(90000), never), share(0.3, 0.9));
  ask("some are cancelled", draw(judge.number(900, 1000), up_to(90000), up_to(150000)),
      share(0.4, 0.6));
  ask("three of four are cancelled", draw(judge.number(1800, 2000), up_to(90000), up_to(45000)),
      share(0.25, 0.3));
  ask("many leave in the same second, started and cancelled",
      draw(judge.number(1500, 2000), up_to(9), up_to(12)), share(0.45, 0.7));
  Jobs together;
  for (int i = 0; i < 30; ++i)
    together.add(100 + 100 * (i / 10), i % 2);
  ask("in each of three seconds five start and five are cancelled", together, share(0.385, 0.41));
  Jobs impatient = draw(judge.number(300, 400), up_to(5000), never);
  for (int i = 0; i < 300; ++i)
    impatient.add(judge.number(0, 5000), 0);
  ask("half of the owners cancel", impatient, share(0.3, 0.5));
  Jobs waiting = draw(judge.number(100, 200), up_to(1000), never);
  for (int i = 0; i < 500; ++i)
    waiting.add(judge.number(1001, 2000), 0);
  ask("most still wait: their median is not known", waiting, share(0.5, 0.6));
  Jobs nobody;
  for (int i = 0; i < 20; ++i)
    nobody.add(judge.number(0, 1000), 0);
  ask("nobody has started", nobody, share(0.1, 0.9));
  Jobs one;
  one.add(judge.number(1, 1000), 1);
  ask("one job", one, share(0.1, 0.9));
  Jobs at_once = draw(40, up_to(0), never);
  at_once.add(judge.number(1, 1000), 0);
  ask("a wait of 0 s", at_once, share(0.5, 0.9));
  Jobs nothing_to_wait_for; // 30 % start at once, 30 % are cancelled at once
  for (int i = 0; i < 100; ++i)
    nothing_to_wait_for.add(i < 60 ? 0 : judge.number(1, 1000), i < 30 || i >= 60);
  ask("some are cancelled after a wait of 0 s", nothing_to_wait_for, share(0.33, 0.41));
  Jobs seconds; // 60 are cancelled one second before 20 start
  for (int i = 0; i < 100; ++i)
    seconds.add(i < 60 ? 500 : i < 80 ? 501 : judge.number(502, 1000), i >= 60);
  ask("many are cancelled just before others start", seconds, share(0.25, 0.45));
  Jobs two;
  two.add(judge.number(1, 500), 1);
  two.add(judge.number(501, 1000), 1);
  ask("two jobs", two, share(0.55, 0.9));
  ask("two jobs, and their median is the first of them", two, 0.5); // halves are not rounded
  auto several = judge.ask<decltype(rosy_forecast)>("two lists, one after the other");
  several.needs_no_kernel();
  call(several, impatient, share(0.3, 0.5));
  call(several, between, share(0.6, 0.65));
  judge.run();
}

// The product is so close to 1 - share that a float would miss it, above or below.
TEST_CASE("a job starts in each second, and a little more or less is asked than some of them") {
  course::Judge judge;
  const int n = judge.number(9000, 10'000);
  Jobs jobs;
  for (int i = 0; i < n; ++i)
    jobs.add(n - i, 1);
  for (const double beside : {0.002, -0.002})
    for (const int whole : {n / 3, n / 2, n - n / 4})
      call(judge.ask<decltype(rosy_forecast)>(std::to_string(n) + " jobs").needs_no_kernel(), jobs,
           (whole + beside) / n);
  judge.run();
}

// No float holds these waits, nor which of them is the median.
TEST_CASE("many jobs that waited for years") {
  course::Judge judge;
  const int n = judge.number(30'000, 40'000);
  const auto long_wait = [&] { return judge.number(1'900'000'000, 1'900'600'000); };
  const auto patience = [&] { return judge.number(1'900'000'000, 1'901'200'000); };
  call(judge.ask<decltype(rosy_forecast)>(std::to_string(n) + " jobs").needs_no_kernel(),
       draw(n, long_wait, patience), judge.number(0.4, 0.6));
  judge.run();
}
