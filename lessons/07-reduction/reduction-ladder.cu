// Lesson 07, the whole ladder: eleven ways to add a list, each timed and beside CUB's; then other
// reductions with the last of them: maximum, whole numbers, a double sum, a norm.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/07-reduction/reduction-ladder.cu -o reduction-ladder
// Run:   ./reduction-ladder [n]
//
// A rung is a way to load and a tree. Rungs 1 to 7 are those of M. Harris, "Optimizing parallel
// reduction in CUDA" (2007), written for GPUs of today.
#include "common/arguments.hpp"
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/figures.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"

#include <cub/cub.cuh>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <limits>
#include <type_traits>

constexpr int block = 512; // threads; a power of two, at least 64

// Blocks that fill the device with that many threads for each multiprocessor.
int grid(int threads) { return threads / block * course::multiprocessors(); }

// What a reduction does with two values, and the value that changes nothing.
template <class T> struct Add {
  using type = T;
  static constexpr T identity = 0;
  __device__ T operator()(T a, T b) const { return a + b; }
};
template <class T> struct Larger {
  using type = T;
  static constexpr T identity = std::numeric_limits<T>::lowest(); // 0 may be above all values
  __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};

// --- ways to load: what this thread brings to its block's tree --------------------------------

struct LoadOne {
  static int blocks(int n) { return (n + block - 1) / block; }
  template <class Op, class T> static __device__ T load(Op, const T *a, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    return i < n ? a[i] : Op::identity;
  }
};

// First add on load: half of the threads of LoadOne had nothing to do from the first step on.
struct LoadTwo {
  static int blocks(int n) { return (n + 2 * block - 1) / (2 * block); }
  template <class Op, class T> static __device__ T load(Op op, const T *a, int n) {
    const int i = 2 * blockIdx.x * blockDim.x + threadIdx.x, j = i + blockDim.x;
    const T x = i < n ? a[i] : Op::identity;
    return j < n ? op(x, a[j]) : x;
  }
};

// Several elements a thread, in a grid-stride loop: the grid no longer depends on n.
struct LoadMany {
  static int blocks(int n) { return n > grid(2048) ? grid(2048) : 1; }
  template <class Op, class T> static __device__ T load(Op op, const T *a, int n) {
    T x = Op::identity;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
      x = op(x, a[i]);
    return x;
  }
};

// --- trees: the values of all threads of a block become one, which thread 0 returns -------------

// Neighbours first. Half of the lanes of each warp work, then a quarter, and so on; % is slow, too.
struct Divergent {
  template <class Op, class T> static __device__ T reduce(Op op, T mine) {
    __shared__ T x[block];
    const int t = threadIdx.x;
    x[t] = mine;
    __syncthreads();
    for (int step = 1; step < int(blockDim.x); step *= 2) {
      if (t % (2 * step) == 0)
        x[t] = op(x[t], x[t + step]);
      __syncthreads();
    }
    return x[t];
  }
};

// The first threads do that work: whole warps are done early. But at step 16 the elements of all
// lanes lie in the same of the 32 banks, and their accesses follow each other.
struct Strided {
  template <class Op, class T> static __device__ T reduce(Op op, T mine) {
    __shared__ T x[block];
    const int t = threadIdx.x;
    x[t] = mine;
    __syncthreads();
    for (int step = 1; step < int(blockDim.x); step *= 2) {
      const int i = 2 * step * t;
      if (i < int(blockDim.x))
        x[i] = op(x[i], x[i + step]);
      __syncthreads();
    }
    return x[t];
  }
};

// The last 64 elements are one warp's, which needs no barrier of the block. It does need
// __syncwarp: since Volta the lanes of a warp need not run in step, and the compiler counts on
// that.
template <class Op, class T> __device__ void last_warp(Op op, T *x) {
  const int t = threadIdx.x;
  if (t < 32)
    for (int half = 32; half > 0; half /= 2) {
      const T both = op(x[t], x[t + half]);
      __syncwarp(); // all lanes have read
      x[t] = both;
      __syncwarp(); // all lanes have written
    }
}

// Sequential addressing: lane k uses bank k. The barriers end at `end` values.
template <int end, bool constant> struct Halving {
  template <class Op, class T> static __device__ T reduce(Op op, T mine) {
    __shared__ T x[block];
    const int t = threadIdx.x, threads = constant ? block : blockDim.x;
    x[t] = mine;
    __syncthreads();
    for (int half = threads / 2; half >= end; half /= 2) {
      if (t < half)
        x[t] = op(x[t], x[t + half]);
      __syncthreads();
    }
    if (end == 64)
      last_warp(op, x);
    return x[t];
  }
};
using Sequential = Halving<1, false>;
using LastWarp = Halving<64, false>;
using Unrolled = Halving<64, true>; // a number of threads that the compiler knows leaves no loop

// Shuffles: the lanes of a warp hand each other registers. Shared memory holds a value a warp.
template <class Op, class T> __device__ T reduce_warp(Op op, T x) {
  for (int half = 16; half > 0; half /= 2)
    x = op(x, __shfl_down_sync(0xffffffff, x, half));
  return x;
}
struct Shuffles {
  template <class Op, class T> static __device__ T reduce(Op op, T x) {
    __shared__ T warps[block / 32];
    const int lane = threadIdx.x % 32;
    x = reduce_warp(op, x);
    if (lane == 0)
      warps[threadIdx.x / 32] = x;
    __syncthreads();
    return reduce_warp(op, lane < block / 32 ? warps[lane] : Op::identity);
  }
};

// --- rungs 1 to 9 --------------------------------------------------------------------------------

template <class Load, class Tree, class Op, class T>
__global__ void rung(Op op, const T *a, T *out, int n) {
  const T x = Tree::reduce(op, Load::load(op, a, n));
  if (threadIdx.x == 0)
    out[blockIdx.x] = x;
}

// --- vector loads, and rungs 10 and 11 -----------------------------------------------------------

// What is reduced: `width` elements make a vector, which one load brings. A list of T,
template <class T, class Sum = T> struct List {
  struct alignas(16) Vector {
    T element[16 / sizeof(T)];
  };
  static constexpr int width = 16 / sizeof(T);
  const T *a; // begins at a multiple of 16 bytes

  __device__ Vector vector(int i) const { return reinterpret_cast<const Vector *>(a)[i]; }
  __device__ Sum one(int i) const { return a[i]; }
  template <class Op> static __device__ Sum combine(Op op, const Vector &v) {
    Sum x = v.element[0];
    for (int k = 1; k < width; ++k)
      x = op(x, Sum(v.element[k]));
    return x;
  }
};
// and the squares of the differences of two lists of float, in double.
struct SquaredDifference {
  struct Vector {
    float4 a, b;
  };
  static constexpr int width = 4;
  const float *a, *b; // begin at multiples of 16 bytes

  static __device__ double square(float x, float y) {
    const double d = double(x) - y;
    return d * d;
  }
  __device__ Vector vector(int i) const {
    return {reinterpret_cast<const float4 *>(a)[i], reinterpret_cast<const float4 *>(b)[i]};
  }
  __device__ double one(int i) const { return square(a[i], b[i]); }
  template <class Op> static __device__ double combine(Op op, const Vector &v) {
    return op(op(square(v.a.x, v.b.x), square(v.a.y, v.b.y)),
              op(square(v.a.z, v.b.z), square(v.a.w, v.b.w)));
  }
};

// A tile is `in_flight` vectors of each thread of a block; all of a thread's are loaded before the
// first is used. The last tile may be a part of one.
constexpr int in_flight = 8, tile = in_flight * block;
template <class Op, class Input>
__device__ typename Op::type reduce_tile(Op op, const Input &in, int first, int vectors) {
  typename Op::type x = Op::identity;
  if (first + tile <= vectors) {
    typename Input::Vector v[in_flight];
#pragma unroll
    for (int k = 0; k < in_flight; ++k)
      v[k] = in.vector(first + k * block + threadIdx.x);
#pragma unroll
    for (int k = 0; k < in_flight; ++k)
      x = op(x, Input::combine(op, v[k]));
  } else {
    for (int i = first + threadIdx.x; i < vectors; i += block)
      x = op(x, Input::combine(op, in.vector(i)));
  }
  return x;
}

// The elements behind the last vector: one each for the first threads.
template <class Op, class Input>
__device__ typename Op::type reduce_rest(Op, const Input &in, int n) {
  const int i = n / Input::width * Input::width + blockIdx.x * block + threadIdx.x;
  return i < n ? in.one(i) : Op::identity;
}

// Tiles in turn: block b takes those of number b, b + blocks, b + 2 blocks, ...
struct InTurn {
  template <class Op, class Input>
  static __device__ typename Op::type load(Op op, Input in, int n) {
    const int vectors = n / Input::width;
    typename Op::type x = reduce_rest(op, in, n);
    for (int first = blockIdx.x * tile; first < vectors; first += gridDim.x * tile)
      x = op(x, reduce_tile(op, in, first, vectors));
    return x;
  }
};

// Tiles on demand: who is done takes the next one, so that all are done at the same time. The
// number of the next is fetched while this one is loaded.
__device__ unsigned tiles_taken; // 0 whenever no kernel runs
struct OnDemand {
  template <class Op, class Input>
  static __device__ typename Op::type load(Op op, Input in, int n) {
    __shared__ int next[2]; // two, since a slow thread may still read the one before
    const int vectors = n / Input::width;
    typename Op::type x = reduce_rest(op, in, n);
    for (int first = blockIdx.x * tile, k = 0; first < vectors; first = next[k] * tile, k = 1 - k) {
      int number = 0;
      if (threadIdx.x == 0)
        number = gridDim.x + atomicAdd(&tiles_taken, 1);
      x = op(x, reduce_tile(op, in, first, vectors));
      if (threadIdx.x == 0)
        next[k] = number;
      __syncthreads();
    }
    return x;
  }
};

// Rung 9: a list in vectors, tiles in turn. With 1024 threads each has 64 registers for its loads.
struct LoadVectors {
  static int blocks(int n) { return n > grid(1024) ? grid(1024) : 1; }
  template <class Op, class T> static __device__ T load(Op op, const T *a, int n) {
    return InTurn::load(op, List<T>{a}, n);
  }
};

// The block that is last to leave its part reduces the parts.
__device__ unsigned blocks_done; // 0 whenever no kernel runs
template <class Tiles, class Op, class Input>
__global__ void one_launch(Op op, Input in, typename Op::type *parts, typename Op::type *out,
                           int n) {
  __shared__ bool last;
  auto x = Shuffles::reduce(op, Tiles::load(op, in, n));
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = x;
    __threadfence(); // whoever sees the counter move also sees the part
    last = atomicAdd(&blocks_done, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last)
    return;
  x = Op::identity;
  for (unsigned i = threadIdx.x; i < gridDim.x; i += block)
    x = op(x, __ldcg(parts + i)); // from L2, where the other blocks' parts are
  x = Shuffles::reduce(op, x);
  if (threadIdx.x == 0) {
    *out = x;
    blocks_done = tiles_taken = 0; // for the next launch
  }
}

// --- the host ------------------------------------------------------------------------------------

// Reduces n elements in levels: each launch leaves a part for each block, and the next one reduces
// those. The last of them goes to out; `parts` has room for all levels but that.
template <class Load, class Tree, class Op, class T>
void in_levels(const T *a, T *parts, T *out, int n) {
  for (int blocks = 0; blocks != 1; a = parts, parts += blocks, n = blocks) {
    blocks = Load::blocks(n);
    rung<Load, Tree><<<blocks, block>>>(Op(), a, blocks == 1 ? out : parts, n);
    CUDA_CHECK(cudaGetLastError());
  }
}

template <class Tiles, class Op, class Input, class T>
void in_one_launch(Input in, T *parts, T *out, int n) {
  one_launch<Tiles><<<grid(1024), block>>>(Op(), in, parts, out, n);
  CUDA_CHECK(cudaGetLastError());
}

// Elements of `parts` that every rung can do with.
int parts_for(int n) { return n / (block / 2) + 4 + grid(2048); }

// visit(name, work) for each rung; work() reduces the n elements of a into out.
template <class Op, class T, class Visit>
void each_rung(const T *a, T *parts, T *out, int n, Visit visit) {
  visit("1 divergent", [=] { in_levels<LoadOne, Divergent, Op>(a, parts, out, n); });
  visit("2 strided", [=] { in_levels<LoadOne, Strided, Op>(a, parts, out, n); });
  visit("3 sequential", [=] { in_levels<LoadOne, Sequential, Op>(a, parts, out, n); });
  visit("4 first add on load", [=] { in_levels<LoadTwo, Sequential, Op>(a, parts, out, n); });
  visit("5 last warp", [=] { in_levels<LoadTwo, LastWarp, Op>(a, parts, out, n); });
  visit("6 unrolled", [=] { in_levels<LoadTwo, Unrolled, Op>(a, parts, out, n); });
  visit("7 several elements a thread",
        [=] { in_levels<LoadMany, Unrolled, Op>(a, parts, out, n); });
  visit("8 shuffles", [=] { in_levels<LoadMany, Shuffles, Op>(a, parts, out, n); });
  visit("9 vector loads", [=] { in_levels<LoadVectors, Shuffles, Op>(a, parts, out, n); });
  visit("10 one launch", [=] { in_one_launch<InTurn, Op>(List<T>{a}, parts, out, n); });
  visit("11 tiles on demand", [=] { in_one_launch<OnDemand, Op>(List<T>{a}, parts, out, n); });
}

// The lists: fractions from -1 to below 0, all multiples of 2^-24, so that a sum in whole numbers
// is exact and 0 is not among them; and whole numbers from -8 to 7.
__host__ __device__ unsigned bits(unsigned i) { return 2654435761u * i >> 8; }
__host__ __device__ float fraction(unsigned i) { return -0x1p-24f * (bits(i) + 1); }
__host__ __device__ int whole(unsigned i) { return int(bits(i) / 7 % 16) - 8; }
template <class T> __global__ void fill(T *a, int n, int first) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = std::is_same<T, int>::value ? T(whole(first + i)) : T(fraction(first + i));
}

// Memory for n elements on the device; a list of n there, which begins with element `first`.
template <class T> T *new_buffer(int n) {
  T *buffer;
  CUDA_CHECK(cudaMalloc(&buffer, n * sizeof(T)));
  return buffer;
}
template <class T> T *new_list(int n, int first = 0) {
  T *a = new_buffer<T>(n);
  fill<<<(n + block - 1) / block, block>>>(a, n, first);
  CUDA_CHECK(cudaGetLastError());
  return a;
}

// What the reductions of the first n elements are, exactly; the norm is that of the list minus the
// one that begins `shift` elements later.
struct Exact {
  double sum = 0, largest = -1, whole_sum = 0, norm = 0;
  Exact(int n, int shift) {
    std::int64_t all = 0, wholes = 0;
    long double squares = 0;
    for (int i = 0; i < n; ++i) {
      const double difference = double(fraction(i)) - fraction(i + shift);
      all -= bits(i) + 1;
      wholes += whole(i);
      largest = std::max(largest, double(fraction(i)));
      squares += difference * difference;
    }
    sum = 0x1p-24 * all;
    whole_sum = wholes;
    norm = double(std::sqrt(squares));
  }
};

bool right = true; // every result so far

// Whether *out is `want`, up to `relative`. Leaves NaN there, or a strange whole number.
template <class T> void expect(const char *what, T *out, double want, double relative) {
  T came;
  CUDA_CHECK(cudaMemcpy(&came, out, sizeof came, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemset(out, 0xFF, sizeof came));
  right = course::verify(
              what, &came, 1, [=](std::size_t) { return want; }, relative) &&
          right;
}

// The rate in GB/s at which `work` reads `bytes`, printed beside CUB's where there is one.
template <class Work> double measure(const char *what, double bytes, double cub, Work work) {
  const double rate = 1e-9 * bytes / course::gpu_seconds(course::size(15, 1), work);
  course::figure(what, rate, "GB/s", cub, "CUB");
  return rate;
}

// The same for a reduction of CUB: call(memory, bytes), whose first call only says how much memory
// it needs.
template <class Call> double measure_cub(const char *what, double bytes, Call call) {
  void *memory = nullptr;
  std::size_t needed = 0;
  CUDA_CHECK(call(memory, needed));
  CUDA_CHECK(cudaMalloc(&memory, needed));
  const double rate = measure(what, bytes, 0, [&] { CUDA_CHECK(call(memory, needed)); });
  CUDA_CHECK(cudaFree(memory));
  return rate;
}

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 1, "[n]");
  course::print_device();
  const int standard = course::size(1 << 28, 300'007), shift = 12'345;
  const int n = int(course::count_argument(argc, argv, 1, "n", standard, 1 << 30));
  const double bytes = 4.0 * n;
  float *a = new_list<float>(n);
  float *const b = new_list<float>(n, shift);
  int *const whole_a = new_list<int>(n);
  const auto parts = new_buffer<float>(parts_for(n)), out = new_buffer<float>(1);
  const auto whole_parts = new_buffer<int>(parts_for(n)), whole_out = new_buffer<int>(1);
  const auto double_parts = new_buffer<double>(grid(2048)), double_out = new_buffer<double>(1);

  // 1. Every rung is right at sizes that fill no block. Whole numbers are added without rounding,
  // so
  //    that each element shows.
  for (int few : {1, 31, 257, 1025, 20'011}) {
    const Exact exact(few = std::min(few, n), shift);
    each_rung<Add<int>>(whole_a, whole_parts, whole_out, few, [&](const char *what, auto work) {
      work();
      expect(what, whole_out, exact.whole_sum, 0);
    });
    each_rung<Larger<float>>(a, parts, out, few, [&](const char *what, auto work) {
      work();
      expect(what, out, exact.largest, 0);
    });
  }

  // 2. The ladder: the sum of n floats.
  const Exact exact(n, shift);
  std::printf("%d elements of 4 bytes: %.3f GB\n\n", n, 1e-9 * bytes);
  const double cub = measure_cub("sum, CUB", bytes, [&](void *memory, std::size_t &needed) {
    return cub::DeviceReduce::Sum(memory, needed, a, out, n);
  });
  expect("CUB", out, exact.sum, 1e-5);
  double before = 0;
  const double least_gain = course::size(1.02, 0.0); // not on a small device, whose times jump
  each_rung<Add<float>>(a, parts, out, n, [&](const char *what, auto work) {
    const double rate = measure(what, bytes, cub, work);
    expect(what, out, exact.sum, 1e-5);
    if (rate < least_gain * before)
      std::puts("     ^ brings less than 2 %");
    before = rate;
  });

  // 3. Other reductions with the last rung.
  std::puts("");
  const double cub_whole =
      measure_cub("sum of int, CUB", bytes, [&](void *memory, std::size_t &needed) {
        return cub::DeviceReduce::Sum(memory, needed, whole_a, whole_out, n);
      });
  measure("sum of int", bytes, cub_whole, [&] {
    in_one_launch<OnDemand, Add<int>>(List<int>{whole_a}, whole_parts, whole_out, n);
  });
  expect("sum of int", whole_out, exact.whole_sum, 0);
  const double cub_largest =
      measure_cub("maximum, CUB", bytes, [&](void *memory, std::size_t &needed) {
        return cub::DeviceReduce::Max(memory, needed, a, out, n);
      });
  measure("maximum", bytes, cub_largest,
          [&] { in_one_launch<OnDemand, Larger<float>>(List<float>{a}, parts, out, n); });
  expect("maximum", out, exact.largest, 0);
  measure("sum, added in double", bytes, cub, [&] {
    in_one_launch<OnDemand, Add<double>>(List<float, double>{a}, double_parts, double_out, n);
  });
  expect("sum, added in double", double_out, exact.sum, 1e-13);
  measure("squares of differences, in double", 2 * bytes, cub, [&] {
    in_one_launch<OnDemand, Add<double>>(SquaredDifference{a, b}, double_parts, double_out, n);
  });
  expect("squares of differences", double_out, exact.norm * exact.norm, 1e-12);

  // 4. A list four times as long, where starting and finishing count less.
  if (const int longest = course::size(1 << 30, 1'000'003); argc == 1) {
    std::printf("\n%d elements of 4 bytes: %.3f GB\n\n", longest, 4e-9 * longest);
    CUDA_CHECK(cudaFree(a));
    a = new_list<float>(longest);
    const Exact exact(longest, shift);
    const double cub =
        measure_cub("long sum, CUB", 4.0 * longest, [&](void *memory, std::size_t &needed) {
          return cub::DeviceReduce::Sum(memory, needed, a, out, longest);
        });
    expect("CUB", out, exact.sum, 1e-5);
    measure("long sum, 11 tiles on demand", 4.0 * longest, cub,
            [&] { in_one_launch<OnDemand, Add<float>>(List<float>{a}, parts, out, longest); });
    expect("one launch", out, exact.sum, 1e-5);
  }

  for (void *buffer : std::initializer_list<void *>{a, b, whole_a, parts, out, whole_parts,
                                                    whole_out, double_parts, double_out})
    CUDA_CHECK(cudaFree(buffer));
  std::puts("");
  return course::verdict(right);
}
