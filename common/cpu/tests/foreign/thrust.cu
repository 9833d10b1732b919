// nvcc: --extended-lambda
// Thrust, CUB and headers of newer programs.
#include "parts.hpp"

#include <cstdio>
#include <cub/device/device_for.cuh>
#include <cub/device/device_transform.cuh>
#include <cuda/cmath>
#include <cuda/std/mdspan>
#include <cuda/std/span>
#include <stdio.h>
#include <thrust/adjacent_difference.h>
#include <thrust/complex.h>
#include <thrust/copy.h>
#include <thrust/detail/type_traits.h>
#include <thrust/device_free.h>
#include <thrust/device_malloc.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/find.h>
#include <thrust/generate.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/random.h>
#include <thrust/reduce.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform_reduce.h>
#include <thrust/universal_vector.h>
#include <thrust/version.h>

// Thrust: generate, adjacent_difference, find_if, is_sorted; untyped device memory; thrust::random.
namespace thrust_differences {
struct Squares {
  int next = 0;
  __host__ __device__ thrust::tuple<int, float> operator()() {
    ++next;
    return thrust::make_tuple(next * next, 0.5f * next);
  }
};

struct Above {
  int limit;
  __host__ __device__ bool operator()(int value) const { return value > limit; }
};

bool is_right() {
  constexpr int count = 100;
  thrust::device_vector<int> squares(count), differences(count);
  thrust::device_vector<float> halves(count);
  thrust::generate(thrust::make_zip_iterator(thrust::make_tuple(squares.begin(), halves.begin())),
                   thrust::make_zip_iterator(thrust::make_tuple(squares.end(), halves.end())),
                   Squares());
  bool ok = squares[9] == 100 && halves[9] == 5.0f;

  thrust::adjacent_difference(squares.begin(), squares.end(), differences.begin());
  ok &= differences[0] == 1 && differences[50] == 101;
  ok &= thrust::is_sorted(squares.begin(), squares.end());
  ok &= thrust::find_if(squares.begin(), squares.end(), Above{49}) - squares.begin() == 7;

  const thrust::device_ptr<void> untyped = thrust::device_malloc(count * sizeof(int));
  thrust::device_ptr<int> odd(static_cast<int *>(untyped.get()));
  auto end = thrust::copy_if(thrust::make_counting_iterator(0), thrust::make_counting_iterator(6),
                             differences.begin(), odd, cuda::std::identity());
  ok &= end - odd == 6 && odd[5] == 5;
  thrust::device_free(untyped);

  thrust::default_random_engine engine(7);
  thrust::random::uniform_real_distribution<float> uniform(2, 3);
  thrust::host_vector<float> random(count);
  thrust::generate(random.begin(), random.end(), [&] { return uniform(engine); });
  ok &= !thrust::is_sorted(random.begin(), random.end());
  thrust::sort(random.begin(), random.end());
  ok &= random[0] >= 2 && random[0] < 2.2f && random[count - 1] < 3 && random[count - 1] > 2.8f;
  return ok;
}
} // namespace thrust_differences

// Thrust: extrema by a comparison; complex numbers; the version; what the headers bring with them.
namespace thrust_orders {
struct CloserToTen {
  __host__ __device__ bool operator()(int a, int b) const {
    return (a - 10) * (a - 10) < (b - 10) * (b - 10);
  }
};

__global__ void multiply(const thrust::complex<float> *a, thrust::complex<float> *b) {
  *b = *a * thrust::conj(*a) + thrust::complex<float>(0, thrust::abs(*a));
}

bool is_right() {
  static_assert(THRUST_MAJOR_VERSION >= 2, "");
  static_assert(sizeof(thrust::tuple_element<1, thrust::tuple<char, int>>::type) == 4, "");
  constexpr int count = 100;
  thrust::host_vector<int> host(count);
  thrust::sequence(host.begin(), host.end());
  const thrust::device_vector<int> device = host;
  bool ok = *thrust::min_element(device.begin(), device.end(), CloserToTen()) == 10;
  ok &= *thrust::max_element(host.begin(), host.end(), CloserToTen()) == count - 1;

  thrust::device_vector<thrust::complex<float>> numbers(2);
  numbers[0] = thrust::complex<float>(3, 4);
  multiply<<<1, 1>>>(thrust::raw_pointer_cast(numbers.data()),
                     thrust::raw_pointer_cast(numbers.data()) + 1);
  const thrust::complex<float> product = numbers[1];
  ok &= product.real() == 25 && product.imag() == 5;
  std::cout << std::flush;
  return ok;
}
} // namespace thrust_orders

// Reductions of many floats are as exact as a GPU's, and keep the order of the elements.
namespace thrust_sums {
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

bool is_right() {
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
  return right;
}
} // namespace thrust_sums

// Headers of newer programs, such as NVIDIA's course for beginners (public report modern-headers).
namespace newer_headers {
__global__ void add_one(cuda::std::span<int> x) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < x.size())
    ++x[i];
}

bool is_right() {
  const int n = 1000, block = 256;
  thrust::universal_vector<int> x(n);
  thrust::sequence(thrust::device, x.begin(), x.end(), 0, 2);
  int *raw = thrust::raw_pointer_cast(x.data());
  add_one<<<cuda::ceil_div(n, block), block>>>(cuda::std::span<int>(raw, x.size()));
  cub::DeviceFor::Bulk(n, [=] __device__(int i) { raw[i] += i; });
  thrust::device_vector<int> y(n);
  cub::DeviceTransform::Transform(x.begin(), y.begin(), n,
                                  [] __host__ __device__(int value) { return -value; });
  bool right = cudaDeviceSynchronize() == cudaSuccess && x[2] == 7 && y[999] == -2998;
  cuda::std::mdspan<int, cuda::std::dextents<int, 2>> rows = cuda::std::mdspan(raw, 10, 100);
  thrust::universal_host_pinned_vector<int> pinned(4, 3);
  right = right && rows(1, 0) == 301 && thrust::reduce(pinned.begin(), pinned.end()) == 12 &&
          thrust::reduce(y.begin(), y.end()) == -3 * 999 * 500 - 1000;
  return right;
}
} // namespace newer_headers

int main() {
  return run_parts({{"thrust_differences", thrust_differences::is_right},
                    {"thrust_orders", thrust_orders::is_right},
                    {"thrust_sums", thrust_sums::is_right},
                    {"newer_headers", newer_headers::is_right}});
}
