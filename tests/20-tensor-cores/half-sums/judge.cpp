// Judges exercise 20-tensor-cores/half-sums: bounds near the one that decides, on both sides; loads
// are counted.
#include "exercises/20-tensor-cores/half-sums.hpp"
#include "tests/08-matmul/matrices.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

// The error bound of sums in half.
double bound(int k, float largest) { return k / 16 * (double(k) * largest * largest) / 2048; }

// May be in half: `wanted`. Numbers are multiples of largest / 8, so that bits agree in float.
auto ask(course::Judge &judge, Size size, float largest, float tolerance, bool wanted) {
  const auto [m, n, k] = size;
  Matrix a(m * k), b(k * n);
  for (Matrix *matrix : {&a, &b})
    for (float &number : *matrix)
      number = float(judge.number(-8, 8)) * largest / 8;
  const std::vector<double> sums = product(size, a, b);
  // A sum in float is exact; in half each may be wrong by the bound.
  return judge
      .ask<decltype(half_sums)>(text_of(size) + ", numbers up to " + std::to_string(largest) +
                                ", tolerance " + std::to_string(tolerance))
      .with(m, n, k, largest, tolerance, a, b,
            course::output(Matrix(sums.begin(), sums.end()), wanted ? tolerance : 0).shape(n))
      .returns(int(wanted));
}

Size any_size(course::Judge &judge) {
  return {16 * judge.number(1, 3), 16 * judge.number(1, 3), 16 * judge.number(2, 8)};
}

} // namespace

TEST_CASE("the tolerance decides") {
  course::Judge judge;
  for (int i = 0; i < 3; ++i) {
    const Size size = any_size(judge);
    const float largest = std::ldexp(1.0f, judge.number(-2, 2));
    const float limit = float(bound(size.k, largest));
    ask(judge, size, largest, 1.1f * limit, true);
    ask(judge, size, largest, 0.9f * limit, false);
    ask(judge, size, largest, limit, true);
    ask(judge, size, largest, 0, false);
  }
  judge.run();
}

TEST_CASE("the largest half decides") {
  course::Judge judge;
  const Size size{16, 32, 256};
  ask(judge, size, 8, 1e6, true);   // sums up to 16384
  ask(judge, size, 16, 1e6, false); // up to 65536, which is a little more than the largest half
  judge.run();
}

TEST_CASE("a matrix of zeros; and the kernels do nothing") {
  course::Judge judge;
  const Size size = any_size(judge);
  ask(judge, size, 0, 0, true);
  ask(judge, size, 2, 2 * float(bound(size.k, 2)), true).without_kernels(course::Host::sees_all);
  ask(judge, size, 2, 0, false).without_kernels(course::Host::sees_inputs);
  judge.run();
}

TEST_CASE("the tensor cores multiply") {
  course::Judge judge;
  const Size size = any_size(judge);
  ask(judge, size, 2, 0, false)
      .at_most(&course::Work::global_loads, std::uint64_t(size.m) * size.n * size.k / 4,
               "the kernel multiplies single numbers, without mma_sync");
  judge.run();
}
