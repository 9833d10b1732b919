// The fields of the reference for exercise 17-cloverleaf/capstone.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace course {

// A field on a mesh with mirrors at its ends, which are looked through, not stored. edges: 1 along
// an axis where the values are on the edges between cells; turns: a mirrored value changes its
// sign.
class Mirrored {
public:
  Mirrored(int nx, int ny, int edges_x, int edges_y, bool turns_x = false, bool turns_y = false)
      : width(nx + edges_x), height(ny + edges_y), edges_x_(edges_x), edges_y_(edges_y),
        turns_x_(turns_x), turns_y_(turns_y), values_(std::size_t(width) * height) {}

  double operator()(int x, int y) const {
    if (beyond && (x < 0 || x >= width || y < 0 || y >= height))
      return beyond(x, y);
    const bool beyond_x = reflect(x, width, edges_x_), beyond_y = reflect(y, height, edges_y_);
    const double value = values_[std::size_t(y) * width + x];
    return (beyond_x && turns_x_) != (beyond_y && turns_y_) ? -value : value;
  }
  double &at(int x, int y) { return values_[std::size_t(y) * width + x]; } // not beyond a wall

  int width, height;
  std::function<double(int, int)> beyond; // if set, ghosts that are not what a mirror shows

private:
  static bool reflect(int &i, int count, int edges) {
    if (i >= 0 && i < count)
      return false;
    i = i < 0 ? edges - 1 - i : 2 * count - 1 - edges - i;
    return true;
  }
  int edges_x_, edges_y_;
  bool turns_x_, turns_y_;
  std::vector<double> values_;
};

} // namespace course
