// Judges exercise 13-profiling/attainable: kernels on both sides of the ridge, and near it; several
// devices.
#include "common/grader/judge/judge.hpp"
#include "exercises/13-profiling/attainable.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>

namespace {

using Question = course::Question<decltype(attainable)>;

void call(Question question, double flops, double bytes, double peak_flops, double peak_bandwidth) {
  // The kernel takes at least the time of its operations, and at least that of its bytes.
  const double seconds = std::max(flops / peak_flops, bytes / peak_bandwidth);
  const double rate = flops / seconds, memory = flops / bytes * peak_bandwidth;
  question.with(flops, bytes, peak_flops, peak_bandwidth)
      .returns(rate, 1e-9 * rate,
               {{peak_flops, "the peak, where the memory feeds less"},
                {memory, "what the memory feeds, where that is above the peak"},
                {std::min(bytes / flops * peak_bandwidth, peak_flops),
                 "the intensity is upside down: it is operations for each byte"},
                {1 / (1 / memory + 1 / peak_flops),
                 "the times of the memory and of the arithmetic are added: they pass at the same "
                 "time"}});
}

Question ask(course::Judge &judge, const std::string &title) {
  return judge.ask<decltype(attainable)>(title).needs_no_kernel();
}

} // namespace

TEST_CASE("what the roofline allows") {
  course::Judge judge;
  const double peak = judge.number(1e13, 6e13), bandwidth = judge.number(1e12, 4e12);
  const double bytes = judge.number(1e6, 1e9), ridge = peak / bandwidth;
  const auto with_intensity = [&](const std::string &title, double intensity) {
    call(ask(judge, title), intensity * bytes, bytes, peak, bandwidth);
  };
  with_intensity("memory-bound: a tenth of the ridge's intensity", 0.1 * ridge);
  with_intensity("memory-bound: just left of the ridge", 0.9999 * ridge);
  with_intensity("compute-bound: just right of the ridge", 1.0001 * ridge);
  with_intensity("compute-bound: 50 times the ridge's intensity", 50 * ridge);
  with_intensity("less than one operation for each byte", judge.number(0.01, 0.2));
  call(ask(judge, "a copy, without operations"), 0, bytes, peak, bandwidth);
  // If all four count in 1e12, so does the rate: neither fractions nor small numbers are special.
  call(ask(judge, "memory-bound, all in units of 1e12"), judge.number(0.1, 0.4),
       judge.number(0.1, 0.4), 1e-12 * peak, 1e-12 * bandwidth);
  call(ask(judge, "numbers whose products are no double"), 1e300, 1e300, peak, bandwidth);
  call(ask(judge, "more bytes than operations per second"), 1, 2, 1e12, 4e12);
  auto several = ask(judge, "one kernel on two devices: memory-bound, then compute-bound");
  for (double its_bandwidth : {1e11, judge.number(5e11, 9e11)})
    call(several, 1e8, 2e6, 1e13, its_bandwidth);
  judge.run();
}
