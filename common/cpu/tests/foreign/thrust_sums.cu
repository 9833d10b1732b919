// Reductions of many floats are as exact as a GPU's, and keep the order of the elements.
#include <cstdio>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/reduce.h>
#include <thrust/transform_reduce.h>

struct Twice : thrust::unary_function<float, float> {
  __host__ __device__ float operator()(float x) const { return 2 * x; }
};

// The line through the ends of two that follow each other: associative, not commutative.
struct Span {
  int first, last;
};
struct Joined : thrust::binary_function<Span, Span, Span> {
  __host__ __device__ Span operator()(Span a, Span b) const {
    return a.last + 1 == b.first ? Span{a.first, b.last} : Span{-1, -1};
  }
};
struct One {
  __host__ __device__ Span operator()(int i) const { return {i, i}; }
};

int main() {
  constexpr int n = 3 << 23; // more ones than a float can count one by one
  const auto ones = thrust::make_constant_iterator(1.0f);
  const float sum = thrust::reduce(thrust::device, ones, ones + n, 0.0f);
  const float twice = thrust::transform_reduce(thrust::device, ones, ones + n, Twice(), 0.0f,
                                               thrust::plus<float>());
  const float product = thrust::inner_product(thrust::device, ones, ones + n, ones, 0.0f);
  bool right = sum == n && twice == 2.0f * n && product == n;

  for (const int count : {1, 1023, 1024, 1025, 5000, 100000}) {
    const auto numbers = thrust::make_counting_iterator(1);
    const Span all = thrust::transform_reduce(thrust::host, numbers, numbers + count, One(),
                                              Span{0, 0}, Joined());
    right = right && all.first == 0 && all.last == count;
  }
  const thrust::device_vector<int> none;
  right = right && thrust::reduce(none.begin(), none.end(), 7) == 7;
  puts(right ? "PASS" : "FAIL");
  return !right;
}
