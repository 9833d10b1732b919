// Judges exercise 14-multi-gpu/my-share: any number of GPUs; elements that they divide evenly, that
// they do not, fewer than GPUs, and so many that an int holds no product of them.
#include "common/grader/judge.hpp"
#include "exercises/14-multi-gpu/my-share.hpp"

#include <catch2/catch_test_macros.hpp>

#include <numeric>

namespace {

std::string text_of(Share share) {
  return std::to_string(share.count) + " elements, from element " + std::to_string(share.first) +
         " on";
}

using Question = course::Question<decltype(my_share)>;

Question ask(course::Judge &judge, int n, const std::string &gpus) {
  auto question = judge.ask<decltype(my_share)>(std::to_string(n) + " elements, GPUs: " + gpus);
  question.needs_no_kernel();
  return question;
}

void ask_also(course::Judge &judge, Question question, int n, int gpus) {
  std::vector<Share> shares;
  std::vector<int> numbers(gpus);
  std::iota(numbers.begin(), numbers.end(), 0);
  for (int gpu = 0, first = 0; gpu < gpus; ++gpu) { // each after those before it
    shares.push_back({first, n / gpus + (gpu < n % gpus ? 1 : 0)});
    first += shares.back().count;
  }
  if (gpus > 16)
    numbers = {0, gpus / 2, gpus - 2, gpus - 1};
  for (int gpu : judge.sprinkled(numbers, numbers)) {
    const Share right = shares[gpu];
    question.with(n, gpus, gpu)
        .returns_such_that(
            text_of(right),
            [right](Share share) {
              return share.first == right.first && share.count == right.count;
            },
            text_of);
  }
}

void ask(course::Judge &judge, int n, int gpus) {
  ask_also(judge, ask(judge, n, std::to_string(gpus)), n, gpus);
}

} // namespace

TEST_CASE("the share of each GPU") {
  course::Judge judge;
  ask(judge, judge.number(1, 1'000'000), 1);
  for (const int gpus : {2, judge.number(3, 8), judge.number(9, 16)}) {
    ask(judge, gpus * judge.number(2, 1000), gpus);
    ask(judge, gpus * judge.number(2, 1000) + judge.number(1, gpus - 1), gpus);
    ask(judge, gpus * judge.number(2, 1000) + gpus - 1, gpus);
    ask(judge, judge.number(1, gpus - 1), gpus);
    ask(judge, judge.number(1'900'000'000, 2'100'000'000), gpus);
    ask(judge, judge.number(1'900'000'000, 2'100'000'000) / gpus * gpus, gpus);
  }
  const int many = judge.number(1500, 3000); // also more than elements
  ask(judge, judge.number(10'000, 50'000), many);
  ask(judge, judge.number(1, many - 1), many);
  const int n = 1000 * judge.number(1, 9) + 7;
  const Question several = ask(judge, n, "3, then 5, then 2");
  for (const int gpus : {3, 5, 2})
    ask_also(judge, several, n, gpus);
  judge.run();
}
