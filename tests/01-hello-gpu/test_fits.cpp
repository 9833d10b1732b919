// Judges exercise 01-hello-gpu/fits: devices of the catalogue, and made-up ones in which each of
// the four stores is the one that is used up first.
#include "exercises/01-hello-gpu/fits.hpp"
#include "tests/grader/judge.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

struct Device {
  int sms, threads, blocks, registers, shared;
};

const Device k80{13, 2048, 16, 131072, 112 * 1024};
const Device t4{40, 1024, 16, 65536, 64 * 1024};
const Device h200{132, 2048, 32, 65536, 228 * 1024};

// Takes in block after block until one no longer fits: slower than any formula, and independent.
int count_blocks(const Device &d, int threads, int registers, int shared) {
  if (threads > 1024)
    return 0;
  int warps = 0;
  while (32 * warps < threads)
    ++warps;
  Device left = d;
  int blocks = 0;
  while ((left.threads -= 32 * warps) >= 0 && (left.registers -= 32 * warps * registers) >= 0 &&
         (left.shared -= shared) >= 0 && (left.blocks -= 1) >= 0)
    ++blocks;
  return d.sms * blocks;
}

void ask(course::Judge &judge, const std::string &title, const Device &d, int threads,
         int registers, int shared) {
  judge.ask<decltype(fits)>(title)
      .needs_no_kernel()
      .with(d.sms, d.threads, d.blocks, d.registers, d.shared, threads, registers, shared)
      .returns(count_blocks(d, threads, registers, shared));
}

} // namespace

TEST_CASE("blocks at once") {
  course::Judge judge;
  ask(judge, "256 threads on an H200", h200, 256, 32, 0);
  ask(judge, "20 threads on an H200: the blocks are used up first", h200, 20, 16, 0);
  ask(judge, "100 threads on a T4: no whole number of warps", t4, 100, 100, 0);
  ask(judge, "64 registers a thread on a K80", k80, 1000, 64, 0);
  ask(judge, "20 KiB of shared memory on a T4", t4, 64, 20, 20 * 1024);
  ask(judge, "more shared memory than a K80 has", k80, 64, 20, 113 * 1024);
  ask(judge, "1024 threads of 65 registers on a T4: not one block", t4, 1024, 65, 0);
  ask(judge, "1025 threads", h200, 1025, 16, 0);
  judge.run();
}

TEST_CASE("blocks at once on made-up devices") {
  course::Judge judge;
  auto question = judge.ask<decltype(fits)>("20 devices that nobody sells").needs_no_kernel();
  for (int k = 0; k < 20; ++k) {
    const Device d{judge.number(1, 200), 64 * judge.number(8, 40), judge.number(4, 40),
                   1024 * judge.number(8, 128), 1024 * judge.number(8, 256)};
    const int threads = judge.number(1, 500), registers = judge.number(8, 80);
    const int shared = judge.number(0, 2) == 0 ? 0 : judge.number(1, 20'000);
    question.with(d.sms, d.threads, d.blocks, d.registers, d.shared, threads, registers, shared)
        .returns(count_blocks(d, threads, registers, shared));
  }
  judge.run();
}
