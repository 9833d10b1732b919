// Judges exercise 01-hello-gpu/roll-call: grids of any number of blocks and threads.
#include "common/grader/judge/judge.hpp"
#include "exercises/01-hello-gpu/roll-call.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

using Question = course::Question<decltype(roll_call)>;

void ask_also(Question question, int blocks, int threads) {
  std::vector<int> names;
  for (int block = 0; block < blocks; ++block)
    for (int thread = 0; thread < threads; ++thread)
      names.push_back(10000 * block + thread);
  question.with(blocks, threads, course::output(names).shape(threads));
}

Question ask(course::Judge &judge, int blocks, int threads) {
  auto question = judge.ask<decltype(roll_call)>(std::to_string(blocks) + " blocks of " +
                                                 std::to_string(threads) + " threads");
  question.launches_grid_of(blocks).launches_blocks_of(threads);
  ask_also(question, blocks, threads);
  return question;
}

} // namespace

TEST_CASE("each thread writes its block and its number") {
  course::Judge judge;
  ask(judge, 3, 5);
  ask(judge, judge.number(2, 90), judge.number(2, 31));
  ask(judge, judge.number(2, 20), judge.number(33, 1023));
  ask(judge, 1, judge.number(2, 1024));
  ask(judge, 200'000, 1); // more than a grid may have in y
  ask(judge, 7, 1024);
  ask(judge, 2 * judge.number(1100, 1500) + 1, 127); // above 1 MiB, and no multiple of 16 bytes
  ask(judge, 1, 1);
  judge.run();
}

TEST_CASE("one grid after the other; and a kernel that does nothing") {
  course::Judge judge;
  const int blocks = judge.number(2, 50), threads = judge.number(51, 200);
  Question question = ask(judge, blocks, threads);
  ask_also(question, 2 * blocks, threads); // one change at a time
  ask_also(question, 2 * blocks, threads); // nothing does: the names are to be written again
  ask_also(question, 2 * blocks, threads + 1);
  ask_also(question, threads, blocks);
  ask_also(question, blocks, threads);
  ask(judge, 2 * judge.number(2, 25) + 1, 32 * judge.number(1, 5) + 31).without_kernels();
  judge.run();
}

TEST_CASE("more threads than a float counts", "[large]") {
  course::Judge judge;
  ask(judge, 16'601, 1024);
  ask(judge, 199'999, 85);
  judge.run();
}
