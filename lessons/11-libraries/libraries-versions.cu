// Lesson 11, versions: six tasks, each with a library. The first five are also solved by our
// own kernel, and on one CPU core. The names contain the number of code lines of each version.
//
// Build: nvcc -O3 -std=c++17 -arch=sm_75 -I. lessons/11-libraries/libraries-versions.cu -o versions -lcublas -lcurand
// Run:   ./versions [n]
#include "common/arguments.hpp"
#include "common/cccl.hpp"
#include "common/check.hpp"
#include "common/cublas.hpp"
#include "common/device.hpp"
#include "common/figures.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda/std/functional>
#include <curand.h>
#include <curand_kernel.h>
#include <random>
#include <string>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/fill.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>
#include <vector>

constexpr int block = 256;
int blocks(size_t n) { return int((n + block - 1) / block); }
int runs() { return course::problem_size(9, 1); }

template <class Vector> auto pointer(Vector &array) {
  return thrust::raw_pointer_cast(array.data());
}

void launched() { CUDA_CHECK(cudaGetLastError()); }

// Reports the rate of `amount`, which is in units of 10^9 or 10^6.
void rate(const std::string &name, double amount, const char *unit, double seconds) {
  course::figure(name.c_str(), amount / seconds, unit, {.seconds = seconds});
}

// Compares an array on the device with an array on the host.
template <class T>
bool same(const char *what, const thrust::device_vector<T> &got, const std::vector<T> &want,
          double relative = 0) {
  const thrust::host_vector<T> array = got;
  return course::verify(
      what, array.data(), want.size(), [&](size_t i) { return want[i]; }, relative);
}

// ---- 1. add two arrays ----

__global__ void add(const float *a, const float *b, float *c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}

bool add_arrays(int n) {
  std::printf("add two arrays of %d floats\n", n);
  std::vector<float> host_a(n), host_b(n, 0.5f), host_c(n);
  for (int i = 0; i < n; ++i)
    host_a[i] = i % 1'000'003;
  const double gigabytes = 3e-9 * n * sizeof(float);
  rate("add, loop on 1 core: 2 lines", gigabytes, "GB/s", course::host_seconds(runs(), [&] {
         for (int i = 0; i < n; ++i)
           host_c[i] = host_a[i] + host_b[i];
       }));
  thrust::device_vector<float> a = host_a, b = host_b, c(n);
  rate("add, Thrust: 1 line", gigabytes, "GB/s", course::gpu_seconds(runs(), [&] {
         thrust::transform(a.begin(), a.end(), b.begin(), c.begin(), cuda::std::plus<>());
       }));
  bool correct = same("c", c, host_c);
  thrust::fill(c.begin(), c.end(), -1.0f);
  rate("add, own kernel: 6 lines", gigabytes, "GB/s", course::gpu_seconds(runs(), [&] {
         add<<<blocks(n), block>>>(pointer(a), pointer(b), pointer(c), n);
         launched();
       }));
  correct &= same("c", c, host_c);
  rate("add, Thrust, with copies: 3 lines", gigabytes, "GB/s", course::host_seconds(runs(), [&] {
         thrust::device_vector<float> x = host_a, y = host_b;
         thrust::transform(x.begin(), x.end(), y.begin(), y.begin(), cuda::std::plus<>());
         thrust::copy(y.begin(), y.end(), host_c.begin());
       }));
  return correct;
}

// ---- 2. sort ----

// One step of a bitonic sort: compares elements at a fixed distance, and exchanges them if their
// order is wrong: rising in one group of `stretch` elements, falling in the next one. n is a power
// of two.
__global__ void compare_exchange(int *x, int n, int stretch, int distance) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, j = i ^ distance;
  if (i < n && i < j && (x[i] > x[j]) == ((i & stretch) == 0)) {
    const int kept = x[i];
    x[i] = x[j];
    x[j] = kept;
  }
}

void bitonic_sort(thrust::device_vector<int> &x) {
  const int n = int(x.size());
  for (int stretch = 2; stretch <= n && stretch > 0; stretch *= 2)
    for (int distance = stretch / 2; distance > 0; distance /= 2) {
      compare_exchange<<<blocks(n), block>>>(pointer(x), n, stretch, distance);
      launched();
    }
}

bool sort_numbers(int least) {
  int n = 1;
  while (n < least)
    n *= 2;
  std::printf("sort %d ints\n", n);
  std::vector<int> numbers(n), want;
  for (int i = 0; i < n; ++i)
    numbers[i] = int(i * 2654435761u);
  const thrust::device_vector<int> unsorted = numbers;
  thrust::device_vector<int> x = unsorted;
  // Each run sorts a new copy. The time includes this copy, in all versions.
  rate("1 core, std::sort: 1 line", 1e-6 * n, "M/s", course::host_seconds(1, [&] {
         want = numbers;
         std::sort(want.begin(), want.end());
       }));
  rate("sort, Thrust: 1 line", 1e-6 * n, "M/s", course::gpu_seconds(runs(), [&] {
         x = unsorted;
         thrust::sort(x.begin(), x.end());
       }));
  const bool correct = same("sorted by Thrust", x, want);
  rate("sort, own bitonic kernel: 17 lines", 1e-6 * n, "M/s", course::gpu_seconds(runs(), [&] {
         x = unsorted;
         bitonic_sort(x);
       }));
  return same("sorted by the kernel", x, want) && correct;
}

// ---- 3. group by ----

constexpr int stations = 1000; // 0 to 999

// The keys are few and small, so every block has a sum and a counter per key in shared memory.
__global__ void add_up(const int *station, const double *wind, int n, double *sum, int *count) {
  __shared__ double block_sum[stations];
  __shared__ int block_count[stations];
  for (int k = threadIdx.x; k < stations; k += blockDim.x)
    block_sum[k] = block_count[k] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&block_sum[station[i]], wind[i]);
    atomicAdd(&block_count[station[i]], 1);
  }
  __syncthreads();
  for (int k = threadIdx.x; k < stations; k += blockDim.x) {
    atomicAdd(&sum[k], block_sum[k]);
    atomicAdd(&count[k], block_count[k]);
  }
}

bool group_by(int n) {
  std::printf("group %d rows by station, on the device\n", n);
  std::vector<int> host_station(n);
  std::vector<double> host_wind(n); // m/s
  unsigned random = 11;
  for (int i = 0; i < n; ++i) {
    random = 1664525 * random + 1013904223;
    host_station[i] = (random >> 8) % stations;
    host_wind[i] = ((random >> 16) * 2654435761u >> 23) / 8.0; // all sums are exact
  }
  std::vector<double> want_sum(stations), want_mean;
  std::vector<int> want_count(stations);
  rate("group-by, 1 core, counters: 4 lines", 1e-6 * n, "Mrows/s", course::host_seconds(1, [&] {
         for (int i = 0; i < n; ++i) {
           want_sum[host_station[i]] += host_wind[i];
           ++want_count[host_station[i]];
         }
       }));
  const thrust::device_vector<int> station = host_station;
  const thrust::device_vector<double> wind = host_wind;
  thrust::device_vector<int> keys, groups(n), count(std::max(n, stations));
  thrust::device_vector<double> values, sum(std::max(n, stations));
  size_t found = 0;
  rate("group-by, Thrust: 5 lines", 1e-6 * n, "Mrows/s", course::gpu_seconds(runs(), [&] {
         keys = station; // a copy, because sort_by_key overwrites its input
         values = wind;
         // [group-by]
         thrust::sort_by_key(keys.begin(), keys.end(), values.begin());
         found = thrust::reduce_by_key(keys.begin(), keys.end(), values.begin(), groups.begin(),
                                       sum.begin())
                     .first -
                 groups.begin();
         thrust::reduce_by_key(keys.begin(), keys.end(), cuda::constant_iterator<int>(1),
                               thrust::make_discard_iterator(), count.begin());
         // [end]
       }));
  const thrust::host_vector<int> got_groups = groups, got_count = count;
  const thrust::host_vector<double> got_sum = sum;
  bool correct = course::verify("count", got_count.data(), found,
                                [&](size_t i) { return want_count[got_groups[i]]; });
  correct &= course::verify("sum", got_sum.data(), found,
                            [&](size_t i) { return want_sum[got_groups[i]]; });
  rate("group-by, own kernel: 19 lines", 1e-6 * n, "Mrows/s", course::gpu_seconds(runs(), [&] {
         thrust::fill_n(sum.begin(), stations, 0.0);
         thrust::fill_n(count.begin(), stations, 0);
         add_up<<<8 * course::multiprocessors(), block>>>(pointer(station), pointer(wind), n,
                                                          pointer(sum), pointer(count));
         launched();
       }));
  return same("sum", sum, want_sum) && same("count", count, want_count) && correct;
}

// ---- 4. multiply matrices ----

// C = A B, all n x n and stored row by row. cuBLAS expects matrices that are stored by columns. It
// reads A, B and C as their transposes, so it computes B^T A^T = C^T (lesson 08).
template <class T> __global__ void multiply(const T *a, const T *b, T *c, int n) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
  if (col < n) {
    T sum = 0;
    for (int k = 0; k < n; ++k)
      sum += a[size_t(row) * n + k] * b[size_t(k) * n + col];
    c[size_t(row) * n + col] = sum;
  }
}

// [gemm]
cublasStatus_t gemm(cublasHandle_t handle, int n, const float *a, const float *b, float *c) {
  const float one = 1, zero = 0;
  return cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, b, n, a, n, &zero, c, n);
}
// [end]
cublasStatus_t gemm(cublasHandle_t handle, int n, const double *a, const double *b, double *c) {
  const double one = 1, zero = 0;
  return cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, b, n, a, n, &zero, c, n);
}

// Small whole numbers, so all sums are exact, even in float.
template <class T> T element(int row, int col) { return T((row * 3 + col * 5) % 7 - 3); }

template <class T> bool multiply_matrices(int n, const char *type) {
  std::printf("multiply matrices of %d x %d %ss\n", n, n, type);
  const size_t size = size_t(n) * n;
  std::vector<T> a(size), b(size), c(size);
  for (int row = 0; row < n; ++row)
    for (int col = 0; col < n; ++col) {
      a[size_t(row) * n + col] = element<T>(row, col);
      b[size_t(row) * n + col] = element<T>(col, row);
    }
  const auto rate_of_rows = [&](const std::string &name, double rows, double seconds) {
    rate(name + ", " + type, 2e-9 * rows * n * n, "GFLOP/s", seconds);
  };
  // The host computes only a few rows. All rows would take minutes on one core.
  const int some = std::min(n, 16);
  rate_of_rows("1 core, some rows: 4 lines", some, course::host_seconds(1, [&] {
                 for (int row = 0; row < some; ++row)
                   for (int k = 0; k < n; ++k)
                     for (int col = 0; col < n; ++col)
                       c[size_t(row) * n + col] += a[size_t(row) * n + k] * b[size_t(k) * n + col];
               }));
  const thrust::device_vector<T> d_a = a, d_b = b;
  thrust::device_vector<T> d_c(size);
  cublasHandle_t handle;
  CUBLAS_CHECK(cublasCreate(&handle));
  std::vector<T> got(size_t(some) * n);
  const auto verify = [&] {
    thrust::copy_n(d_c.begin(), got.size(), got.begin());
    return course::verify("c", got.data(), got.size(), [&](size_t i) { return c[i]; });
  };
  rate_of_rows("cuBLAS: 2 lines", n, course::gpu_seconds(course::problem_size(3, 1), [&] {
                 CUBLAS_CHECK(gemm(handle, n, pointer(d_a), pointer(d_b), pointer(d_c)));
               }));
  bool correct = verify();
  thrust::fill(d_c.begin(), d_c.end(), T(-1));
  rate_of_rows("own kernel, naive: 10 lines", n, course::gpu_seconds(1, [&] {
                 multiply<<<dim3(blocks(n), n), block>>>(pointer(d_a), pointer(d_b), pointer(d_c),
                                                         n);
                 launched();
               }));
  correct &= verify();
  CUBLAS_CHECK(cublasDestroy(handle));
  return correct;
}

// ---- 5. random numbers ----

// Like CUBLAS_CHECK. cuRAND has no function that returns the text of a status: see curand.h.
void check(curandStatus_t status, const char *call, int line) {
  if (status == CURAND_STATUS_SUCCESS)
    return;
  std::fflush(stdout);
  std::fprintf(stderr, "%s:%d: %s\n  failed: curandStatus_t %d\n", __FILE__, line, call, status);
  std::exit(EXIT_FAILURE);
}
#define CURAND_CHECK(call) check((call), #call, __LINE__)

// Each thread has its own random sequence, and adds its numbers instead of storing them.
__global__ void add_random(size_t numbers, unsigned long long seed, double *sums) {
  const size_t thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  curandStatePhilox4_32_10_t state;
  curand_init(seed, thread, 0, &state);
  double sum = 0;
  for (size_t i = 4 * thread; i < numbers; i += 4 * threads) {
    const float4 x = curand_uniform4(&state);
    sum += x.x;
    sum += i + 1 < numbers ? x.y : 0;
    sum += i + 2 < numbers ? x.z : 0;
    sum += i + 3 < numbers ? x.w : 0;
  }
  sums[thread] = sum;
}

bool random_numbers(size_t n) {
  std::printf("draw %zu random floats from 0 to 1, and compute their mean\n", n);
  // Six standard deviations of the mean.
  const double tolerance = 6 / std::sqrt(12.0 * n) / 0.5;
  bool correct = true;
  const auto rate_and_mean = [&](const char *name, double count, double mean, double seconds) {
    rate(name, 1e-9 * count, "G/s", seconds);
    correct &= course::verify_value("mean", mean, 0.5, tolerance * std::sqrt(n / count));
  };
  double mean = 0;
  const size_t few = std::min(n, size_t(10'000'000));
  double seconds = course::host_seconds(1, [&] {
    std::mt19937 engine(1);
    std::uniform_real_distribution<float> uniform;
    for (size_t i = 0; i < few; ++i)
      mean += uniform(engine) / few;
  });
  rate_and_mean("1 core, std::mt19937, some: 3 lines", few, mean, seconds);

  curandGenerator_t generator;
  CURAND_CHECK(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_PHILOX4_32_10));
  CURAND_CHECK(curandSetPseudoRandomGeneratorSeed(generator, 1));
  thrust::device_vector<float> x(n);
  seconds = course::gpu_seconds(course::problem_size(5, 1), [&] {
    CURAND_CHECK(curandGenerateUniform(generator, pointer(x), n));
  });
  mean = thrust::reduce(x.begin(), x.end(), 0.0) / n;
  rate_and_mean("cuRAND: 4 lines", n, mean, seconds);
  seconds = course::gpu_seconds(course::problem_size(5, 1), [&] {
    CURAND_CHECK(curandGenerateUniform(generator, pointer(x), n));
    mean = thrust::reduce(x.begin(), x.end(), 0.0) / n;
  });
  rate_and_mean("cuRAND, then Thrust's sum: 5 lines", n, mean, seconds);
  CURAND_CHECK(curandDestroyGenerator(generator));

  const int grid = 8 * course::multiprocessors();
  thrust::device_vector<double> sums(size_t(grid) * block);
  seconds = course::gpu_seconds(course::problem_size(5, 1), [&] {
    add_random<<<grid, block>>>(n, 1, pointer(sums));
    launched();
    mean = thrust::reduce(sums.begin(), sums.end()) / n;
  });
  rate_and_mean("own kernel, drawn and summed: 16 lines", n, mean, seconds);
  return correct;
}

// ---- 6. fuse three passes ----

struct SquaredDifference {
  __host__ __device__ double operator()(const thrust::tuple<float, float> &pair) const {
    const double difference = double(thrust::get<0>(pair)) - thrust::get<1>(pair);
    return difference * difference;
  }
};

// The Euclidean distance between two arrays: the square root of the sum of (a - b)^2.
bool distance(int n) {
  std::printf("distance between two arrays of %d floats\n", n);
  std::vector<float> host_a(n), host_b(n);
  double want = 0;
  for (int i = 0; i < n; ++i) {
    host_a[i] = i % 1009;
    host_b[i] = i % 997;
    want += (double(host_a[i]) - host_b[i]) * (double(host_a[i]) - host_b[i]);
  }
  const thrust::device_vector<float> a = host_a, b = host_b;
  thrust::device_vector<float> difference(n), square(n);
  double sum = 0;
  bool correct = true;
  const auto time = [&](const char *name, double relative, const auto &work) {
    rate(name, 2e-9 * n * sizeof(float), "GB/s", course::gpu_seconds(runs(), work));
    correct &= course::verify_value("distance", std::sqrt(sum), std::sqrt(want), relative);
  };
  time("three passes of Thrust: 3 lines", 1e-6, [&] {
    thrust::transform(a.begin(), a.end(), b.begin(), difference.begin(), cuda::std::minus<>());
    thrust::transform(difference.begin(), difference.end(), difference.begin(), square.begin(),
                      cuda::std::multiplies<>());
    sum = thrust::reduce(square.begin(), square.end(), 0.0);
  });
  time("transform_reduce, one pass: 9 lines", 1e-12, [&] {
    const auto pairs = thrust::make_zip_iterator(thrust::make_tuple(a.begin(), b.begin()));
    sum = thrust::transform_reduce(pairs, pairs + n, SquaredDifference(), 0.0, cuda::std::plus<>());
  });
  return correct;
}

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 1, "[n]");
  course::print_device();
  const int n = int(course::count_argument(argc, argv, 1, "n",
                                           course::problem_size(10'000'000, 20'000), 20'000'000));
  bool correct = add_arrays(10 * n);
  correct &= sort_numbers(n);
  correct &= group_by(n);
  correct &= multiply_matrices<float>(course::problem_size(8192, 96), "float");
  correct &= multiply_matrices<double>(course::problem_size(16000, 96), "double");
  correct &= random_numbers(size_t(100) * n);
  correct &= distance(10 * n);
  std::puts("");
  return course::verdict(correct);
}
