// Judges exercise 20-tensor-cores/swapped-layout: sizes that differ, numbers whose bits have to
// agree.
#include "exercises/20-tensor-cores/swapped-layout.hpp"
#include "tests/08-matmul/matrices.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

// Of a size here m are the queries, n the keys, and k is the depth.
auto ask(course::Judge &judge, Size size, const std::string &also = "") {
  const int exponent = judge.number(-6, 6);
  const Matrix q = quarters(judge, size.m, size.k, exponent),
               keys = quarters(judge, size.n, size.k, -exponent);
  Matrix transposed(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i)
    transposed[i % size.k * size.n + i / size.k] = keys[i];
  const std::vector<double> sums = product(size, q, transposed);
  return judge
      .ask<decltype(swapped_layout)>(std::to_string(size.m) + " queries, " +
                                     std::to_string(size.n) + " keys, depth " +
                                     std::to_string(size.k) + also)
      .with(size.m, size.n, size.k, q, keys,
            course::output(Matrix(sums.begin(), sums.end())).shape(size.n));
}

Size any_size(course::Judge &judge) { // three different ones
  const int first = 16 * judge.number(1, 2), second = first + 16 * judge.number(1, 2);
  return {first, second, second + 16 * judge.number(1, 3)};
}

} // namespace

TEST_CASE("S = Q K^T") {
  course::Judge judge;
  ask(judge, {16, 16, 16});
  for (int i = 0; i < 3; ++i) {
    const auto [m, n, k] = any_size(judge);
    for (Size size : {Size{m, n, k}, Size{n, k, m}, Size{k, m, n}, Size{m, m, m}})
      ask(judge, size);
  }
  ask(judge, any_size(judge), ", and the kernel does nothing")
      .without_kernels(course::Host::sees_inputs);
  judge.run();
}
