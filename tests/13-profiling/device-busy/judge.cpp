// Judges exercise 13-profiling/device-busy: timelines with gaps, with overlap, with one kernel
// within another, with kernels that begin at the same time or take no time.
#include "common/grader/judge.hpp"
#include "exercises/13-profiling/device-busy.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <set>

namespace {

struct Timeline {
  std::vector<double> begin, end;
  void add(double its_begin, double its_end) {
    begin.push_back(its_begin);
    end.push_back(its_end);
  }
};

using Question = course::Question<decltype(device_busy)>;

void call(Question question, const Timeline &its) {
  // Between two neighbouring times nothing begins or ends: any operation covers all of it or none.
  std::set<double> times(its.begin.begin(), its.begin.end());
  times.insert(its.end.begin(), its.end.end());
  double busy = 0;
  for (auto left = times.begin(), right = std::next(left); right != times.end(); ++left, ++right)
    for (std::size_t i = 0; i < its.begin.size(); ++i)
      if (its.begin[i] <= *left && *right <= its.end[i]) {
        busy += *right - *left;
        break;
      }
  double all = 0, last = 0, negative = 0, apart = 0, until = its.begin[0], last_end = until;
  for (std::size_t i = 0; i < its.begin.size(); ++i) {
    const double begin = its.begin[i], end = its.end[i];
    all += end - begin;
    last += std::max(0.0, end - std::max(begin, last_end));
    negative += end - std::max(begin, until);
    apart += begin >= until ? end - begin : 0;
    until = std::max(until, end);
    last_end = end;
  }
  question.with(int(its.begin.size()), its.begin, its.end)
      .returns(busy, 1e-9 * std::min(busy, 1.0) + 1e-13 * std::fabs(until),
               {{all, "where several run at the same time, each of them is counted"},
                {last, "a short one within a long one moves `until` back"},
                {negative, "one that ends before `until` adds a negative time"},
                {apart, "one that begins before `until` adds nothing, also where it ends later"},
                {until - its.begin[0], "the gaps are counted, too"}});
}

Question ask(course::Judge &judge, const std::string &title) {
  return judge.ask<decltype(device_busy)>(title).needs_no_kernel();
}

void ask(course::Judge &judge, const std::string &title, const Timeline &its) {
  call(ask(judge, title), its);
}

// As many kernels as that, in the order of their begins; both functions draw.
template <class Begin, class Length> Timeline draw(int count, Begin begin, Length length) {
  Timeline drawn;
  for (int i = 0; i < count; ++i)
    drawn.begin.push_back(begin());
  std::sort(drawn.begin.begin(), drawn.begin.end());
  for (const double its_begin : drawn.begin)
    drawn.end.push_back(its_begin + length());
  return drawn;
}

} // namespace

TEST_CASE("timelines") {
  course::Judge judge;
  const double start = judge.number(0.5, 3.0);
  Timeline one, gaps, early, chain, overlap, within, covered, short_gaps, tiny;
  one.add(start, start + judge.number(0.1, 1.0));
  ask(judge, "one kernel, which does not begin at 0", one);
  for (int i = 0; i < 20; ++i) {
    gaps.add(start + i, start + i + judge.number(0.1, 0.9));
    early.add(i - 10 - start, i - 10 - start + judge.number(0.1, 1.9));
    chain.add(start + 0.25 * i, start + 0.25 * (i + 1));
    overlap.add(start + i, start + i + judge.number(1.1, 1.9));
  }
  ask(judge, "kernels with gaps between them", gaps);
  ask(judge, "kernels before second 0, and after it", early);
  ask(judge, "one kernel directly after the other", chain);
  ask(judge, "each begins while the one before it runs", overlap);
  within.add(start, start + 10);
  for (int i = 1; i < 5; ++i)
    within.add(start + i, start + i + judge.number(0.1, 0.8));
  within.add(start + 6, start + judge.number(10.5, 11.0));
  ask(judge, "short kernels within a long one", within);
  covered.add(start, start + 2);
  covered.add(start + 1, start + judge.number(101.0, 102.0));
  for (int i = 2; i < 100; ++i)
    covered.add(start + i, start + i + judge.number(0.1, 1.9));
  ask(judge, "a hundred kernels within a long one, which ends last", covered);
  for (int i = 0; i < 100; ++i)
    short_gaps.add(start + 1e-5 * i, start + 1e-5 * i + judge.number(9.1e-6, 9.9e-6));
  ask(judge, "kernels of some microseconds, with gaps that are shorter than one", short_gaps);
  for (int i = 0; i < 100; ++i)
    tiny.add(1e-9 * i, 1e-9 * (i + judge.number(0.1, 0.9)));
  ask(judge, "kernels and gaps shorter than a nanosecond", tiny);
  const auto many = draw(
      3000, [&] { return judge.number(0.0, 1000.0); }, [&] { return judge.number(0.0, 1.0); });
  ask(judge, "3000 kernels of many streams", many);
  const auto together = draw(
      60, [&] { return 0.25 * judge.number(0, 160); }, [&] { return 0.25 * judge.number(0, 3); });
  ask(judge, "kernels that begin at the same time, touch, or take no time", together);
  Timeline pair; // the longer one comes second
  pair.add(start, start + 0.25);
  pair.add(start, start + 1.5);
  pair.add(start + 2, start + 2.75);
  ask(judge, "two kernels that begin at the same time, and a third", pair);
  auto several = ask(judge, "several timelines, one after the other");
  call(several, many);
  call(several, within);
  judge.run();
}

TEST_CASE("very many kernels", "[large]") {
  course::Judge judge;
  const int n = 1'000'003;
  Timeline its;
  for (int i = 0; i < n; ++i)
    its.add(i, i + 0.75);
  ask(judge, std::to_string(n) + " kernels")
      .with(n, its.begin, its.end)
      .returns(0.75 * n, 1e-9 * n);
  judge.run();
}
