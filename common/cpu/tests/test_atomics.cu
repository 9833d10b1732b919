// Atomic operations, within a block and between blocks.
#include "cuda_test.hpp"

#include <limits>

namespace {

constexpr int blocks = 64, threads = 128, total = blocks * threads;

__device__ int global_thread() { return blockIdx.x * blockDim.x + threadIdx.x; }

template <class T> __global__ void add_one(T *sum) { atomicAdd(sum, T(1)); }

__global__ void tickets(int *counter, int *out) { out[global_thread()] = atomicAdd(counter, 1); }

template <class T> __global__ void extremes(T *low, T *high, T offset) {
  const T mine = static_cast<T>((global_thread() * 37) % total) + offset;
  atomicMin(low, mine);
  atomicMax(high, mine);
}

__global__ void subtract(int *a, unsigned *b) {
  atomicSub(a, 2);
  atomicSub(b, 3u);
}

template <class T> __global__ void bits(T *all, T *any, T *odd) {
  const int i = global_thread() % 24;
  atomicAnd(all, ~(T(1) << i));
  atomicOr(any, T(1) << i);
  atomicXor(odd, T(1) << (global_thread() % 3));
}

__global__ void wrap(unsigned *up, unsigned *down) {
  atomicInc(up, 9);
  atomicDec(down, 9);
}

template <class T> __global__ void swap_and_compare(T *cell, T *seen) {
  seen[0] = atomicExch(cell, T(5));
  seen[1] = atomicCAS(cell, T(5), T(6)); // succeeds
  seen[2] = atomicCAS(cell, T(5), T(7)); // does not
}

__global__ void exchange_floats(float *cell, float *seen) { *seen = atomicExch(cell, -2.5f); }

// Operations that CUDA does not have, made of compare-and-swap.
__device__ float atomic_min(float *address, float value) {
  int *const cell = reinterpret_cast<int *>(address);
  int seen = *cell;
  while (value < __int_as_float(seen)) {
    const int expected = seen;
    seen = atomicCAS(cell, expected, __float_as_int(value));
    if (seen == expected)
      break;
  }
  return __int_as_float(seen);
}

__device__ double atomic_multiply(double *address, double factor) {
  auto *const cell = reinterpret_cast<unsigned long long *>(address);
  unsigned long long seen = *cell, expected;
  do {
    expected = seen;
    const double product = __longlong_as_double(static_cast<long long>(expected)) * factor;
    seen =
        atomicCAS(cell, expected, static_cast<unsigned long long>(__double_as_longlong(product)));
  } while (seen != expected);
  return __longlong_as_double(static_cast<long long>(seen));
}

__global__ void float_minimum(float *low) {
  atomic_min(low, 10.0f - 0.5f * ((global_thread() * 37) % total));
}

__global__ void double_product(double *product) {
  atomic_multiply(product, global_thread() % 2 == 0 ? 2.0 : 0.5);
}

template <class T> void check_sum() {
  DeviceArray<T> sum(1);
  add_one<<<blocks, threads>>>(sum.data());
  CHECK(sum.host()[0] == T(total));
}

template <class T> void check_extremes(T offset) {
  DeviceArray<T> low(1, std::numeric_limits<T>::max()), high(1, std::numeric_limits<T>::min());
  extremes<<<blocks, threads>>>(low.data(), high.data(), offset);
  CHECK(low.host()[0] == offset);
  CHECK(high.host()[0] == T(total - 1) + offset);
}

template <class T> void check_bits() {
  DeviceArray<T> all(1, ~T(0)), any(1), odd(1);
  bits<<<blocks, threads>>>(all.data(), any.data(), odd.data());
  CHECK(all.host()[0] == (~T(0) ^ T(0xffffff)));
  CHECK(any.host()[0] == T(0xffffff));
  CHECK(odd.host()[0] == T(0b011)); // of 8192 threads 2731, 2731 and 2730 flip each bit
}

template <class T> void check_swap_and_compare() {
  DeviceArray<T> cell(1, T(4)), seen(3);
  swap_and_compare<<<1, 1>>>(cell.data(), seen.data());
  CHECK(seen.host() == std::vector<T>{4, 5, 6});
  CHECK(cell.host()[0] == 6);
}

} // namespace

TEST_CASE("atomics: nothing is lost in a sum") {
  check_sum<int>();
  check_sum<unsigned>();
  check_sum<unsigned long long>();
  check_sum<float>();
  check_sum<double>();
}

TEST_CASE("atomics: each caller gets another number") {
  DeviceArray<int> counter(1), out(total);
  tickets<<<blocks, threads>>>(counter.data(), out.data());
  std::vector<int> found = out.host();
  std::sort(found.begin(), found.end());
  CHECK(found == counting<int>(total));
}

TEST_CASE("atomics: minimum and maximum") {
  check_extremes<int>(-3000);
  check_extremes<unsigned>(5);
  check_extremes<long long>(-(1ll << 40));
  check_extremes<unsigned long long>(1ull << 40);
}

TEST_CASE("atomics: subtraction") {
  DeviceArray<int> a(1, 7);
  DeviceArray<unsigned> b(1, 3 * total + 1);
  subtract<<<blocks, threads>>>(a.data(), b.data());
  CHECK(a.host()[0] == 7 - 2 * total);
  CHECK(b.host()[0] == 1);
}

TEST_CASE("atomics: and, or, exclusive or") {
  check_bits<int>();
  check_bits<unsigned>();
  check_bits<unsigned long long>();
}

TEST_CASE("atomics: counters that wrap") {
  DeviceArray<unsigned> up(1, 0), down(1, 0);
  wrap<<<blocks, threads>>>(up.data(), down.data());
  CHECK(up.host()[0] == total % 10);
  CHECK(down.host()[0] == (10 - total % 10) % 10);
}

TEST_CASE("atomics: exchange, compare and swap") {
  check_swap_and_compare<int>();
  check_swap_and_compare<unsigned>();
  check_swap_and_compare<unsigned long long>();
  DeviceArray<float> cell(1, 1.5f), seen(1);
  exchange_floats<<<1, 1>>>(cell.data(), seen.data());
  CHECK(seen.host()[0] == 1.5f);
  CHECK(cell.host()[0] == -2.5f);
}

TEST_CASE("atomics: loops of compare and swap") {
  DeviceArray<float> low(1, 1e30f);
  float_minimum<<<blocks, threads>>>(low.data());
  CHECK(low.host()[0] == 10.0f - 0.5f * (total - 1)); // a negative number
  DeviceArray<double> product(1, 3.0);
  double_product<<<blocks, threads>>>(product.data());
  CHECK(product.host()[0] == 3.0);
}
