// Judges exercise 19-queue-time/stream-percentile: waits on the bounds and above the last one,
// empty bins, counts whose sum is no int, and streams that take turns, so that only `jobs` can
// remember.
#include "common/grader/judge.hpp"
#include "exercises/19-queue-time/stream-percentile.hpp"

#include <catch2/catch_test_macros.hpp>

#include <climits>

namespace {

using Question = course::Question<decltype(stream_percentile)>;

// The waits up to bound b, less those up to the bound before it: the jobs of bin b. `before` is
// added.
std::vector<int> counted(const std::vector<int> &before, const std::vector<int> &waits,
                         const std::vector<int> &upper, bool bound_goes_up = false) {
  std::vector<int> jobs = before;
  int up_to_before = 0;
  for (std::size_t b = 0; b < jobs.size(); ++b) {
    const int up_to = int(std::count_if(waits.begin(), waits.end(), [&](int wait) {
      return b == upper.size() || (bound_goes_up ? wait < upper[b] : wait <= upper[b]);
    }));
    jobs[b] += up_to - up_to_before;
    up_to_before = up_to;
  }
  return jobs;
}

struct Answer {
  double value, end_of_bin, from_zero;
};

// Where a line through the points (bound, jobs up to it) reaches the share of all jobs.
Answer percentile(const std::vector<int> &jobs, const std::vector<int> &upper, double share) {
  std::vector<long long> up_to{0};
  for (const int of_bin : jobs)
    up_to.push_back(up_to.back() + of_bin);
  const double needed = share * double(up_to.back());
  for (std::size_t b = 0; b < upper.size(); ++b)
    if (double(up_to[b + 1]) >= needed) {
      const double left = b == 0 ? 0 : upper[b - 1], right = upper[b];
      const double part = (needed - double(up_to[b])) / double(up_to[b + 1] - up_to[b]);
      return {(1 - part) * left + part * right, right, part * right};
    }
  return {double(upper.back()), double(upper.back()), double(upper.back())};
}

// A stream, and the jobs that its pieces have left so far.
struct Stream {
  std::vector<int> upper, jobs = std::vector<int>(upper.size() + 1, 0);

  void piece(Question question, const std::vector<int> &waits, double share) {
    const std::vector<int> none(jobs.size(), 0), before = jobs;
    jobs = counted(before, waits, upper);
    const Answer answer = percentile(jobs, upper, share);
    question
        .with(int(waits.size()), waits, share, int(upper.size()), upper,
              course::in_out(before, jobs)
                  .often(counted(before, waits, upper, true),
                         "a wait that equals a bound is counted in the bin above it")
                  .often(counted(none, waits, upper), "the pieces before this one are forgotten"))
        .returns(
            answer.value, 1e-6,
            {{answer.end_of_bin, "the upper bound of the bin, as if all of its jobs were there"},
             {answer.from_zero, "each bin is taken to begin at 0"}});
  }
};

Question ask(course::Judge &judge, const std::string &title) {
  return judge.ask<decltype(stream_percentile)>(title).needs_no_kernel();
}

std::vector<int> bounds(course::Judge &judge, int count, int widest) {
  std::vector<int> upper{judge.number(10, 99)};
  while (int(upper.size()) < count)
    upper.push_back(upper.back() + judge.number(1, widest));
  return upper;
}

} // namespace

TEST_CASE("a percentile of a stream") {
  course::Judge judge;
  const auto share = [&] { return judge.number(0.2, 0.9); };

  Stream bounded{bounds(judge, 12, 1000)};
  bounded.piece(ask(judge, "one piece, all waits within the bins"),
                judge.numbers<int>(judge.number(300, 400), 0, bounded.upper.back()), share());

  Stream small{{60, 600, 3600, 36000}};
  small.piece(ask(judge, "the waits are bounds: each belongs to the bin that it ends"),
              {60, 60, 600, 3600, 36000, 36000, 0}, 0.6);

  Stream ties{{100, 200, 300, 400}};
  ties.piece(ask(judge, "half of the jobs end a bin, and the next bin is empty"),
             {50, 60, 350, 360, 370, 40}, 0.5);

  Stream open{bounds(judge, 5, 50)};
  std::vector<int> long_waits = judge.numbers<int>(100, open.upper[3], 2'000'000'000);
  long_waits.push_back(INT_MAX); // more than the bytes past the end of upper
  open.piece(ask(judge, "most waits are longer than the last bound"), long_waits, 0.8);

  Stream one{{judge.number(1000, 5000)}};
  one.piece(ask(judge, "one bin, one job"), {judge.number(1, 1000)}, share());

  ties.piece(ask(judge, "a little more than half of the jobs"), {}, 0.50001);

  Stream wide{{1000, 1100, 1200}}; // the first bin is the widest
  wide.piece(ask(judge, "most waits are in the first bin"),
             judge.numbers<int>(judge.number(50, 90), 0, 1000), share());

  Stream fine{bounds(judge, judge.number(200, 300), 20)};
  fine.piece(ask(judge, "hundreds of bins"),
             judge.numbers<int>(judge.number(900, 999), 0, fine.upper.back()), 0.9);

  Stream first{bounds(judge, 40, 200)}, second{bounds(judge, 7, 3000)}, third{bounds(judge, 7, 90)};
  auto turns = ask(judge, "pieces of three streams in turn, some of them empty");
  for (const int n : {judge.number(100, 200), judge.number(1, 50), 0, judge.number(3000, 4000)}) {
    first.piece(turns, judge.numbers<int>(n, 0, first.upper.back() + 50), share());
    second.piece(turns, judge.numbers<int>(2 * n + 1, 0, second.upper.back() + 500), share());
    third.piece(turns, judge.numbers<int>(n + 1, 0, third.upper.back() + 5), share());
  }

  Stream year{bounds(judge, 6, 200'000'000)}; // no float holds these bounds
  for (int &jobs : year.jobs)
    jobs = judge.number(1'500'000'000, 2'000'000'000);
  year.piece(ask(judge, "after ten billion jobs, which no int can count"),
             judge.numbers<int>(500, 0, year.upper.back()), share());
  judge.run();
}
