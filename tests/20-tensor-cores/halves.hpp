// Inputs for the judges of lesson 20: numbers that need all digits of half, with products whose
// sums no float rounds.
#pragma once

#include "tests/08-matmul/matrices.hpp"

#include <utility>

// Numbers of up to 11 binary digits times 2^exponent, -24 (half of them are subnormal) to 5.
inline Matrix all_digits(course::Judge &judge, int rows, int columns, int exponent) {
  Matrix matrix(std::size_t(rows) * columns);
  for (float &number : matrix)
    number = std::ldexp(float(judge.number(1, 2047)) * (judge.number(0, 1) ? 1 : -1), exponent);
  return matrix;
}

// A and B of a product: all digits in one of them, few in the other. The sum of 900 products has at
// most 24 digits, which is a float's number of digits, in whatever order they are added.
inline std::pair<Matrix, Matrix> exact_factors(course::Judge &judge, Size size, bool digits_in_a) {
  const int exponent = judge.number(0, 2) ? judge.number(-20, 5) : -24;
  if (digits_in_a)
    return {all_digits(judge, size.m, size.k, exponent), quarters(judge, size.k, size.n)};
  return {quarters(judge, size.m, size.k), all_digits(judge, size.k, size.n, exponent)};
}
