// Shared by the judges of slow-2 and slow-3: both compute the same.
#pragma once

#include "common/grader/judge/judge.hpp"

namespace course {

constexpr char field_copied[] =
    "the whole field is copied in each round. No round needs it on the host, and of two arrays on "
    "the device one can be read while the other is written, in turns.";

template <class Function> class Sink {
public:
  explicit Sink(Judge &judge) : judge_(judge) {}

  // One field; the values are drawn.
  Question<Function> ask(int rows, int cols, int rounds, const std::string &also = "") {
    auto question = judge_.ask<Function>(std::to_string(rows) + " rows, " + std::to_string(cols) +
                                         " columns, " + std::to_string(rounds) +
                                         (rounds == 1 ? " round" : " rounds") + also);
    call(question, rows, cols, rounds);
    return question;
  }

  void all_shapes() {
    for (const auto &[cols, rows] : judge_.shapes(512))
      ask(rows, cols, judge_.number(1, 4));
    // Longer than any block, and whole blocks of any power of two.
    const int long_side = 1024 * judge_.number(4, 9), short_side = judge_.number(17, 20);
    ask(long_side, short_side, 1);
    ask(short_side, long_side, 1);
    judge_.run();
  }

  void several_and_idle() {
    auto several = ask(30, 50, 3, " and more, one after the other");
    for (int k = 0; k < 2; ++k)
      call(several, judge_.number(1, 60), judge_.number(1, 60), judge_.number(1, 6));
    auto field = judge_.numbers<float>(30 * 50, -2000, 2000);
    call(several, 30, 50, 3, field);
    field[field.size() / 2] += 1;
    call(several, 30, 50, 3, field);
    call(several, 30, 50, 4, field);
    ask(1, judge_.number(2, 60), 3); // the row above is the row itself
    ask(31, 63, 3, ", while kernels do nothing").without_kernels();
    judge_.run();
  }

  // A case whose copies and waits are counted: none between the rounds.
  Question<Function> ask_counted(int rows, int cols, int rounds) {
    return ask(rows, cols, rounds, ", counted")
        .at_most(&Work::copies, 2, field_copied)
        .at_most(&Work::waits_between, 0,
                 "a call in the loop waits until the device has done its work.");
  }

private:
  void call(Question<Function> question, int rows, int cols, int rounds) {
    call(question, rows, cols, rounds, judge_.numbers<float>(rows * cols));
  }
  void call(Question<Function> question, int rows, int cols, int rounds,
            const std::vector<float> &field) {
    const auto [low, high] = std::minmax_element(field.begin(), field.end());
    const double largest = std::max({1.0f, -*low, *high});
    auto now = field, next = field, first = field;
    for (int round = 0; round < rounds; ++round) {
      for (int row = 0; row < rows; ++row)
        for (int col = 0; col < cols; ++col)
          next[row * cols + col] =
              0.5f * (now[row * cols + col] + now[(row + rows - 1) % rows * cols + col]);
      std::swap(now, next);
      if (round == 0)
        first = now;
    }
    question.with(rows, cols, rounds,
                  in_out(field, now, 1e-6 * largest)
                      .shape(cols)
                      .often(first, "each round begins with the first field, not with what the "
                                    "round before it has left")
                      .often(next, "the newest values are in the other array"));
  }

  Judge &judge_;
};

} // namespace course
