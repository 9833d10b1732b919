// Atomics, numbers of other types, and memory from kernels.
#include "parts.hpp"

#include <cstdio>
#include <cstdlib>
#include <cuda/atomic>
#include <cuda/std/cstdint>
#include <cuda/std/limits>
#include <cuda/std/type_traits>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// A compare-and-swap loop that begins with __nv_atomic_load_n, and a message by a store that the
// other block waits for.
namespace nv_atomic {
__global__ void largest(const int *in, int *most) {
  int seen = __nv_atomic_load_n(most, __NV_ATOMIC_RELAXED);
  while (seen < in[threadIdx.x]) {
    const int before = atomicCAS(most, seen, in[threadIdx.x]);
    if (before == seen)
      break;
    seen = before;
  }
}

__global__ void message(int *data, unsigned *ready, int *received) {
  if (blockIdx.x == 0) {
    *data = 42;
    __nv_atomic_store_n(ready, 1, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
  } else {
    while (!__nv_atomic_load_n(ready, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE))
      __nanosleep(100);
    *received = *data;
  }
}

bool is_right() {
  int *in = managed<int>(64), *out = managed<int>(4);
  for (int i = 0; i < 64; ++i)
    in[i] = i * 37 % 64;
  for (int i = 0; i < 4; ++i)
    out[i] = 0;
  largest<<<1, 64>>>(in, out);
  message<<<2, 1>>>(out + 1, reinterpret_cast<unsigned *>(out + 2), out + 3);
  cudaDeviceSynchronize();
  return out[0] == 63 && out[3] == 42;
}
} // namespace nv_atomic

// cuda/atomic: objects, references, and a flag; types of cuda::std.
namespace cuda_atomic {
using Counter = cuda::atomic<int, cuda::thread_scope_device>;

__global__ void count(Counter *counter, float *sum, int *largest, cuda::std::atomic<int> *done) {
  const cuda::std::int32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  cuda::atomic_ref<float, cuda::thread_scope_device>(*sum).fetch_add(0.5f);
  cuda::atomic_ref<int>(*largest).fetch_max(i, cuda::memory_order_relaxed);
  if (counter->fetch_add(1) == int(gridDim.x * blockDim.x) - 1)
    done->store(1, cuda::memory_order_release);
}

bool is_right() {
  static_assert(cuda::std::is_same_v<cuda::std::uint8_t, unsigned char>);
  struct Shared {
    Counter counter;
    cuda::std::atomic<int> done;
    float sum;
    int largest;
  } * shared;
  cudaMallocManaged(&shared, sizeof *shared);
  new (shared) Shared{{0}, {0}, 0, cuda::std::numeric_limits<int>::min()};
  count<<<4, 64>>>(&shared->counter, &shared->sum, &shared->largest, &shared->done);
  const bool ran = cudaDeviceSynchronize() == cudaSuccess;
  const bool ok = ran && shared->done.load(cuda::memory_order_acquire) == 1 &&
                  shared->counter.load() == 256 && shared->sum == 128 && shared->largest == 255;
  return ok;
}
} // namespace cuda_atomic

// Numbers that are read and written by pointers to other types: eight halves as a uint4, four
// floats as an int4.
namespace other_types {
__global__ void add(const __half *a, __half *c) {
  const int t = threadIdx.x;
  uint4 a_vector = reinterpret_cast<const uint4 *>(a)[t];
  uint4 c_vector = reinterpret_cast<const uint4 *>(c)[t];
  const __half *from = reinterpret_cast<const __half *>(&a_vector);
  __half *to = reinterpret_cast<__half *>(&c_vector);
  for (int i = 0; i < 8; ++i)
    to[i] += from[i];
  reinterpret_cast<uint4 *>(c)[t] = c_vector;
}

// Numbers that are written as floats and read as four integers, and the other way round.
__global__ void bits(float *x, int4 *seen) {
  int4 *four = reinterpret_cast<int4 *>(x);
  const int4 before = *four;
  x[0] = 2;
  *seen = *four;
  seen->w = before.x;
  const float old = x[1];
  *four = {0, 0, 0, 0};
  x[2] = x[1] + old;
}

// Reads and writes the floats of local variables one by one.
__global__ void each(const float *x, float *sum) {
  const uint4 four = reinterpret_cast<const uint4 *>(x)[threadIdx.x];
  uint4 sums;
  for (int i = 0; i < 4; ++i)
    reinterpret_cast<float *>(&sums)[i] = reinterpret_cast<const float *>(&four)[i] + 1;
  reinterpret_cast<uint4 *>(sum)[threadIdx.x] = sums;
}

bool is_right() {
  __half *a = managed<__half>(256), *c = managed<__half>(256);
  float *x = managed<float>(4);
  int4 *seen = managed<int4>(1);
  for (int i = 0; i < 256; ++i)
    a[i] = __float2half(i), c[i] = __float2half(2 * i);
  for (int i = 0; i < 4; ++i)
    x[i] = 1;
  add<<<1, 32>>>(a, c);
  bits<<<1, 1>>>(x, seen);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int i = 0; i < 256; ++i)
    wrong += __half2float(c[i]) != 3 * i;
  wrong += seen->x != 0x40000000 || seen->y != 0x3f800000 || seen->w != 0x3f800000;
  wrong += x[0] != 0 || x[1] != 0 || x[2] != 1;
  for (int i = 0; i < 4; ++i)
    x[i] = i;
  each<<<1, 1>>>(x, reinterpret_cast<float *>(seen));
  cudaDeviceSynchronize();
  for (int i = 0; i < 4; ++i)
    wrong += reinterpret_cast<float *>(seen)[i] != i + 1;
  return wrong == 0;
}
} // namespace other_types

// bfloat16 as machine learning uses it: stored, converted, added, passed on by shuffles and
// atomics.
namespace bfloat16 {
// The nearest bfloat16, ties to even: the upper half of the float's bits.
static unsigned short nearest(float value) {
  unsigned bits;
  memcpy(&bits, &value, sizeof bits);
  return (unsigned short)((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

__global__ void kernel(const float *x, unsigned short *rounded, __nv_bfloat162 *pairs,
                       __nv_bfloat16 *sum) {
  const int i = threadIdx.x;
  const __nv_bfloat16 value = __float2bfloat16(x[i]);
  rounded[i] = __bfloat16_as_ushort(value);
  const __nv_bfloat162 pair = __floats2bfloat162_rn(float(i), 0.5f);
  pairs[i] = __hfma2(pair, pair, __shfl_xor_sync(0xffffffffu, pair, 1));
  atomicAdd(sum, __float2bfloat16(i % 2 ? 2.0f : -1.0f));
}

bool is_right() {
  float *x = managed<float>(32);
  unsigned short *rounded;
  __nv_bfloat162 *pairs = managed<__nv_bfloat162>(32);
  __nv_bfloat16 *sum = managed<__nv_bfloat16>(1);
  cudaMallocManaged(&rounded, 32 * sizeof *rounded);
  for (int i = 0; i < 32; ++i)
    x[i] = ldexpf(1.0f + 0.00390625f * i, 8 * i - 120); // some are halfway between two
  *sum = 0.0f;
  kernel<<<1, 32>>>(x, rounded, pairs, sum);
  bool right = cudaDeviceSynchronize() == cudaSuccess && float(*sum) == 16;
  for (int i = 0; i < 32; ++i) {
    right = right && rounded[i] == nearest(x[i]);
    right = right && float(pairs[i].x) == float(__nv_bfloat16(float(i * i + (i ^ 1))));
    right = right && float(pairs[i].y) == 0.75f;
  }
  for (int bits = 0; bits < 0x7F80; ++bits)
    right =
        right && __bfloat16_as_ushort(float(__ushort_as_bfloat16((unsigned short)bits))) == bits;
  return right;
}
} // namespace bfloat16

// malloc, free, new and delete in kernels: objects with destructors, virtual ones among them, that
// last from one kernel to the next, and a heap that has a limit.
namespace kernel_heap {
__device__ int destroyed;

struct Shape {
  __device__ virtual int area() const = 0;
  __device__ virtual ~Shape() { atomicAdd(&destroyed, 1); }
};

struct Padding {
  int unused = 7;
};

class Rectangle : public Padding, public Shape {
public:
  __device__ Rectangle(int width, int height) : sides(new int[2]) {
    sides[0] = width;
    sides[1] = height;
  }
  __device__ ~Rectangle() { delete[] sides; }
  __device__ int area() const override { return sides[0] * sides[1]; }

private:
  Rectangle(const Rectangle &) = delete;
  Rectangle &operator=(const Rectangle &) = delete;
  int *sides;
};

struct Item {
  int value = 3;
  __host__ __device__ ~Item() { value = 0; }
};

__host__ __device__ int sum_of_items(int n) {
  Item *items = new Item[n];
  int sum = 0;
  for (int i = 0; i < n; ++i)
    sum += items[i].value;
  delete[] items;
  return sum;
}

__global__ void make(Shape **shapes, int *sums) {
  shapes[threadIdx.x] = new Rectangle(threadIdx.x, 2);
  sums[threadIdx.x] = sum_of_items(threadIdx.x);
}

__global__ void use(Shape **shapes, int *areas) {
  areas[threadIdx.x] = shapes[threadIdx.x]->area();
  delete shapes[threadIdx.x];
}

__global__ void fill_heap(int *blocks) {
  void *first = nullptr;
  while (void *block = malloc(1 << 20)) {
    *static_cast<void **>(block) = first;
    first = block;
    ++*blocks;
  }
  while (first) {
    void *const next = *static_cast<void **>(first);
    free(first);
    first = next;
  }
}

__global__ void allocate(int **memory) { *memory = static_cast<int *>(malloc(sizeof(int))); }

bool is_right() {
  size_t heap = 0;
  bool ok = cudaDeviceGetLimit(&heap, cudaLimitMallocHeapSize) == cudaSuccess && heap == 8 << 20;
  ok &= cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20) == cudaSuccess;

  constexpr int n = 64;
  Shape **shapes;
  int **memory, *numbers = managed<int>(2 * n + 1);
  cudaMalloc(&shapes, n * sizeof *shapes);
  cudaMalloc(&memory, sizeof *memory);
  numbers[2 * n] = 0;
  make<<<1, n>>>(shapes, numbers);
  use<<<1, n>>>(shapes, numbers + n);
  fill_heap<<<1, 1>>>(numbers + 2 * n);
  allocate<<<1, 1>>>(memory);
  ok &= cudaDeviceSynchronize() == cudaSuccess;
  for (int i = 0; i < n; ++i)
    ok &= numbers[i] == 3 * i && numbers[n + i] == 2 * i;
  int objects = 0;
  cudaMemcpyFromSymbol(&objects, destroyed, sizeof objects);
  ok &= objects == n && numbers[2 * n] > 8 && numbers[2 * n] <= 16 && sum_of_items(5) == 15;

  // The heap is in use: it has its size, and its memory is no business of the host's functions.
  int *block = nullptr;
  cudaMemcpy(&block, memory, sizeof block, cudaMemcpyDeviceToHost);
  ok &= block && cudaFree(block) == cudaErrorInvalidValue;
  ok &= cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20) == cudaErrorInvalidValue;

  return ok;
}
} // namespace kernel_heap

// Numbers of 8 bits (public program f8cast): conversions round to nearest; what is too large
// becomes the largest, or NaN or infinite.
namespace eight_bits {
template <class Number> bool rounds(int largest) { // by their bits
  bool right = true;
  for (int code = 0; code < largest; ++code) {
    Number low, high;
    low.__x = static_cast<unsigned char>(code);
    high.__x = static_cast<unsigned char>(code + 1);
    const float lower(low), upper(high), middle = (lower + upper) / 2;
    right = right && Number(lower).__x == code && Number(nextafterf(middle, lower)).__x == code &&
            Number(middle).__x == code + code % 2 && // a tie, to even
            Number(nextafterf(middle, upper)).__x == code + 1 &&
            Number(-upper).__x == 0x80 + code + 1;
  }
  return right;
}

bool is_right() {
  return rounds<__nv_fp8_e4m3>(0x7E) && rounds<__nv_fp8_e5m2>(0x7B) &&
         static_cast<float>(__nv_fp8_e4m3(-1e9f)) == -448 &&
         static_cast<float>(__nv_fp8_e5m2(INFINITY)) == 57344 &&
         __nv_cvt_float_to_fp8(464, __NV_NOSAT, __NV_E4M3) == 0x7E &&
         __nv_cvt_float_to_fp8(464.1f, __NV_NOSAT, __NV_E4M3) == 0x7F &&
         __nv_cvt_float_to_fp8(61439.9f, __NV_NOSAT, __NV_E5M2) == 0x7B &&
         __nv_cvt_double_to_fp8(61440, __NV_NOSAT, __NV_E5M2) == 0x7C &&
         isnan(static_cast<float>(__nv_fp8_e4m3(NAN))) &&
         isnan(static_cast<float>(__nv_fp8_e5m2(NAN)));
}
} // namespace eight_bits

int main() {
  return run_parts({{"nv_atomic", nv_atomic::is_right},
                    {"cuda_atomic", cuda_atomic::is_right},
                    {"other_types", other_types::is_right},
                    {"bfloat16", bfloat16::is_right},
                    {"eight_bits", eight_bits::is_right},
                    {"kernel_heap", kernel_heap::is_right}});
}
