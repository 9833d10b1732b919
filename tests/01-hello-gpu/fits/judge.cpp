// Judges exercise 01-hello-gpu/fits: devices of the catalogue, and made-up ones in which each of
// the four stores is the one that is used up first.
#include "common/grader/judge/judge.hpp"
#include "exercises/01-hello-gpu/fits.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

using Question = course::Question<decltype(fits)>;

struct Device {
  int sms, threads, blocks, registers, shared;
};

const Device k80{13, 2048, 16, 131072, 112 * 1024};
const Device t4{40, 1024, 16, 65536, 64 * 1024};
const Device h200{132, 2048, 32, 65536, 228 * 1024};

int whole_warps(int threads) { // slower than any formula, and independent
  int warps = 0;
  while (32 * warps < threads)
    ++warps;
  return 32 * warps;
}

// Takes in block after block until one no longer fits.
int count_blocks(const Device &d, int threads, int registers, int shared) {
  if (threads > 1024)
    return 0;
  const int occupied = whole_warps(threads);
  Device left = d;
  int blocks = 0;
  while ((left.threads -= occupied) >= 0 && (left.registers -= occupied * registers) >= 0 &&
         (left.shared -= shared) >= 0 && (left.blocks -= 1) >= 0)
    ++blocks;
  return d.sms * blocks;
}

void ask_also(Question question, const Device &d, int threads, int registers, int shared) {
  question.with(d.sms, d.threads, d.blocks, d.registers, d.shared, threads, registers, shared)
      .returns(count_blocks(d, threads, registers, shared));
}

void ask(course::Judge &judge, const std::string &title, const Device &d, int threads,
         int registers, int shared) {
  ask_also(judge.ask<decltype(fits)>(title).needs_no_kernel(), d, threads, registers, shared);
}

} // namespace

TEST_CASE("blocks at once") {
  course::Judge judge;
  ask(judge, "256 threads on an H200", h200, 256, 32, 0);
  ask(judge, "20 threads on an H200: the blocks are used up first", h200, 20, 16, 0);
  ask(judge, "100 threads on a T4: no whole number of warps", t4, 100, 100, 0);
  ask(judge, "33 threads on a T4: one more than a warp", t4, 33, 100, 0);
  ask(judge, "64 registers a thread on a K80", k80, 1000, 64, 0);
  ask(judge, "20 KiB of shared memory on a T4", t4, 64, 20, 20 * 1024);
  ask(judge, "more shared memory than a K80 has", k80, 64, 20, 113 * 1024);
  ask(judge, "1024 threads of 65 registers on a T4: not one block", t4, 1024, 65, 0);
  ask(judge, "1024 threads on an H200", h200, 1024, 32, 0);
  ask(judge, "an SM without shared memory, for a kernel that uses none", {10, 1024, 16, 65536, 0},
      128, 20, 0);
  ask(judge, "1 byte of shared memory on a T4", t4, 64, 20, 1);
  ask(judge, "an SM of 64 blocks", {10, 4096, 64, 131072, 0}, 32, 16, 0);
  ask(judge, "33 threads: twice as many would fit without whole warps",
      {10, 33 * 32, 64, 1 << 20, 0}, 33, 16, 0);
  ask(judge, "an SM with a part of a warp less than two blocks", {10, 2 * 128 - 1, 64, 1 << 20, 0},
      128, 16, 0);
  ask(judge, "1025 threads", h200, 1025, 16, 0);
  ask(judge, "2000000000 threads", h200, 2'000'000'000, 16, 0);
  // times the reciprocal, in float or double, one or three blocks are less than that
  auto exact = judge.ask<decltype(fits)>("what one or three blocks need, and no more");
  exact.needs_no_kernel();
  for (int side : {15, 41, 47, 49, 55, 61, 83, 91, 98, 103, 105, 107})
    for (int blocks : {1, 3}) {
      ask_also(exact, {10, 32 * 31 * 3, 64, 32 * side * blocks, 0}, 32, side, 0);
      ask_also(exact, {10, 32 * 31 * 3, 64, 32 * 20 * 4, 1024 * side * blocks}, 32, 20,
               1024 * side);
      ask_also(exact, {10, 32 * (side % 32 + 1) * blocks, 64, 1 << 20, 0}, 32 * (side % 32 + 1), 9,
               0);
    }
  // 20 blocks by threads and shared memory, 21 by blocks, 22 by registers; then one number changes
  auto changed = judge.ask<decltype(fits)>("a device and a kernel, and one number of them changes");
  changed.needs_no_kernel();
  const Device d{7, 20 * 96, 21, 22 * 96 * 30, 20 * 4096};
  ask_also(changed, d, 96, 30, 4096);
  ask_also(changed, {8, d.threads, d.blocks, d.registers, d.shared}, 96, 30, 4096);
  ask_also(changed, {8, 18 * 96, d.blocks, d.registers, d.shared}, 96, 30, 4096);
  ask_also(changed, {8, 18 * 96, 17, d.registers, d.shared}, 96, 30, 4096);
  ask_also(changed, {8, 18 * 96, 17, 16 * 96 * 30, d.shared}, 96, 30, 4096);
  ask_also(changed, {8, 18 * 96, 17, 16 * 96 * 30, 15 * 4096}, 96, 30, 4096);
  ask_also(changed, {8, 18 * 96, 17, 16 * 96 * 30, 15 * 4096}, 96, 30, 8192);
  ask_also(changed, {8, 18 * 96, 17, 16 * 96 * 30, 15 * 4096}, 96, 90, 8192);
  ask_also(changed, {8, 18 * 96, 17, 16 * 96 * 30, 15 * 4096}, 192, 90, 8192);
  judge.run();
}

// One store holds exactly so many blocks, or a little more, and the others more blocks than that.
TEST_CASE("blocks at once on made-up devices") {
  course::Judge judge;
  const char *const stores[] = {"threads", "blocks", "registers", "shared memory"};
  for (int first = 0; first < 4; ++first) {
    auto question = judge.ask<decltype(fits)>(std::string("8 devices that nobody sells: the ") +
                                              stores[first] + " are used up first");
    question.needs_no_kernel();
    for (int k = 0; k < 8; ++k) {
      // Whole warps, one more thread, one less; a byte of shared memory, none, many.
      const int warps = 32 * judge.number(1, 31), registers = judge.number(1, 255);
      const int threads = k < 3 ? warps - 1 + k : judge.number(1, 1024);
      const int shared = k == 0                                 ? 1
                         : first < 3 && judge.number(0, 1) == 0 ? 0
                                                                : judge.number(2, 100'000);
      const int blocks = k < 3 ? judge.number(1, 12) : judge.number(0, 12);
      int room[4]; // for so many blocks
      for (int &count : room)
        count = blocks + judge.number(1, 3);
      room[first] = blocks;
      const int occupied = whole_warps(threads);
      // Exactly what the blocks need, or also a part of what another one would need.
      const auto rest = [&](int need) { return k < 3 ? 0 : judge.number(0, need - 1); };
      const Device d{judge.number(1, 200), room[0] * occupied + rest(occupied), room[1],
                     room[2] * occupied * registers + rest(occupied * registers),
                     room[3] * shared + (shared ? rest(shared) : 1000)};
      ask_also(question, d, threads, registers, shared);
    }
  }
  judge.run();
}
