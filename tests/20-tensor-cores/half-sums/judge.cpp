// Judges exercise 20-tensor-cores/half-sums: values at the bounds that decide, and on both sides of
// them; loads, and calls of mma_sync with sums in half and in float, are counted.
#include "exercises/20-tensor-cores/half-sums.hpp"
#include "tests/20-tensor-cores/halves.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

using Question = course::Question<decltype(half_sums)>;

// The error bound of sums in half.
double bound(int k, float largest) { return k / 16 * (double(k) * largest * largest) / 2048; }

// May be in half: `wanted`. No number exceeds `reached`. Sums in float are exact: a float has the
// digits of all sums.
Question ask(course::Judge &judge, Size size, float largest, float tolerance, bool wanted,
             float reached, bool then_exact = false) {
  const auto [m, n, k] = size;
  const auto numbers = [&](int count, int digits) { // of so many binary digits
    Matrix matrix(count);
    for (float &number : matrix)
      number = std::ldexp(float(judge.number(-(1 << digits), 1 << digits)),
                          reached > 0 ? std::ilogb(reached) - digits : -24);
    return reached > 0 ? matrix : Matrix(count);
  };
  const Matrix a = numbers(m * k, k > 1000 ? 3 : 10), b = numbers(k * n, 3);
  const std::vector<double> sums = product(size, a, b);
  Question question = judge.ask<decltype(half_sums)>(
      text_of(size) + ", numbers up to " + std::to_string(largest) + ", tolerance " +
      std::to_string(tolerance) + (then_exact ? ", then 0" : ""));
  const auto call = [&](float its_tolerance, bool in_half) {
    question
        .with(
            m, n, k, largest, its_tolerance, a, b,
            course::output(Matrix(sums.begin(), sums.end()), in_half ? its_tolerance : 0).shape(n))
        .returns(int(in_half));
  };
  call(tolerance, wanted);
  if (then_exact)
    call(0, false);
  return question;
}
Question ask(course::Judge &judge, Size size, float largest, float tolerance, bool wanted) {
  return ask(judge, size, largest, tolerance, wanted, largest);
}

Size any_size(course::Judge &judge) {
  return {16 * judge.number(1, 3), 16 * judge.number(1, 3), 16 * judge.number(2, 8)};
}

} // namespace

TEST_CASE("the tolerance decides") {
  course::Judge judge;
  for (int exponent : {-6, -3, 0}) { // the largest possible sum is below 1, or some hundred
    const Size size = any_size(judge);
    const float largest = std::ldexp(float(judge.number(8, 15)), exponent - 3);
    const float limit = float(bound(size.k, largest)); // exactly: all factors have few digits
    ask(judge, size, largest, 1.1f * limit, true);
    ask(judge, size, largest, limit, true, largest, true);
    ask(judge, size, largest, std::nextafter(limit, 0.0f), false);
    ask(judge, size, largest, 0, false);
  }
  judge.run();
}

TEST_CASE("the largest half decides") {
  course::Judge judge;
  const int k = 16 * judge.number(2, 16);
  const Size size{16, 32, k};
  for (const auto &[sum, wanted] : {std::pair{65503.6, true}, {65504.4, false}, {65530, false}})
    ask(judge, size, float(std::sqrt(sum / k)), 1e6, wanted);
  ask(judge, {16, 32, 256}, 16, 1e6, false);          // a sum of 65536
  ask(judge, {16, 16, 96}, 26.1215115f, 1000, false); // 65504.003, which in float is 65504
  ask(judge, size, 65504, INFINITY, false);
  ask(judge, size, 1e6f, INFINITY, false, 1); // no number is as large
  ask(judge, size, 1, float(bound(k, 1)) / 2, false, 0.125f);
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

TEST_CASE("the tensor cores multiply, with sums of the type that the function returns") {
  course::Judge judge;
  for (const bool in_half : {true, false}) {
    const Size size = any_size(judge);
    const std::uint64_t products = std::uint64_t(size.m) * size.n * size.k;
    ask(judge, size, 2, in_half ? 2 * float(bound(size.k, 2)) : 0, in_half)
        .at_most(&course::Work::global_loads, products / 4,
                 "the kernel multiplies single numbers, without mma_sync")
        .at_least(in_half ? &course::Work::mma_half : &course::Work::mma_float, products / 4096,
                  "the fragment of the sums has the other type, or mma_sync is not used");
  }
  judge.run();
}

TEST_CASE("long matrices; the largest sum is exactly the largest half", "[large]") {
  course::Judge judge;
  const auto many = [&] { return 16 * judge.number(6'200, 6'250); };
  ask(judge, {many(), 16, 16}, 1, 0, false);
  ask(judge, {16, many(), 16}, 1, 0, false);
  ask(judge, {16, 16, many()}, 0.5, 0, false);
  ask(judge, {16, 16, 65504}, 1, 1e6, true);
  ask(judge, {16, 16, 65520}, 1, 1e6, false);
  judge.run();
}
