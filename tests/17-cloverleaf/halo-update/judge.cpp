// Judges exercise 17-cloverleaf/halo-update: fields of every kind, on grids of ranks of one column,
// of one row and of several; copies, so every bit has to agree.
#include "common/grader/judge.hpp"
#include "exercises/17-cloverleaf/halo-update.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
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

// The right values, and usual mistakes, which may be made on one side of an axis only.
enum Way { RIGHT, SAME_SIGN, OTHER_WALLS, SWAPPED, WALL_REPEATED, SHARED_SENT, OLD_CORNERS };
struct Side {
  Way way = RIGHT;
  int sides = 3; // 1: before the first cell, 2: after the last
  Way of(int side) const { return sides & side ? way : RIGHT; }
};
const std::pair<Way, const char *> mistakes[] = {
    {SAME_SIGN, "what points across a wall keeps its sign in the mirror"},
    {OTHER_WALLS, "the sign changes at the wrong walls: left and right ones turn x, the others y"},
    {SWAPPED, "the two ghost layers at a wall are in the wrong order: the one next to the wall "
              "mirrors what is next to it inside"},
    {WALL_REPEATED, "nodes or faces are mirrored like cells: the one on the wall is its own mirror "
                    "image, so the ghost next to it mirrors the next one inside"},
    {SHARED_SENT, "the node or face on the edge between two parts is sent: both parts have it, so "
                  "the neighbour's ghosts begin with the next one inside"},
    {OLD_CORNERS, "the second axis works on the field as it was before the first, or without its "
                  "ghosts"}};

// One axis of a part: its first cell and its cells, of `all` between two walls.
struct Axis {
  int first, n, all, edges;

  int side(int layer) const { return layer < 2 ? 1 : layer >= n + 2 + edges ? 2 : 0; }
  // The place between the walls whose value a layer has; and whether it lies beyond one.
  std::pair<int, bool> source(int layer, const Side &mistake) const {
    const int place = first + layer - 2, last = all - 1 + edges;
    const Way way = mistake.of(side(layer));
    const bool low = place < 0;
    const bool high = place > last;
    if (low || high) {
      const int from = way == SWAPPED ? (low ? -3 : 2 * last + 3) - place : place;
      const int skipped = way == WALL_REPEATED ? 0 : edges;
      return {(low ? skipped - 1 : 2 * last + 1 - skipped) - from, true};
    }
    const bool late = way == SHARED_SENT && edges == 1;
    return {place + (late ? (side(layer) == 1 ? 1 : -1) : 0), false};
  }
};

// One call: the ranks of a column have as many cells in x, those of a row as many in y. `more`
// cells than usual may be in one of these directions.
void ask_also(course::Judge &judge, Question &question, int ranks_x, int ranks_y, int kind,
              int most_cells, int more_x = 0, int more_y = 0) {
  const Layout &layout = layouts[kind];
  const auto parts = [&](int ranks, int more) { // the first cell of each part, and the end
    std::vector<int> first{0};
    for (int i = 0; i < ranks; ++i)
      first.push_back(first.back() + more +
                      (judge.number(0, 2) == 0 ? 2 : judge.number(2, most_cells)));
    return first;
  };
  const std::vector<int> x = parts(ranks_x, more_x), y = parts(ranks_y, more_y);
  const std::size_t width = x.back() + layout.edges_x;
  const auto field = judge.sprinkled(judge.numbers<double>(width * (y.back() + layout.edges_y)),
                                     {INFINITY, -INFINITY, 1e-310, -1e308});
  for (int rank = 0; rank < ranks_x * ranks_y; ++rank) {
    const int column = rank % ranks_x, row = rank / ranks_x;
    const int nx = x[column + 1] - x[column], ny = y[row + 1] - y[row];
    const int columns = nx + 4 + layout.edges_x, rows = ny + 4 + layout.edges_y;
    auto before = judge.numbers<double>(std::size_t(columns) * rows); // ghosts, too
    const Axis in_x{x[column], nx, x.back(), layout.edges_x};
    const Axis in_y{y[row], ny, y.back(), layout.edges_y};
    const auto with = [&](const Side &mistake) { // all values of the part
      std::vector<double> values;
      for (int j = 0; j < rows; ++j)
        for (int i = 0; i < columns; ++i) {
          const auto [its_x, beyond_x] = in_x.source(i, mistake);
          const auto [its_y, beyond_y] = in_y.source(j, mistake);
          const bool other = mistake.way == OTHER_WALLS;
          const bool turned = (beyond_x && (other ? layout.turns_y : layout.turns_x)) !=
                              (beyond_y && (other ? layout.turns_x : layout.turns_y));
          const double value = field[its_y * width + its_x];
          if (mistake.way == OLD_CORNERS && in_x.side(i) && in_y.side(j))
            values.push_back(before[values.size()]);
          else
            values.push_back(turned && mistake.way != SAME_SIGN ? -value : value);
        }
      return values;
    };
    const std::vector<double> after = with({});
    for (int j = 0; j < rows; ++j)
      for (int i = 0; i < columns; ++i)
        if (!in_x.side(i) && !in_y.side(j))
          before[j * columns + i] = after[j * columns + i];
    auto in_out = course::in_out(before, after).shape(columns);
    for (const auto &[way, meaning] : mistakes) {
      std::vector<std::vector<double>> other; // on both sides may be what it is on one
      for (int sides : {1, 2, 3})
        if (const auto values = with({way, sides});
            std::find(other.begin(), other.end(), values) == other.end()) {
          other.push_back(values);
          std::move(in_out).often(values, meaning);
        }
    }
    question.with(nx, ny, ranks_x, kind, in_out);
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
      {2, 2}, {1, 1}, {judge.number(3, 4), 1}, {1, judge.number(3, 4)}};
  for (const auto &[ranks_x, ranks_y] : grids) {
    Question question = ask(judge, ranks_x, ranks_y, "");
    for (int most_cells : {6, 40})
      for (int kind = CELLS; kind <= Y_FLUX; ++kind)
        ask_also(judge, question, ranks_x, ranks_y, kind, most_cells);
  }
  // Lines that are longer than a block can be.
  Question question = ask(judge, 2, 1, ", long lines");
  ask_also(judge, question, 2, 1, judge.number(int(CELLS), int(Y_FLUX)), 6, 0, 1100);
  ask_also(judge, question, 2, 1, judge.number(int(CELLS), int(Y_FLUX)), 6, 1100, 0);
  judge.run();
}

TEST_CASE("kernels that do nothing") {
  course::Judge judge;
  Question question = ask(judge, 2, 1, ", kernels do nothing");
  ask_also(judge, question, 2, 1, X_VELOCITY, 20);
  question.without_kernels();
  judge.run();
}

TEST_CASE("lines as long as a field may have", "[large]") {
  course::Judge judge;
  const int most = judge.number(48'000, 49'000);
  Question question = ask(judge, 2, 1, ", very long lines");
  ask_also(judge, question, 2, 1, judge.number(int(CELLS), int(Y_FLUX)), 6, most, 0);
  ask_also(judge, question, 2, 1, judge.number(int(CELLS), int(Y_FLUX)), 6, 0, most);
  judge.run();
}
