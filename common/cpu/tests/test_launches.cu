// The forms of kernel<<<...>>>(...).
#include "cuda_test.hpp"

namespace {

__global__ void store(int *out, int value) { *out = value; }

template <class T, int N> __global__ void store_sum(T *out, T value) { *out = value + N; }

template <class T> __global__ void deduced(T *out, T value) { *out = value; }

__global__ void overloaded(int *out) { *out = 1; }
__global__ void overloaded(float *out) { *out = 2; }

__global__ void with_default(int *out, int value = 42) { *out = value; }

struct Pair {
  int first, second;
};
__global__ void by_value(int *out, Pair pair) { *out = pair.first * 100 + pair.second; }

// Each thread has its own copies of the arguments.
__global__ void changes_arguments(int *out, int n) {
  out += threadIdx.x;
  while (n > 0) {
    ++*out;
    --n;
  }
}

struct AddOne {
  __device__ int operator()(int x) const { return x + 1; }
};
template <class Function> __global__ void apply(int *out, Function function) {
  *out = function(*out);
}

// Its copies are counted, those in kernels, too.
__managed__ int copies, destructions;
struct Counted {
  int value;
  __host__ __device__ explicit Counted(int value) : value(value) {}
  __host__ __device__ Counted(const Counted &other) : value(other.value) { ++copies; }
  __host__ __device__ ~Counted() { ++destructions; }
  __device__ int operator()(int x) { return value += x; }
};
__global__ void store_counted(int *out, Counted counted) {
  const int sum = __syncthreads_count(counted(1) == 8);
  if (threadIdx.x == 0)
    *out = sum;
}

namespace inner {
template <bool B> __global__ void flag(int *out) { *out = B ? 1 : 2; }
} // namespace inner

template <class T> T launch_dependent(T value) {
  DeviceArray<T> out(1);
  store_sum<T, sizeof(T)><<<1, 1>>>(out.data(), value);
  return out.host()[0];
}

#define LAUNCH(kernel, ...) kernel<<<1, 1>>>(__VA_ARGS__)
#define SHAPE 1, 1

} // namespace

TEST_CASE("launch: templates, deduced arguments, overloads, defaults") {
  DeviceArray<int> out(1);
  DeviceArray<float> real(1);
  store_sum<int, 3><<<1, 1>>>(out.data(), 4);
  CHECK(out.host()[0] == 7);
  deduced<<<1, 1>>>(real.data(), 2.5f);
  CHECK(real.host()[0] == 2.5f);
  overloaded<<<1, 1>>>(out.data());
  overloaded<<<1, 1>>>(real.data());
  CHECK(out.host()[0] == 1);
  CHECK(real.host()[0] == 2);
  inner::flag<(3 > 2)><<<1, 1>>>(out.data());
  CHECK(out.host()[0] == 1);
  inner::flag<1 << 4 < 3><<<1, 1>>>(out.data());
  CHECK(out.host()[0] == 2);
  CHECK(launch_dependent(1.5) == 9.5);
}

TEST_CASE("launch: in a lambda, with a constant from around it") {
  constexpr int two = 2;
  DeviceArray<int> out(4);
  const auto plain = [&](int i) { store_sum<int, two><<<1, 1>>>(out.data() + i, i); };
  const auto generic = [&](auto i) {
    constexpr int three = 3;
    if (i > 2)
      store_sum<int, three><<<1, 1>>>(out.data() + i, int(i));
    else
      store_sum<int, two><<<1, 1>>>(out.data() + i, 0);
  };
  plain(1);
  generic(2);
  generic(3L);
  CHECK(out.host() == std::vector{0, 3, 2, 6});
}

TEST_CASE("launch: arguments are evaluated once, copied, and each thread's own") {
  DeviceArray<int> out(64);
  int evaluations = 0;
  store<<<2, 32>>>(out.data(), ++evaluations);
  CHECK(out.host()[0] == 1);
  CHECK(evaluations == 1);

  int value = 7;
  store<<<1, 1>>>(out.data(), value);
  value = 8; // after the launch: too late
  CHECK(out.host()[0] == 7);

  Pair pair{3, 4};
  by_value<<<1, 1>>>(out.data(), pair);
  CHECK(out.host()[0] == 304);

  DeviceArray<int> counts(64);
  changes_arguments<<<1, 64>>>(counts.data(), 5);
  CHECK(counts.host() == std::vector<int>(64, 5));
}

struct Point {
  int x, y;
};

__global__ void add_point(int *out, const int *base, Point p, double scale) {
  *out = (base ? *base : 100) + static_cast<int>(scale * (p.x + 10 * p.y));
}

TEST_CASE("launch: no copy and no destruction of an argument runs in a kernel") {
  DeviceArray<int> out(1);
  const Counted counted(7);
  const auto is_of_one_launch = [&] {
    const bool it_is = copies == 1 && destructions == 1;
    copies = destructions = 0;
    return it_is;
  };
  store_counted<<<1, 64>>>(out.data(), counted);
  CHECK(out.host()[0] == 64);
  CHECK(is_of_one_launch());
  apply<<<1, 1>>>(out.data(), counted);
  CHECK(out.host()[0] == 64 + 7);
  CHECK(is_of_one_launch());
  void *copied = out.data();
  void *arguments[] = {&copied, const_cast<Counted *>(&counted)};
  REQUIRE(cudaLaunchKernel((const void *)store_counted, 1, 64, arguments, 0, nullptr) ==
          cudaSuccess);
  CHECK(out.host()[0] == 64);
  CHECK(copies == 0);
}

TEST_CASE("launch: arguments become the kernel's parameters") {
  DeviceArray<int> out(1);
  add_point<<<1, 1>>>(out.data(), 0, {1, 2}, 2);
  CHECK(out.host()[0] == 142);
  add_point<<<1, 1>>>(out.data(), nullptr, {3, 0}, 1.5f);
  CHECK(out.host()[0] == 104);
  add_point<<<1, 1>>>(out.data(), NULL, Point{}, [] { return 3; }());
  CHECK(out.host()[0] == 100);
}

TEST_CASE("launch: the kernel as a pointer, a function object, in a macro, in parentheses") {
  DeviceArray<int> out(1);
  void (*pointer)(int *, int) = store;
  pointer<<<1, 1>>>(out.data(), 5);
  CHECK(out.host()[0] == 5);
  apply<<<1, 1>>>(out.data(), AddOne());
  CHECK(out.host()[0] == 6);
  LAUNCH(store, out.data(), 9);
  CHECK(out.host()[0] == 9);
  store<<<SHAPE>>>(out.data(), 10);
  CHECK(out.host()[0] == 10);
  (store)<<<1, 1>>>(out.data(), 11);
  CHECK(out.host()[0] == 11);
  if (out.bytes() > 0)
    store<<<dim3(1), dim3(1, 1), 0, nullptr>>>(out.data(), 12);
  else
    store<<<1, 1>>>(out.data(), 13);
  CHECK(out.host()[0] == 12);
  with_default<<<1, 1>>>(out.data(), 1);
  CHECK(out.host()[0] == 1);
}

TEST_CASE("launch: the file keeps its name") {
  CHECK(std::string(__FILE__).find("test_launches.cu") != std::string::npos);
  CHECK(std::string(__FILE__).find(".cpp") == std::string::npos);
}
