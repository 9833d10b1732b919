// Judges exercise 19-queue-time/as-of: jobs before, at and after the time of the forecast, and at
// both ends of its window.
#include "common/grader/judge.hpp"
#include "exercises/19-queue-time/as-of.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

struct Jobs {
  std::vector<int> eligible, left, started;
  void add(int its_eligible, int its_left, int has_started) {
    eligible.push_back(its_eligible);
    left.push_back(its_left);
    started.push_back(has_started);
  }
};

using Question = course::Question<decltype(as_of)>;

void call(Question question, int now, int window, const Jobs &jobs) {
  std::vector<int> waited, has_started, future_waits, future_starts, without_waiting;
  for (std::size_t i = 0; i < jobs.left.size(); ++i) {
    waited.push_back(-1);
    has_started.push_back(0);
    const int age = now - jobs.eligible[i], wait = jobs.left[i] - jobs.eligible[i];
    if (age > 0 && age <= window) {
      waited[i] = wait < age ? wait : age;
      has_started[i] = wait < age ? jobs.started[i] : 0;
    }
    future_waits.push_back(waited[i] < 0 ? -1 : wait);
    future_starts.push_back(waited[i] < 0 ? 0 : jobs.started[i]);
    without_waiting.push_back(wait < age ? waited[i] : -1);
  }
  question.with(now, window, int(waited.size()), jobs.eligible, jobs.left, jobs.started,
                course::output(waited)
                    .often(future_waits, "the wait of a job that has not left the queue yet")
                    .often(without_waiting, "a job that still waits is left out"),
                course::output(has_started)
                    .often(future_starts, "a start that comes only later is known already"));
}

// Jobs that become eligible from `first` to `last`, and wait for up to `longest`.
Jobs draw(course::Judge &judge, int count, int first, int last, int longest) {
  Jobs jobs;
  for (int i = 0; i < count; ++i) {
    const int eligible = judge.number(first, last);
    jobs.add(eligible, eligible + judge.number(0, longest), judge.number(0, 1));
  }
  return jobs;
}

} // namespace

TEST_CASE("jobs as they were known at a time") {
  course::Judge judge;
  const auto ask = [&](const std::string &title, int now, int window, const Jobs &jobs) {
    auto question = judge.ask<decltype(as_of)>(title);
    question.needs_no_kernel();
    call(question, now, window, jobs);
  };
  const int now = judge.number(500'000, 600'000), window = judge.number(100'000, 200'000);
  ask("all have left the queue", now, window, draw(judge, 20, now - window, now - 5001, 5000));
  ask("all still wait", now, window, [&] {
    Jobs jobs;
    for (int i = 0; i < 20; ++i)
      jobs.add(judge.number(now - window, now - 1), judge.number(now + 1, now + window), i % 2);
    return jobs;
  }());
  ask("some have left, some still wait", now, window,
      draw(judge, 50, now - window, now - 1, window));
  ask("some are not eligible yet", now, window, draw(judge, 50, now - 5000, now + 5000, 5000));
  ask("some are too old", now, window, draw(judge, 50, 0, now - 1, window));
  const auto at_ends = [](int now, int window) {
    Jobs jobs;
    for (const int eligible : {now - window - 1, now - window, now - 1, now, now + 1})
      for (const int wait : {0, 1, 2, window, window + 1})
        for (const int started : {0, 1})
          jobs.add(eligible, eligible + wait, started);
    return jobs;
  };
  const Jobs ends = at_ends(now, window);
  ask("at both ends of the window, and leaving just then", now, window, ends);
  ask("a window of 1 s", now, 1, ends);
  const int since_1970 = judge.number(1'790'000'000, 1'800'000'000); // no float holds these times
  ask("the same in seconds since 1970", since_1970, window, at_ends(since_1970, window));
  ask("the window is all the time since 1970", since_1970, since_1970,
      draw(judge, 50, 0, since_1970 + 1'000'000, 1'000'000));
  Jobs from_zero = draw(judge, 60, 0, 1100, 500);
  from_zero.add(0, 0, 1);
  ask("the window is all the time before", 1000, 1000, from_zero);
  ask("3000 jobs", now, window, draw(judge, judge.number(2900, 3000), 0, 2 * now, window));
  auto days = judge.ask<decltype(as_of)>("the same jobs, day after day");
  days.needs_no_kernel();
  const Jobs week = draw(judge, 100, 0, 7 * 86400, 86400);
  for (int day = 1; day <= 7; ++day)
    call(days, day * 86400, 86400, week);
  judge.run();
}

TEST_CASE("many jobs", "[large]") {
  course::Judge judge;
  const int now = 600'000, window = 200'000, n = judge.number(300'000, 400'000);
  auto question = judge.ask<decltype(as_of)>(std::to_string(n) + " jobs").needs_no_kernel();
  call(question, now, window, draw(judge, n, 0, 2 * now, window));
  judge.run();
}
