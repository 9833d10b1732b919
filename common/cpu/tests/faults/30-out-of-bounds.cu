// Accesses out of bounds, wrong pointers, leaks.
#include "cases.hpp"

#include <cstring>
#include <map>
#include <string>
#include <vector>

// Of several cases.
__global__ void fill(int *values) {
  values[threadIdx.x] = 1; // @fills
}

// case no_guard
// expect: memcheck add
// The last block has threads without an element.
__global__ void no_guard_add(bool fixed, const float *a, const float *b, float *c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (!fixed || i < n)
    c[i] = a[i] + b[i] + 0 * n; // @add
}

CASE(no_guard) {
  float *a = array<float>(1000, 0), *b = array<float>(1000, 0), *c = array<float>(1000);
  no_guard_add<<<4, 256>>>(fixed, a, b, c, 1000);
}

// case one_too_far
// expect: memcheck add
// i <= n lets one element too many through.
__global__ void add_one_more(bool fixed, const float *a, const float *b, float *c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (fixed ? i < n : i <= n)
    c[i] = a[i] + b[i]; // @add
}

CASE(one_too_far) {
  float *a = array<float>(1000, 0), *b = array<float>(1000, 0), *c = array<float>(1000);
  add_one_more<<<4, 256>>>(fixed, a, b, c, 1000);
}

// case tile_at_the_edge
// expect: memcheck load
// A tile that reaches over the matrix is loaded without a guard.
constexpr int tile = 8;

__global__ void transpose(bool fixed, const float *in, float *out, int n) {
  __shared__ float s[tile][tile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * tile + y, column = blockIdx.x * tile + x;
  s[y][x] = !fixed || (row < n && column < n) ? in[row * n + column] : 0; // @load
  __syncthreads();
  const int to_row = blockIdx.x * tile + y, to_column = blockIdx.y * tile + x;
  if (to_row < n && to_column < n)
    out[to_row * n + to_column] = s[x][y];
}

CASE(tile_at_the_edge) {
  float *in = array<float>(13 * 13, 0), *out = array<float>(13 * 13);
  transpose<<<dim3(2, 2), dim3(tile, tile)>>>(fixed, in, out, 13);
}

// case scan_of_any_length
// expect: memcheck load
// A scan for 128 elements gets 100.
__global__ void scan(bool fixed, int *values, int n) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  s[t] = !fixed || t < n ? values[t] : 0; // @load
  __syncthreads();
  for (int distance = 1; distance < 128; distance *= 2) {
    const int left = t >= distance ? s[t - distance] : 0;
    __syncthreads();
    s[t] += left;
    __syncthreads();
  }
  if (t < n)
    values[t] = s[t];
}

CASE(scan_of_any_length) { scan<<<1, 128>>>(fixed, array<int>(100, 0), 100); }

// case shared_array
// expect: memcheck load
// The last thread reads past the end of a shared array, through a pointer.
__device__ int right_of(const int *s, int i) {
  return s[i + 1]; // @load
}

__global__ void shared_array_shift(bool fixed, int *out) {
  __shared__ int s[256], other[256];
  const int t = threadIdx.x;
  s[t] = other[t] = t;
  __syncthreads();
  out[t] = !fixed || t < 255 ? right_of(s, t) : 0;
}

CASE(shared_array) { shared_array_shift<<<1, 256>>>(fixed, array<int>(256)); }

// case dynamic_shared_memory
// expect: memcheck store
// The launch gives bytes for half of the elements.
__global__ void reverse(int *values) {
  extern __shared__ int s[];
  const int t = threadIdx.x;
  s[t] = values[t]; // @store
  __syncthreads();
  if (t < 64)
    values[t] = s[t];
}

CASE(dynamic_shared_memory) {
  reverse<<<1, 128, (fixed ? 128 : 64) * sizeof(int)>>>(array<int>(128, 0));
}

// case local_array
// expect: memcheck store
// says: index 8 is outside count, an array of type int [8]
// A thread's own array has 8 elements.
__global__ void bins(const int *in, int *out, int n) {
  int count[8] = {};
  for (int i = 0; i < n; ++i)
    count[in[i]] += 1; // @store
  out[threadIdx.x] = count[threadIdx.x % 8];
}

CASE(local_array) {
  int host[4] = {0, 1, 8, 2};
  if (fixed)
    host[2] = 7;
  int *in = array<int>(4), *out = array<int>(32);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  bins<<<1, 32>>>(in, out, 4);
}

// case before_the_start
// expect: memcheck load
// The first element has no left neighbour.
__global__ void difference(bool fixed, const float *in, float *out) {
  const int i = threadIdx.x;
  out[i] = !fixed || i > 0 ? in[i] - in[i - 1] : 0; // @load
}

CASE(before_the_start) { difference<<<1, 64>>>(fixed, array<float>(64, 0), array<float>(64)); }

// case null_pointer
// expect: memcheck fills
// The allocation was forgotten.
CASE(null_pointer) { fill<<<1, 32>>>(fixed ? array<int>(32) : nullptr); }

// case host_pointer
// expect: memcheck fills
// says: the address is host memory
// A kernel gets the address of host memory.
CASE(host_pointer) {
  std::vector<int> host(32);
  fill<<<1, 32>>>(fixed ? array<int>(32) : host.data());
}

// case device_pointer
// expect: memcheck load
// Host code reads device memory without a copy.
CASE(device_pointer) {
  int *values = array<int>(32, 0);
  int host = 0;
  if (fixed)
    cudaMemcpy(&host, values, sizeof host, cudaMemcpyDeviceToHost);
  else
    host = *values; // @load
  std::printf("%d\n", host);
}

// case use_after_free
// expect: memcheck load
// A kernel uses memory that was freed.
__global__ void copy_of_freed(const int *in, int *out) {
  out[threadIdx.x] = in[threadIdx.x]; // @load
}

CASE(use_after_free) {
  int *in = nullptr;
  cudaMalloc(&in, 32 * sizeof(int));
  cudaMemset(in, 0, 32 * sizeof(int));
  int *out = array<int>(32);
  if (!fixed)
    cudaFree(in);
  copy_of_freed<<<1, 32>>>(in, out);
  if (fixed)
    cudaFree(in);
}

// case double_free
// expect: memcheck again
// Memory is freed twice.
CASE(double_free) {
  int *values = nullptr;
  cudaMalloc(&values, 128);
  cudaFree(values);
  if (!fixed)
    cudaFree(values); // @again
}

// case leak
// expect: memcheck allocation
// Memory is never freed.
CASE(leak) {
  int *values = nullptr;
  cudaMalloc(&values, 128); // @allocation
  if (fixed)
    cudaFree(values);
}

// case misaligned
// expect: memcheck load
// A float4 must lie at a multiple of 16 bytes.
__global__ void misaligned_copy(const float *in, float4 *out) {
  out[threadIdx.x] = *reinterpret_cast<const float4 *>(in + 4 * threadIdx.x); // @load
}

CASE(misaligned) { misaligned_copy<<<1, 32>>>(array<float>(132, 0) + !fixed, array<float4>(32)); }

// case structure
// expect: memcheck copy
// A structure is copied as a whole, and the last one is not there.
struct Particle {
  float position[3], velocity[3], mass;
};

__global__ void structure_shift(const Particle *in, Particle *out, int n) {
  const int i = threadIdx.x;
  if (i < n)
    out[i] = in[i + 1]; // @copy
}

CASE(structure) {
  structure_shift<<<1, 32>>>(array<Particle>(32, 0), array<Particle>(32), fixed ? 31 : 32);
}

// case image_without_guard
// expect: memcheck store
// An image of 33 x 17 pixels, blocks of 16 x 16, no guard.
__global__ void paint(bool fixed, int *image, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && (fixed ? y < height : y <= height))
    image[y * width + x] = x + y; // @store
}

CASE(image_without_guard) {
  paint<<<dim3(3, 2), dim3(16, 16)>>>(fixed, array<int>(33 * 17), 33, 17);
}

// case memset_too_long
// expect: memcheck fill
// memset counts bytes; here it gets four times as many as there are.
__global__ void clear(bool fixed, unsigned char *marks, int n) {
  memset(marks, 0, n * (fixed ? 1 : sizeof(int))); // @fill
}

CASE(memset_too_long) { clear<<<1, 1>>>(fixed, array<unsigned char>(100), 100); }

// case program_with_strings
// expect: memcheck fills
// The program instantiates templates of std, and its copies are instrumented: a report calls copies
// that are not.
CASE(program_with_strings) {
  std::vector<std::string> names;
  names.push_back("x");
  std::map<std::string, int> lengths{{names.back(), 32}};
  fill<<<1, 32>>>(array<int>(lengths["x"] - !fixed));
}
