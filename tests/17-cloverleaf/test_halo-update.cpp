// Judges exercise 17-cloverleaf/halo-update: fields of every kind, on grids of ranks of one column,
// of one row and of several; copies, so every bit has to agree.
#include "exercises/17-cloverleaf/halo-update.hpp"
#include "tests/grader/judge.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace {

using Question = course::Question<decltype(halo_update)>;

struct Layout {
  int edges_x, edges_y;
  bool turns_x, turns_y; // a mirrored value changes its sign
};
const Layout layouts[] = {{0, 0, false, false}, // by Kind
                          {1, 1, true, false},
                          {1, 1, false, true},
                          {1, 0, true, false},
                          {0, 1, false, true}};

// A place on an axis of `cells` cells, brought back between the walls; and whether it was beyond.
std::pair<int, bool> inside(int place, int cells, int edges) {
  if (place < 0)
    return {edges - 1 - place, true};
  const int last = cells - 1 + edges;
  return place > last ? std::pair(2 * last + 1 - edges - place, true) : std::pair(place, false);
}

// One call: the ranks of a column have as many cells in x, those of a row as many in y.
void ask_also(course::Judge &judge, Question &question, int ranks_x, int ranks_y, int kind,
              int most_cells) {
  const Layout &layout = layouts[kind];
  const auto parts = [&](int ranks) { // the first cell of each part, and the end
    std::vector<int> first{0};
    for (int i = 0; i < ranks; ++i)
      first.push_back(first.back() + (judge.number(0, 2) == 0 ? 2 : judge.number(2, most_cells)));
    return first;
  };
  const std::vector<int> x = parts(ranks_x), y = parts(ranks_y);
  const std::size_t width = x.back() + layout.edges_x;
  const auto field = judge.sprinkled(judge.numbers<double>(width * (y.back() + layout.edges_y)),
                                     {INFINITY, -INFINITY, 1e-310, -1e308});
  for (int rank = 0; rank < ranks_x * ranks_y; ++rank) {
    const int column = rank % ranks_x, row = rank / ranks_x;
    const int nx = x[column + 1] - x[column], ny = y[row + 1] - y[row];
    const int columns = nx + 4 + layout.edges_x, rows = ny + 4 + layout.edges_y;
    auto before = judge.numbers<double>(std::size_t(columns) * rows); // ghosts, too
    std::vector<double> after;
    for (int j = 0; j < rows; ++j)
      for (int i = 0; i < columns; ++i) {
        const auto [its_x, beyond_x] = inside(x[column] + i - 2, x.back(), layout.edges_x);
        const auto [its_y, beyond_y] = inside(y[row] + j - 2, y.back(), layout.edges_y);
        const bool turned = (beyond_x && layout.turns_x) != (beyond_y && layout.turns_y);
        const double value = field[its_y * width + its_x];
        after.push_back(turned ? -value : value);
        if (i >= 2 && i < columns - 2 && j >= 2 && j < rows - 2)
          before[after.size() - 1] = value;
      }
    question.with(nx, ny, ranks_x, kind, course::in_out(before, after).shape(columns));
  }
}

Question ask(course::Judge &judge, int ranks_x, int ranks_y, const std::string &also) {
  return judge
      .ask<decltype(halo_update)>(std::to_string(ranks_y) + " x " + std::to_string(ranks_x) +
                                  " ranks" + also)
      .ranks(ranks_x * ranks_y);
}

} // namespace

TEST_CASE("the ghost layers of each rank's part") {
  course::Judge judge;
  const std::pair<int, int> grids[] = {
      {2, 2}, {1, 1}, {judge.number(2, 4), 1}, {1, judge.number(2, 4)}};
  for (const auto &[ranks_x, ranks_y] : grids) {
    Question question = ask(judge, ranks_x, ranks_y, "");
    for (int most_cells : {6, 40})
      for (int kind = CELLS; kind <= Y_FLUX; ++kind)
        ask_also(judge, question, ranks_x, ranks_y, kind, most_cells);
  }
  judge.run();
}

TEST_CASE("kernels that do nothing") {
  course::Judge judge;
  Question question = ask(judge, 2, 1, ", kernels do nothing");
  ask_also(judge, question, 2, 1, X_VELOCITY, 20);
  question.without_kernels();
  judge.run();
}
