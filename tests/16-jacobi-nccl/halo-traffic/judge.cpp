// Judges exercise 16-jacobi-nccl/halo-traffic: steps that k divides and that it does not, fewer
// steps than k, and more bytes, or cells, than an unsigned int holds.
#include "common/grader/judge.hpp"
#include "exercises/16-jacobi-nccl/halo-traffic.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

std::string text_of(Traffic traffic) {
  return std::to_string(traffic.messages) + " messages, " + std::to_string(traffic.bytes) +
         " bytes";
}

void ask(course::Judge &judge, int nx, int k, int steps) {
  const long long exchanges = steps / k + (steps % k > 0);
  const Traffic right{2 * exchanges, 2 * exchanges * k * nx * 4};
  judge
      .ask<decltype(halo_traffic)>("rows of " + std::to_string(nx) + " cells, halos of " +
                                   std::to_string(k) + ", " + std::to_string(steps) + " steps")
      .needs_no_kernel()
      .with(nx, k, steps)
      .returns_such_that(
          text_of(right),
          [right](Traffic traffic) {
            return traffic.messages == right.messages && traffic.bytes == right.bytes;
          },
          text_of);
}

} // namespace

TEST_CASE("messages and bytes of a GPU") {
  course::Judge judge;
  const int nx = judge.number(100, 999);
  ask(judge, nx, 1, judge.number(2, 99));
  const int k = judge.number(3, 9);
  ask(judge, nx, k, k * judge.number(2, 20));
  ask(judge, nx, k, k * judge.number(2, 20) + 1);
  ask(judge, nx, k, k * judge.number(2, 20) + k - 1);
  ask(judge, nx, k, judge.number(1, k - 1));
  ask(judge, judge.number(500'000, 900'000), k, judge.number(1'000, 9'000));
  ask(judge, judge.number(80'000'000, 90'000'000), judge.number(60, 70), 1); // in one message, too
  ask(judge, nx, 1, judge.number(1'900'000'000, 2'000'000'000)); // more messages than an int holds
  ask(judge, nx, k, k * judge.number(100'000'000, 200'000'000) + 1);
  judge.run();
}
