// __launch_bounds__: launches of larger blocks fail, and what a program asks of the kernel knows
// it.
#include "cuda_test.hpp"
#include "launch_bounds.hpp"

#include <type_traits>

#define THREADS 64
#define HERE __launch_bounds__(64, 2)
#define MINIMUM(A, B) ((A) < (B) ? (A) : (B))

namespace {

template <class A, class B> struct Sizes {
  static constexpr int threads = 8 * (sizeof(A) + sizeof(B));
};

__global__ void __launch_bounds__(64) plain(const float *in, float *out) {
  out[threadIdx.x] = in[threadIdx.x];
}
__launch_bounds__(64) __global__ void before(const float *in, float *out) {
  out[threadIdx.x] = in[threadIdx.x];
}
static __global__ HERE void by_macro(const float *in, float *out) { out[0] = in[0]; }
static __global__ BOUNDS void by_header(const float *in, float *out) { out[0] = in[0]; }
__global__ void declared(const float *in, float *out);
__global__ void __launch_bounds__(MINIMUM(sizeof(double) * 8, 128), 1)
    declared(const float *in, float *out) {
  out[0] = in[0];
}
template <int N, class T> __global__ void __launch_bounds__(N) of_template(const T *in, T *out) {
  out[threadIdx.x] = in[threadIdx.x];
}
template <class T, class... Others>
__global__ __launch_bounds__(Sizes<T, Others...>::threads) void of_pack(const T *in,
                                                                        Others *...out) {
  ((out[threadIdx.x] = in[threadIdx.x]), ...);
}
template <int N = 64>
__global__ void __launch_bounds__(N) with_default(const float *in, float *out, int i = 0) {
  out[i] = in[i];
}
template <int N> __global__ void special(const float *, float *) {}
template <> __global__ void __launch_bounds__(64) special<3>(const float *in, float *out) {
  out[3] = in[3];
}
__global__ void __launch_bounds__(64) overloaded(const float *, float *) {}
__global__ void overloaded(const int *, int *) {}

__global__ void beside(float *);
__global__ void __launch_bounds__(64) beside(const float *in, float *out, int i = 0) {
  out[i] = in[i];
}
[[maybe_unused]] __global__ void beside(float *) {}
// The bound of this one is not known, because in its body `sum` is the parameter.
__global__ void __launch_bounds__(64) sum(float *sum) { sum[0] = 1; }

struct Copied {
  float *out;
  explicit Copied(float *out) : out(out) {}
  Copied(const Copied &other) : out(other.out) {}
};
__global__ void __launch_bounds__(64) by_value(Copied c) { c.out[threadIdx.x] = 1; }

// Of launches with 64 and 65 threads.
template <class Launch> void check_bound(const Launch &launch) {
  launch(dim3(64));
  CHECK(cudaGetLastError() == cudaSuccess);
  launch(dim3(13, 5));
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
}

} // namespace

TEST_CASE("launch bounds: larger blocks are refused") {
  DeviceArray<float> in(128, 1.0f), out(128);
  float *const i = in.data(), *const o = out.data(); // not of the types that the kernels take
  check_bound([=](dim3 block) { plain<<<1, block>>>(i, o); });
  sum<<<1, 64>>>(o);
  CHECK(cudaGetLastError() == cudaSuccess);
  check_bound([=](dim3 block) { beside<<<1, block>>>(static_cast<const float *>(i), o, 1); });
  check_bound([=](dim3 block) { before<<<1, block>>>(i, o); });
  check_bound([=](dim3 block) { by_macro<<<1, block>>>(i, o); });
  check_bound([=](dim3 block) { by_header<<<1, block>>>(i, o); });
  check_bound([=](dim3 block) { declared<<<1, block>>>(i, o); });
  check_bound([=](dim3 block) { of_template<64, float><<<1, block>>>(i, o); });
  check_bound([=](dim3 block) { of_pack<float, float><<<1, block>>>(i, o); });
  check_bound([=](dim3 block) { with_default<64><<<1, block>>>(i, o, 2); });
  check_bound([=](dim3 block) { special<3><<<1, block>>>(i, o); });
  check_bound([=](dim3 block) { by_value<<<1, block>>>(Copied(o)); });
  const float *const constant = i;
  check_bound([=](dim3 block) { of_template<64><<<1, block>>>(constant, o); });
  check_bound([=](dim3 block) { overloaded<<<1, block>>>(constant, o); });
  check_bound([=](dim3 block) {
    const auto kernel = of_template<64, float>;
    kernel<<<1, block>>>(i, o);
  });
  check_bound([=](dim3 block) {
    const float *from = i;
    float *to = o;
    void *arguments[] = {&from, &to};
    static_cast<void>(cudaLaunchKernel(plain, dim3(1), block, arguments, 0, nullptr));
  });

  // Others are not concerned.
  of_template<96><<<1, 96>>>(constant, o);
  special<2><<<1, 96>>>(i, o);
  overloaded<<<1, 96>>>(static_cast<const int *>(nullptr), static_cast<int *>(nullptr));
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
}

TEST_CASE("launch bounds: attributes and occupancy") {
  cudaFuncAttributes attributes{};
  REQUIRE(cudaFuncGetAttributes(&attributes, declared) == cudaSuccess);
  CHECK(attributes.maxThreadsPerBlock == 64);
  REQUIRE(cudaFuncGetAttributes(&attributes, of_template<96, float>) == cudaSuccess);
  CHECK(attributes.maxThreadsPerBlock == 96);
  REQUIRE(cudaFuncGetAttributes(&attributes, special<2>) == cudaSuccess);
  CHECK(attributes.maxThreadsPerBlock == 1024);
  int grid = 0, block = 0;
  REQUIRE(cudaOccupancyMaxPotentialBlockSize(&grid, &block, declared) == cudaSuccess);
  CHECK(block == 64);
}
