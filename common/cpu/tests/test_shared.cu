// Shared memory, static and dynamic.
#include "cuda_test.hpp"

namespace {

__global__ void several_static(int *out) {
  __shared__ int a[64], b;
  __shared__ float c[2][32];
  const int t = threadIdx.x;
  if (t == 0)
    b = 1000;
  a[t] = t;
  c[t / 32][t % 32] = 0.5f * t;
  __syncthreads();
  out[t] = a[63 - t] + b + static_cast<int>(2 * c[1 - t / 32][t % 32]);
}

__global__ void dynamic(int *out) {
  extern __shared__ int words[];
  words[threadIdx.x] = threadIdx.x + 100 * blockIdx.x;
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = words[blockDim.x - 1 - threadIdx.x];
}

// Arrays of two types in one piece of dynamic shared memory.
__global__ void divided(double *out, int n) {
  extern __shared__ __align__(16) unsigned char raw[];
  double *const reals = reinterpret_cast<double *>(raw);
  int *const numbers = reinterpret_cast<int *>(reals + n);
  reals[threadIdx.x] = 0.25 * threadIdx.x;
  numbers[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = reals[n - 1 - threadIdx.x] + numbers[(threadIdx.x + 1) % n];
}

template <class T> __global__ void typed(T *out) {
  extern __shared__ unsigned char typed_bytes[];
  T *const values = reinterpret_cast<T *>(typed_bytes);
  values[threadIdx.x] = static_cast<T>(threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = values[(threadIdx.x + 1) % blockDim.x];
}

__global__ void rows(int *out) {
  extern __shared__ int matrix[][8];
  matrix[threadIdx.y][threadIdx.x] = 10 * threadIdx.y + threadIdx.x;
  __syncthreads();
  out[threadIdx.y * 8 + threadIdx.x] = matrix[threadIdx.x][threadIdx.y];
}

extern __shared__ int in_file_scope[];

__device__ int neighbour() { return in_file_scope[(threadIdx.x + 1) % blockDim.x]; }

__global__ void through_function(int *out) {
  in_file_scope[threadIdx.x] = 3 * threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = neighbour();
}

template <int N> __global__ void sized(int *out) {
  __shared__ alignas(16) int tile[N][N + 1];
  tile[threadIdx.y][threadIdx.x] = N * threadIdx.y + threadIdx.x;
  __syncthreads();
  out[threadIdx.y * N + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

__global__ void all_static(int *out) {
  __shared__ char most[48 * 1024];
  most[threadIdx.x * 48] = static_cast<char>(threadIdx.x % 100);
  __syncthreads();
  out[threadIdx.x] = most[(1023 - threadIdx.x) * 48];
}

// Each block sees its own shared memory only, also when many run at once.
__global__ void own_copy(int *wrong) {
  __shared__ int owner;
  __shared__ int cells[256];
  if (threadIdx.x == 0)
    owner = blockIdx.x;
  cells[threadIdx.x] = blockIdx.x;
  __syncthreads();
  for (unsigned i = 0; i < blockDim.x; ++i)
    if (cells[i] != static_cast<int>(blockIdx.x) || owner != static_cast<int>(blockIdx.x))
      atomicAdd(wrong, 1);
}

template <int N> void check_transposed() {
  DeviceArray<int> out(N * N);
  sized<N><<<1, dim3(N, N)>>>(out.data());
  const std::vector<int> found = out.host();
  for (int y = 0; y < N; ++y)
    for (int x = 0; x < N; ++x)
      CHECK(found[y * N + x] == N * x + y);
}

} // namespace

TEST_CASE("shared: several static arrays") {
  DeviceArray<int> out(64);
  several_static<<<1, 64>>>(out.data());
  CHECK(out.host() ==
        values_of<int>(64, [](int t) { return 63 - t + 1000 + (t < 32 ? t + 32 : t - 32); }));
}

TEST_CASE("shared: a size that is a template argument") {
  check_transposed<8>();
  check_transposed<32>();
}

TEST_CASE("shared: 48 KiB of static memory") {
  DeviceArray<int> out(1024);
  all_static<<<1, 1024>>>(out.data());
  CHECK(out.host() == values_of<int>(1024, [](int t) { return (1023 - t) % 100; }));
}

TEST_CASE("shared: dynamic memory of the size that the launch gives") {
  for (int threads : {1, 64, 1000}) {
    DeviceArray<int> out(5 * threads);
    dynamic<<<5, threads, threads * sizeof(int)>>>(out.data());
    CHECK(out.host() == values_of<int>(5 * threads, [&](int i) {
            return threads - 1 - i % threads + 100 * (i / threads);
          }));
  }
}

TEST_CASE("shared: two arrays in one piece of dynamic memory") {
  constexpr int n = 100;
  DeviceArray<double> out(n);
  divided<<<1, n, n *(sizeof(double) + sizeof(int))>>>(out.data(), n);
  CHECK(out.host() == values_of<double>(n, [](int t) { return 0.25 * (n - 1 - t) + (t + 1) % n; }));
}

TEST_CASE("shared: dynamic memory in templates, as rows, in file scope") {
  DeviceArray<double> reals(64);
  typed<<<1, 64, 64 * sizeof(double)>>>(reals.data());
  CHECK(reals.host()[63] == 0.0);
  CHECK(reals.host()[10] == 11.0);
  DeviceArray<short> shorts(64);
  typed<<<1, 64, 64 * sizeof(short)>>>(shorts.data());
  CHECK(shorts.host()[10] == 11);

  DeviceArray<int> out(64);
  rows<<<1, dim3(8, 8), 64 * sizeof(int)>>>(out.data());
  CHECK(out.host()[8 * 2 + 5] == 52);
  through_function<<<1, 64, 64 * sizeof(int)>>>(out.data());
  CHECK(out.host()[10] == 33);
}

TEST_CASE("shared: each block has its own") {
  DeviceArray<int> wrong(1);
  own_copy<<<200, 256>>>(wrong.data());
  CHECK(wrong.host()[0] == 0);
}
