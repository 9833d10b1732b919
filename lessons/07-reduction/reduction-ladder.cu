// Lesson 07, the ladder: eleven ways to add a list, each timed beside CUB; then other reductions
// with the last of them: maximum, whole numbers, a sum in double, a norm.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/07-reduction/reduction-ladder.cu -o reduction-ladder
// Run:   ./reduction-ladder [n]
//
// A rung is a way to load and a tree. Rungs 1 to 7 are those of M. Harris, "Optimizing parallel
// reduction in CUDA" (2007), written for today's GPUs.
#include "common/arguments.hpp"
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/figures.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"
#include "lessons/07-reduction/elements.hpp"

#include <cub/cub.cuh>

#include <algorithm>
#include <cstdio>
#include <limits>

constexpr int block = 512; // threads; a power of two, at least 64

// Blocks that fill the device with that many threads for each multiprocessor.
int grid(int threads) { return threads / block * course::multiprocessors(); }

// What a reduction does with two values, and its identity, which changes nothing.
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

// Several elements per thread, in a grid-stride loop: the grid no longer depends on n.
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

// Neighbours first, then pairs 2, 4, 8, ... apart. With `strided` the first threads do that work,
// and whole warps are done early; but there are bank conflicts: at step 16 the elements of all
// lanes lie in the same of the 32 banks, and their accesses follow each other. Without, warps
// diverge: half of the lanes of each warp work, then a quarter, and so on; and % is slow.
template <bool strided> struct Doubling {
  template <class Op, class T> static __device__ T reduce(Op op, T mine) {
    __shared__ T x[block];
    const int t = threadIdx.x;
    x[t] = mine;
    __syncthreads();
    for (int step = 1; step < int(blockDim.x); step *= 2) {
      const int i = strided ? 2 * step * t : t;
      if (strided ? i < int(blockDim.x) : t % (2 * step) == 0)
        x[i] = op(x[i], x[i + step]);
      __syncthreads();
    }
    return x[t];
  }
};
using Divergent = Doubling<false>;
using Strided = Doubling<true>;

// Sequential addressing: lane k uses bank k. With last = 64 the barriers end at 64 elements, which
// one warp adds. Its lanes need __syncwarp: since Volta they need not run in step, and the compiler
// relies on that.
template <int last, bool constant> struct Halving {
  template <class Op, class T> static __device__ T reduce(Op op, T mine) {
    __shared__ T x[block];
    const int t = threadIdx.x, threads = constant ? block : blockDim.x;
    x[t] = mine;
    __syncthreads();
    for (int half = threads / 2; half >= last; half /= 2) {
      if (t < half)
        x[t] = op(x[t], x[t + half]);
      __syncthreads();
    }
    if (last == 64 && t < 32)
      for (int half = 32; half > 0; half /= 2) {
        const T both = op(x[t], x[t + half]);
        __syncwarp(); // all lanes have read
        x[t] = both;
        __syncwarp(); // all lanes have written
      }
    return x[t];
  }
};
using Sequential = Halving<1, false>;
using LastWarp = Halving<64, false>;
using Unrolled = Halving<64, true>; // the compiler knows the number of threads: no loop is left

// Shuffles: the lanes of a warp hand each other registers. Shared memory holds one value per warp.
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

// Rungs 1 to 9.
template <class Load, class Tree, class Op, class T>
__global__ void rung(Op op, const T *a, T *out, int n) {
  const T x = Tree::reduce(op, Load::load(op, a, n));
  if (threadIdx.x == 0)
    out[blockIdx.x] = x;
}

// --- vector loads, and rungs 10 and 11 -----------------------------------------------------------

// What is reduced: `width` elements make a vector, which one load fetches. A list of T,
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

// A tile is `in_flight` vectors of each thread of a block; a thread loads all of its vectors before
// it uses the first. The last tile may be shorter.
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

// The elements past the last whole vector: one each for the first threads.
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

// Tiles on demand: a block that is done takes the next one, so that all blocks end at the same
// time. The number of the next tile is fetched while this one is loaded.
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

// The last block to finish reduces the parts of all blocks.
__device__ unsigned blocks_done; // 0 whenever no kernel runs
template <class Tiles, class Op, class Input>
__global__ void one_launch(Op op, Input in, typename Op::type *parts, typename Op::type *out,
                           int n) {
  __shared__ bool last;
  auto x = Shuffles::reduce(op, Tiles::load(op, in, n));
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = x;
    __threadfence(); // a block that sees the count also sees the part
    last = atomicAdd(&blocks_done, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last)
    return;
  x = Op::identity;
  for (unsigned i = threadIdx.x; i < gridDim.x; i += block)
    x = op(x, __ldcg(parts + i)); // from the L2 cache, which all SMs share
  x = Shuffles::reduce(op, x);
  if (threadIdx.x == 0) {
    *out = x;
    blocks_done = tiles_taken = 0; // for the next launch
  }
}

// --- the host ------------------------------------------------------------------------------------

// Reduces n elements in levels: each launch writes one part per block, and the next one reduces
// those. The last part goes to out; `parts` has room for all others.
template <class Load, class Tree, class Op, class T = typename Op::type>
void in_levels(const T *a, T *parts, T *out, int n) {
  for (int blocks = 0; blocks != 1; a = parts, parts += blocks, n = blocks) {
    blocks = Load::blocks(n);
    rung<Load, Tree><<<blocks, block>>>(Op(), a, blocks == 1 ? out : parts, n);
    CUDA_CHECK(cudaGetLastError());
  }
}

template <class Tiles, class Op, class Input, class T = typename Op::type>
void in_one_launch(Input in, T *parts, T *out, int n) {
  one_launch<Tiles><<<grid(1024), block>>>(Op(), in, parts, out, n);
  CUDA_CHECK(cudaGetLastError());
}

// A reduction of n elements of `size` bytes must give `want`, up to `relative` of that.
struct Task {
  int n, size;
  double want, relative;
  bool timed = true;

  double bytes() const { return double(n) * size; }
  // Bytes that are enough for the parts of each rung, and for CUB.
  std::size_t room() const { return n / 64 + 65536; }
};

bool correct = true; // every result so far

// Calls work(parts, out) and checks *out, which is a T. If the task is timed, prints the rate,
// beside CUB's if that is given, and the time; returns the rate, in GB/s.
template <class T, class Work>
double measure(const char *what, const Task &task, double cub, Work work) {
  T *parts, *out, result;
  double rate = 0;
  CUDA_CHECK(cudaMalloc(&parts, task.room()));
  CUDA_CHECK(cudaMalloc(&out, sizeof(T)));
  CUDA_CHECK(cudaMemset(out, 0xFF, sizeof(T))); // NaN, or a strange whole number
  if (task.timed) {
    const int runs = course::size(15, 1);
    const double seconds = course::gpu_seconds(runs, [&] { work(parts, out); });
    rate = 1e-9 * task.bytes() / seconds;
    course::figure(what, rate, "GB/s", cub, "CUB", seconds);
  } else {
    work(parts, out);
  }
  CUDA_CHECK(cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost));
  correct = course::verify_value(what, result, task.want, task.relative) && correct;
  CUDA_CHECK(cudaFree(parts));
  CUDA_CHECK(cudaFree(out));
  return rate;
}

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 1, "[n]");
  course::print_device();
  const int standard = course::size(1 << 28, 300'007), most_few = 20'011;
  const int n = int(course::count_argument(argc, argv, 1, "n", standard, 1 << 30));
  float *a = new_list<float>(n, Fraction());
  float *const b = new_list<float>(std::max(n, most_few), Whole());
  int *const wholes = new_list<int>(n, Whole());

  // 1. The sum of n floats. CUB, called without memory, would say how much it needs.
  const Exact is = exact(n);
  const Task sum{n, 4, is.sum, 1e-5};
  std::printf("%d elements of 4 bytes: %.3f GB\n\n", n, 1e-9 * sum.bytes());
  std::size_t room = sum.room();
  const double cub = measure<float>("sum, CUB", sum, 0, [&](float *parts, float *out) {
    CUDA_CHECK(cub::DeviceReduce::Sum(parts, room, a, out, n));
  });

  // 2. The ladder. Each rung first adds lists that fill no block: whole numbers, whose sums a float
  //    holds without rounding, so that each element shows.
  double before = 0;
  const double least_gain = course::size(1.02, 0.0); // not on a small device, whose times jump
  const auto climb = [&](const char *what, auto reduce) {
    for (int few : {1, 31, 257, 1025, most_few})
      measure<float>(what, {few, 4, exact(few).whole_sum, 0, false}, 0,
                     [&](float *parts, float *out) { reduce({b}, parts, out, few); });
    const double rate = measure<float>(
        what, sum, cub, [&](float *parts, float *out) { reduce({a}, parts, out, n); });
    if (rate < least_gain * before)
      std::puts("     ^ brings less than 2 %");
    before = rate;
  };
  climb("1 divergent", in_levels<LoadOne, Divergent, Add<float>>);
  climb("2 strided", in_levels<LoadOne, Strided, Add<float>>);
  climb("3 sequential", in_levels<LoadOne, Sequential, Add<float>>);
  climb("4 first add on load", in_levels<LoadTwo, Sequential, Add<float>>);
  climb("5 last warp", in_levels<LoadTwo, LastWarp, Add<float>>);
  climb("6 unrolled", in_levels<LoadTwo, Unrolled, Add<float>>);
  climb("7 several elements a thread", in_levels<LoadMany, Unrolled, Add<float>>);
  climb("8 shuffles", in_levels<LoadMany, Shuffles, Add<float>>);
  climb("9 vector loads", in_levels<LoadVectors, Shuffles, Add<float>>);
  climb("10 one launch", in_one_launch<InTurn, Add<float>, List<float>>);
  climb("11 tiles on demand", in_one_launch<OnDemand, Add<float>, List<float>>);

  // 3. Other reductions with the last rung.
  std::puts("");
  const auto last_rung = [&](const char *what, const Task &task, double cub, auto op, auto in) {
    using T = typename decltype(op)::type;
    measure<T>(what, task, cub, [&](T *parts, T *out) {
      in_one_launch<OnDemand, decltype(op)>(in, parts, out, task.n);
    });
  };
  const Task whole_sum{n, 4, is.whole_sum, 0}, largest{n, 4, is.largest, 0};
  const double cub_whole = measure<int>("sum of int, CUB", whole_sum, 0, [&](int *parts, int *out) {
    CUDA_CHECK(cub::DeviceReduce::Sum(parts, room, wholes, out, n));
  });
  last_rung("sum of int", whole_sum, cub_whole, Add<int>(), List<int>{wholes});
  const double cub_max = measure<float>("maximum, CUB", largest, 0, [&](float *parts, float *out) {
    CUDA_CHECK(cub::DeviceReduce::Max(parts, room, a, out, n));
  });
  last_rung("maximum", largest, cub_max, Larger<float>(), List<float>{a});
  last_rung("sum, added in double", {n, 4, is.sum, 1e-13}, cub, Add<double>(),
            List<float, double>{a});
  last_rung("squares of differences, in double", {n, 8, is.squares, 1e-12}, cub, Add<double>(),
            SquaredDifference{a, b});

  // 4. A list four times as long, where start and finish count less.
  if (argc == 1) {
    const int longest = course::size(1 << 30, 1'000'003);
    CUDA_CHECK(cudaFree(a));
    a = new_list<float>(longest, Fraction());
    const Task sum{longest, 4, exact(longest).sum, 1e-5};
    std::printf("\n%d elements of 4 bytes: %.3f GB\n\n", longest, 1e-9 * sum.bytes());
    const double cub = measure<float>("long sum, CUB", sum, 0, [&](float *parts, float *out) {
      CUDA_CHECK(cub::DeviceReduce::Sum(parts, room, a, out, longest));
    });
    last_rung("long sum, 11 tiles on demand", sum, cub, Add<float>(), List<float>{a});
  }

  CUDA_CHECK(cudaFree(a));
  CUDA_CHECK(cudaFree(b));
  CUDA_CHECK(cudaFree(wholes));
  std::puts("");
  return course::verdict(correct);
}
