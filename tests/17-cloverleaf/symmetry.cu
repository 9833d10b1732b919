// A symmetric problem stays symmetric, to the last bit: a hot square in the middle of a box. Its
// left half mirrors the right one, the lower half the upper one; with the sweeps in the other order
// x and y change their roles.
#include "common/verify.hpp"
#include "lessons/17-cloverleaf/run.hpp"

#include <algorithm>
#include <vector>

constexpr int cells = 30, steps = 60;

Deck square() {
  Deck deck = benchmark(cells);
  State &hot = deck.states[1];
  hot.xmin = hot.ymin = 3;
  hot.xmax = hot.ymax = 7;
  return deck;
}

struct Result {
  std::vector<double> density, xvel, yvel;
};

Result run(bool x_first) {
  const Deck deck = square();
  Chunk chunk(place_of(0, 1, cells, cells), deck.xmax / cells, deck.ymax / cells);
  Halo halo(chunk);
  start(deck, chunk);
  double dt = deck.initial_timestep;
  for (int step = 0; step < steps; ++step) {
    dt = std::min({allowed_time_step(chunk, halo), dt * deck.timestep_rise, deck.max_timestep});
    hydro_step(chunk, halo, dt, x_first != (step % 2 == 1));
  }
  return {chunk.to_host(chunk.f.density0, 0), chunk.to_host(chunk.f.xvel0, 1),
          chunk.to_host(chunk.f.yvel0, 1)};
}

// Whether got(x, y) is sign * want(image of x and y) for all elements, `n` on a side.
template <class Image>
bool is_image(const char *what, const std::vector<double> &got, const std::vector<double> &want,
              int n, double sign, Image image) {
  return course::verify(what, got.data(), got.size(),
                        [&](std::size_t i) { return sign * want[image(int(i) % n, int(i) / n)]; });
}

int main(int argc, char **argv) {
  const course::Ranks ranks(&argc, &argv);
  const Result r = run(true), other = run(false);
  bool correct = *std::max_element(r.xvel.begin(), r.xvel.end()) > 0.1; // the gas does move
  const auto images = [&](const char *what, const std::vector<double> &field,
                          const std::vector<double> &of_other, int n, double sign_x,
                          double sign_y) {
    const auto left_right = [n](int x, int y) { return y * n + n - 1 - x; };
    const auto bottom_top = [n](int x, int y) { return (n - 1 - y) * n + x; };
    const auto exchanged = [n](int x, int y) { return x * n + y; };
    correct = is_image(what, field, field, n, sign_x, left_right) && correct;
    correct = is_image(what, field, field, n, sign_y, bottom_top) && correct;
    correct = is_image(what, field, of_other, n, 1, exchanged) && correct;
  };
  images("density", r.density, other.density, cells, 1, 1);
  images("x velocity", r.xvel, other.yvel, cells + 1, -1, 1);
  images("y velocity", r.yvel, other.xvel, cells + 1, 1, -1);
  return course::verdict(correct);
}
