// Runs the cases of a judge, and says what came of them: to Catch2, and as a verdict to `check`.
#include "common/grader/judge/judge.hpp"

#include "common/grader/judge/batch.hpp"
#include "common/grader/judge/order.hpp"
#include "common/grader/sandbox/text.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/reporters/catch_reporter_event_listener.hpp>
#include <catch2/reporters/catch_reporter_registrars.hpp>

#include <sys/prctl.h>

#include <algorithm>
#include <deque>
#include <fstream>
#include <sstream>

namespace course {
namespace {

// The command that asks a case again.
std::string rerun(int number) {
  std::ostringstream out;
  out << "COURSE_SEED=" << this_order().seed << " COURSE_CASE=" << number << " ./course check "
      << this_order().exercise;
  if (!this_order().tool.empty())
    out << " --tool " << this_order().tool;
  return out.str();
}

// The order in which the CPU backend runs threads and blocks: another one for each case.
std::string thread_order(int number) {
  if (!this_order().thread_order.empty())
    return this_order().thread_order;
  const std::string orders[] = {"forward", "reverse",
                                "random:" + std::to_string(this_order().first_seed() + number)};
  return orders[number % 3];
}

// True if a call's arguments take a tool long. Smaller calls are enough for a tool's findings, and
// for values that are kept between calls.
bool is_large(const Call &call) {
  std::size_t bytes = 0;
  for (const Parameter &parameter : call.parameters)
    bytes += parameter.before.size();
  return bytes > 1 << 18;
}

// True if a case asks again what others have asked, for what these do not show: only where they are
// right, with no other case at the same time, and not under a tool.
bool comes_last(const Case &its_case) { return its_case.again || hides(its_case.launches); }

Verdict verdict{this_order().exercise};

// Writes the verdict to the file that `check` names, when all tests have run.
class VerdictWriter : public Catch::EventListenerBase {
public:
  using EventListenerBase::EventListenerBase;
  void testRunEnded(const Catch::TestRunStats &) override {
    if (const std::string path = this_order().verdict; !path.empty())
      std::ofstream(path) << to_json(verdict) << "\n";
  }
};
CATCH_REGISTER_LISTENER(VerdictWriter)

} // namespace

Judge::Judge() : random_(this_order().first_seed()) {}

Case &Judge::add(const std::string &title) {
  cases_.emplace_back().title = title;
  return cases_.back();
}

int Judge::odd_below(int largest) { return (number(largest - largest / 4, largest) - 1) | 1; }

int Judge::prime(int low, int high) {
  const auto is_prime = [](int n) {
    for (int factor = 2; factor * factor <= n; ++factor)
      if (n % factor == 0)
        return false;
    return true;
  };
  int n = number(2 * low, high); // between n / 2 and n there is always a prime
  while (!is_prime(n))
    --n;
  return n;
}

std::vector<int> Judge::sizes(int largest) {
  const int unit = largest > 2048 ? 1024 : 32;
  const auto whole = [&](int one) { return one * number(1, std::min(9, (largest - 1) / one)); };
  return {whole(unit) + 1,    whole(unit),
          whole(unit) - 1,    prime(std::min(largest / 4, 16), std::min(largest, 10'000)),
          odd_below(largest), 32 * (2 * number(0, (std::min(largest, 1000) / 32 - 1) / 2) + 1),
          number(2, 31),      1};
}

std::vector<std::pair<int, int>> Judge::shapes(int longest) {
  const auto warps = [&] { return 32 * number(1, 8); };
  const auto few = [&] { return number(2, 31); };
  return {{warps() + 1, warps() + 1},  {warps(), warps()},
          {warps() - 1, warps() - 1},  {prime(33, 300), prime(33, 300)},
          {odd_below(longest), few()}, {few(), odd_below(longest)},
          {odd_below(longest), 1},     {1, odd_below(longest)}};
}

// What shows all of the host's work, with no kernel, is asked again for a part of it.
void Judge::add_hidden() {
  if (COURSE_CUDA || !this_order().library.empty()) // a script is an array, too
    return;
  for (std::size_t i = 0, asked = cases_.size(); i < asked; ++i) {
    if (!cases_[i].nothing_right || cases_[i].host == Host::sees_all)
      continue;
    Case &hidden = cases_.emplace_back(cases_[i]);
    hidden.title += "; then it does, with numbers that host code does not see";
    hidden.nothing_right = false;
    hidden.launches = hidden.host == Host::sees_inputs    ? Launches::results_hidden
                      : hidden.host == Host::sees_results ? Launches::inputs_hidden
                                                          : Launches::hidden;
  }
}

// Values that an answer keeps between calls are detected after other calls.
void Judge::add_all_again() {
  Case again;
  again.title = "all earlier cases again, in reverse order";
  again.again = true;
  again.needs_kernel = false;
  for (auto its_case = cases_.rbegin(); its_case != cases_.rend(); ++its_case)
    if (shares_worker(*its_case))
      for (const Call &call : its_case->calls) {
        if (is_large(call))
          continue;
        again.calls.push_back(call);
        again.needs_kernel |= its_case->needs_kernel;
      }
  if (again.calls.size() == 1)
    again.calls.push_back(again.calls[0]);
  if (!again.calls.empty())
    cases_.push_back(std::move(again));
}

void Judge::run() {
  add_hidden();
  add_all_again();
  static int counted = 0;     // cases of the TEST_CASEs before
  static bool waited = false; // one of them did not end: nobody need wait for another
  prctl(PR_SET_DUMPABLE, 0);
  const int only = this_order().only;
  std::deque<Batch> waiting, running;
  std::string wrong; // said when no worker runs any more: who aborts at a failure leaves here
  for (const Case &its_case : cases_) {
    const int number = ++counted;
    const bool takes_long =
        comes_last(its_case) || std::any_of(its_case.calls.begin(), its_case.calls.end(), is_large);
    if ((only && only != number) || (takes_long && !this_order().tool.empty()))
      continue;
    // An earlier TEST_CASE found what is wrong.
    if (waited || (takes_long && verdict.kind != Kind::pass)) {
      verdict.add_skipped(its_case.title);
      continue;
    }
    if (waiting.empty() || !waiting.back().take(its_case))
      waiting.emplace_back(its_case, number);
  }
  const auto start = [this](Batch &batch) {
    const int number = batch.number_of(0);
    batch.start(thread_order(number), this_order().first_seed() + number);
  };
  const std::size_t together = COURSE_CUDA ? 1 : 2;
  const auto is_last = [](const Batch &batch) { return comes_last(*batch.cases().front()); };
  while (!waiting.empty() || !running.empty()) {
    while (!waiting.empty() && running.size() < (is_last(waiting.front()) ? 1 : together)) {
      running.push_back(std::move(waiting.front()));
      waiting.pop_front();
      start(running.back());
    }
    Batch batch = std::move(running.front());
    running.pop_front();
    auto findings = batch.finish();
    if (batch.crashed_at_its_end()) {
      start(batch);
      findings = batch.finish();
    }
    for (std::size_t i = 0; i < batch.cases().size(); ++i) {
      const std::string &title = batch.cases()[i]->title;
      if (i >= findings.size()) {
        verdict.add_skipped(title);
        continue;
      }
      const int number = batch.number_of(i);
      verdict.add(number, title, findings[i], rerun(number),
                  batch.seconds() / double(findings.size()));
      if (findings[i].is_wrong())
        wrong += title + "\n" + indented(text_of(findings[i].remarks)) + "\n";
    }
    // What is wrong by itself is not asked again.
    const Finding &last = findings.back();
    waited |= last.kind == Kind::timeout || last.kind == Kind::deadlock;
    if (waited || (last.is_wrong() && this_order().stops_at_wrong) ||
        (!wrong.empty() && !waiting.empty() && is_last(waiting.front()))) {
      for (const Batch &left_out : waiting)
        for (const Case *its_case : left_out.cases())
          verdict.add_skipped(its_case->title);
      waiting.clear();
    }
  }
  cases_.clear();
  INFO(wrong);
  CHECK(wrong.empty());
}

} // namespace course
