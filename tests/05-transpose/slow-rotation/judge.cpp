// Judges exercise 05-transpose/slow-rotation: pictures of all shapes; and what the warps ask of the
// memory is counted.
#include "common/grader/judge/judge.hpp"
#include "exercises/05-transpose/slow-rotation.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

using Question = course::Question<decltype(slow_rotation)>;

Question ask(course::Judge &judge, int rows, int cols, const std::string &also = "") {
  return judge.ask<decltype(slow_rotation)>(std::to_string(rows) + " rows, " +
                                            std::to_string(cols) + " columns" + also);
}

void call(Question question, int rows, int cols, const std::vector<float> &in) {
  std::vector<float> out;
  for (int col = 0; col < cols; ++col)
    for (int row = rows - 1; row >= 0; --row)
      out.push_back(in[row * cols + col]);
  question.with(rows, cols, in, course::output(out).shape(rows));
}

void call(course::Judge &judge, Question question, int rows, int cols) {
  call(question, rows, cols,
       judge.sprinkled(judge.numbers<float>(rows * cols), {-0.0f, INFINITY, NAN}));
}

} // namespace

TEST_CASE("a picture is turned") {
  course::Judge judge;
  for (const auto &[cols, rows] : judge.shapes(1500))
    call(judge, ask(judge, rows, cols), rows, cols);
  judge.run();
}

TEST_CASE("several pictures in one process; and a kernel that does nothing") {
  course::Judge judge;
  auto several = ask(judge, 70, 50, " and more, one after the other");
  call(judge, several, 70, 50);
  const int side = judge.number(33, 120);
  call(judge, several, side, side);
  call(judge, several, judge.number(1, 200), judge.number(1, 200));
  auto in = judge.numbers<float>(70 * 50);
  call(several, 70, 50, in);
  in[1700] = 2; // this number only
  call(several, 70, 50, in);
  auto idle = ask(judge, 95, 63, ", while kernels do nothing");
  call(judge, idle, 95, 63);
  idle.without_kernels();
  judge.run();
}

TEST_CASE("coalesced loads and stores, no bank conflicts") {
  course::Judge judge;
  for (int k = 0; k < 4; ++k) {
    // Rows of whole sectors, in `in` and in `out`, but for the last two pictures. There 32 floats
    // touch a fifth sector, and twice 16 of them a sixth one. The last one has tiles of few
    // columns.
    const bool whole = k < 2;
    const auto side = [&] {
      return k == 3 ? 32 * judge.number(1, 4) + judge.number(1, 3)
                    : 8 * judge.number(4, 20) + (whole ? 0 : judge.number(1, 7));
    };
    const int rows = k == 0 ? 128 : side(), cols = k == 0 ? 64 : side();
    auto question = ask(judge, rows, cols, ", counted");
    call(judge, question, rows, cols);
    const auto sectors = [=](int lines, int length) {
      return std::uint64_t(lines) * (whole ? length / 8 : 6 * ((length + 31) / 32));
    };
    question
        .at_most(&course::Work::global_load_bytes, sizeof(float) * rows * cols,
                 "lanes outside of the picture load values, too.")
        .at_most(&course::Work::global_load_sectors, sectors(rows, cols),
                 "threadIdx.x, which counts the lanes of a warp, counts rows of the picture, and "
                 "the elements of a column are far apart.")
        .at_most(&course::Work::global_store_sectors, sectors(cols, rows),
                 "threadIdx.x, which counts the lanes of a warp, counts rows of the result, and "
                 "the elements of a column are far apart.")
        .at_most(&course::Work::shared_load_conflicts, 0,
                 "the lanes of a warp read a column of the tile, and its rows have 32 floats: all "
                 "elements of a column are in one bank.")
        .at_most(&course::Work::shared_store_conflicts, 0,
                 "the lanes of a warp write to a column of the tile, and its rows have 32 floats: "
                 "all elements of a column are in one bank.");
  }
  judge.run();
}

TEST_CASE("as wide, as tall and as large as it may be", "[large]") {
  course::Judge judge;
  call(judge, ask(judge, 1, 100'000), 1, 100'000);
  call(judge, ask(judge, 100'000, 1), 100'000, 1);
  const int rows = judge.number(1100, 1700), cols = 2'000'000 / rows;
  call(judge, ask(judge, rows, cols), rows, cols);
  judge.run();
}
