// The arithmetic of lesson 04, for host and device. fma(a, b, c) is a * b + c, rounded once, on
// each machine to the same bits. So all versions count the same steps, and a check can ask for
// equality.
#pragma once

#include "common/verify.hpp"

#include <cmath>
#include <cstddef>
#include <vector>

// Aligned so that one instruction loads both parts.
template <class T> struct alignas(2 * sizeof(T)) Complex { T x, y; };

// [step]
// One step, z^2 + c: three multiply-adds and a doubling.
template <class T> __host__ __device__ Complex<T> next(Complex<T> z, Complex<T> c) {
  return {fma(z.x, z.x, fma(-z.y, z.y, c.x)), fma(2 * z.x, z.y, c.y)};
}

// Whether |z| <= 2.
template <class T> __host__ __device__ bool in_disc(Complex<T> z) {
  return fma(z.x, z.x, z.y * z.y) <= 4;
}
// [end]

// The c of a pixel, in an image of width x width pixels: -2 < x < 0.5, -1.25 < y < 1.25.
template <class T> __host__ __device__ Complex<T> point(int col, int row, int width) {
  const T pixel = T(2.5) / width;
  return {fma(col + T(0.5), pixel, T(-2)), fma(row + T(0.5), pixel, T(-1.25))};
}

// The reference: the steps of one pixel, counted by the host.
inline int steps_on_cpu(Complex<double> c, int max_steps) {
  Complex<double> z{0, 0};
  int step = 0;
  for (; step < max_steps && in_disc(z); ++step)
    z = next(z, c);
  return step;
}

// Whether z never escapes: c lies in the large cardioid (the heart) or in the disc to its left.
inline bool never_escapes(Complex<double> c) {
  const double x = c.x - 0.25, y2 = c.y * c.y, q = x * x + y2;
  return q * (q + x) < 0.25 * y2 || (c.x + 1) * (c.x + 1) + y2 < 0.0625;
}

// Checks each 101st pixel against the host, and all pixels that are known to be in the set.
inline bool verify_steps(const std::vector<int> &steps, int width, int max_steps) {
  return course::verify("steps", steps.data(), steps.size(), [&](std::size_t i) {
    const auto c = point<double>(i % width, i / width, width);
    return never_escapes(c) ? max_steps : i % 101 == 0 ? steps_on_cpu(c, max_steps) : steps[i];
  });
}

// The steps as a fraction, since colours by whole steps have edges. z is the first with |z| > 2;
// four more steps take it so far out that only log log |z| tells how far between two counts c lies.
inline double smooth(int steps, Complex<double> z, Complex<double> c) {
  for (int more = 0; more < 4; ++more)
    z = next(z, c);
  return steps + 5 - std::log2(std::log2(std::hypot(z.x, z.y)));
}
