// Reads of memory without a value, and right programs close to them.
#include "cases.hpp"

#include <algorithm>
#include <new>

// case byte_of_a_word
// expect: initcheck read
// One byte of each word is written, and the whole word read.
__global__ void flags(bool fixed, unsigned char *bytes) {
  const int t = threadIdx.x;
  for (int i = 0; i < (fixed ? 4 : 1); ++i)
    bytes[4 * t + i] = i;
}

__global__ void words(const unsigned *in, unsigned *out) {
  out[threadIdx.x] = in[threadIdx.x]; // @read
}

CASE(byte_of_a_word) {
  unsigned *a = array<unsigned>(32), *out = array<unsigned>(32);
  flags<<<1, 32>>>(fixed, reinterpret_cast<unsigned char *>(a));
  words<<<1, 32>>>(a, out);
}

// case half_of_a_double
// expect: initcheck sum
// Floats are written where doubles are read: half as many bytes.
__global__ void as_floats(bool fixed, float *a) {
  if (threadIdx.x < (fixed ? 64 : 63))
    a[threadIdx.x] = 0;
}

__global__ void as_doubles(const double *in, double *out) {
  out[threadIdx.x] = in[threadIdx.x] + 1; // @sum
}

CASE(half_of_a_double) {
  double *a = array<double>(32), *out = array<double>(32);
  as_floats<<<1, 64>>>(fixed, reinterpret_cast<float *>(a));
  as_doubles<<<1, 32>>>(a, out);
}

// case second_of_two_shorts
// expect: initcheck second
// Of each pair of 16-bit numbers only the first is written.
__global__ void first_only(bool fixed, short2 *a) {
  a[threadIdx.x].x = 1;
  if (fixed)
    a[threadIdx.x].y = 2;
}

__global__ void second_too(const short2 *a, int *out) {
  out[threadIdx.x] = a[threadIdx.x].y; // @second
}

CASE(second_of_two_shorts) {
  short2 *a = array<short2>(32);
  int *out = array<int>(32);
  first_only<<<1, 32>>>(fixed, a);
  second_too<<<1, 32>>>(a, out);
}

// case member_without_a_value
// expect: initcheck mass
// A kernel sets positions; another one also reads the masses.
struct Body {
  float x, mass;
};

__global__ void placed(bool fixed, Body *bodies) {
  bodies[threadIdx.x].x = threadIdx.x;
  if (fixed)
    bodies[threadIdx.x].mass = 1;
}

__global__ void moments(const Body *bodies, float *out) {
  const float x = bodies[threadIdx.x].x;
  out[threadIdx.x] = x * bodies[threadIdx.x].mass; // @mass
}

CASE(member_without_a_value) {
  Body *bodies = array<Body>(32);
  float *out = array<float>(32);
  placed<<<1, 32>>>(fixed, bodies);
  moments<<<1, 32>>>(bodies, out);
}

// case padding_is_copied
// expect: nothing
// Members have values; the bytes between them have none, and copying the whole reads them.
struct Padded {
  char kind;
  double value;
};

__global__ void members_set(Padded *a) {
  a[threadIdx.x].kind = 1;
  a[threadIdx.x].value = 2;
}

__global__ void copied(const Padded *from, Padded *to) {
  const Padded one = from[threadIdx.x];
  to[threadIdx.x] = one;
}

__global__ void members_read(const Padded *a, double *out) {
  out[threadIdx.x] = a[threadIdx.x].value + a[threadIdx.x].kind;
}

CASE(padding_is_copied) {
  Padded *a = array<Padded>(32), *b = array<Padded>(32);
  double *out = array<double>(32);
  members_set<<<1, 32>>>(a);
  copied<<<1, 32>>>(a, b);
  members_read<<<1, 32>>>(b, out);
}

// case padding_in_shared_memory
// expect: nothing
// The same in shared memory, with a structure of bytes and words.
struct Entry {
  int key;
  short count;
};

__global__ void entries(const int *in, int *out) {
  __shared__ Entry s[64];
  const int t = threadIdx.x;
  s[t].key = in[t];
  s[t].count = t;
  __syncthreads();
  const Entry other = s[63 - t];
  __syncthreads();
  s[t] = other;
  __syncthreads();
  out[t] = s[t].key + s[t].count;
}

CASE(padding_in_shared_memory) { entries<<<1, 64>>>(array<int>(64, 0), array<int>(64)); }

// case objects_with_virtual_functions
// expect: initcheck area
// A constructor sets what its object needs to be called, but not all of its members.
struct Shape {
  float width;
  __device__ explicit Shape(float w) : width(w) {}
  __device__ virtual float area() const { return 0; }
};

struct Square : Shape {
  float height;
  __device__ Square(float w, bool fixed) : Shape(w) {
    if (fixed)
      height = w;
  }
  __device__ float area() const override { return width * height; } // @area
};

__global__ void built(bool fixed, Square *memory) {
  new (&memory[threadIdx.x]) Square(threadIdx.x, fixed);
}

__global__ void called(const Square *squares, float *out) {
  const Shape *shape = &squares[threadIdx.x];
  out[threadIdx.x] = shape->area();
}

CASE(objects_with_virtual_functions) {
  Square *squares = array<Square>(32);
  float *out = array<float>(32);
  built<<<1, 32>>>(fixed, squares);
  called<<<1, 32>>>(squares, out);
}

// case bytes_for_elements
// expect: initcheck sum
// A copy takes the number of elements for the number of bytes.
__global__ void added(const float *in, float *out) {
  out[threadIdx.x] = in[threadIdx.x] + 1; // @sum
}

CASE(bytes_for_elements) {
  float *in = array<float>(64), *out = array<float>(64);
  const std::vector<float> host(64);
  cudaMemcpy(in, host.data(), 64 * (fixed ? sizeof(float) : 1), cudaMemcpyHostToDevice);
  added<<<1, 64>>>(in, out);
}

// case sizeof_of_another_type
// expect: initcheck add
// Counters of 64 bits are zeroed as if they had 32.
__global__ void totals(const int *in, unsigned long long *sums) {
  atomicAdd(&sums[threadIdx.x % 16], static_cast<unsigned long long>(in[threadIdx.x])); // @add
}

CASE(sizeof_of_another_type) {
  int *in = array<int>(64, 0);
  auto *sums = array<unsigned long long>(16);
  cudaMemset(sums, 0, 16 * (fixed ? sizeof *sums : sizeof(int)));
  totals<<<1, 64>>>(in, sums);
}

// case lower_triangle
// expect: initcheck row
// A kernel writes the lower triangle of a matrix, another reads whole rows.
__global__ void lower(bool fixed, float *a) {
  const int x = threadIdx.x, y = threadIdx.y;
  if (x <= y)
    a[16 * y + x] = 1;
  else if (fixed)
    a[16 * y + x] = 0;
}

__global__ void row_sums(const float *a, float *out) {
  float sum = 0;
  for (int x = 0; x < 16; ++x)
    sum += a[16 * threadIdx.x + x]; // @row
  out[threadIdx.x] = sum;
}

CASE(lower_triangle) {
  float *a = array<float>(256), *out = array<float>(16);
  lower<<<1, dim3(16, 16)>>>(fixed, a);
  row_sums<<<1, 16>>>(a, out);
}

// case corners_of_the_halo
// expect: initcheck sum
// The sides of a tile's halo are loaded, its corners are not; the stencil has nine points.
__global__ void nine_points(bool fixed, const float *in, float *out) {
  __shared__ float s[10][10];
  const int x = threadIdx.x, y = threadIdx.y;
  s[y + 1][x + 1] = in[8 * y + x];
  if (y == 0)
    s[0][x + 1] = s[9][x + 1] = 0;
  if (x == 0)
    s[y + 1][0] = s[y + 1][9] = 0;
  if (fixed && x == 0 && y == 0)
    s[0][0] = s[0][9] = s[9][0] = s[9][9] = 0;
  __syncthreads();
  float sum = 0;
  for (int dy = 0; dy < 3; ++dy)
    for (int dx = 0; dx < 3; ++dx)
      sum += s[y + dy][x + dx]; // @sum
  out[8 * y + x] = sum;
}

CASE(corners_of_the_halo) {
  nine_points<<<1, dim3(8, 8)>>>(fixed, array<float>(64, 0), array<float>(64));
}

// case even_elements
// expect: initcheck odd
// Only the even elements of an array of bytes are written.
__global__ void even(bool fixed, bool *keep) {
  const int t = threadIdx.x;
  if (fixed || t % 2 == 0)
    keep[t] = true;
}

__global__ void kept(const bool *keep, int *out) {
  out[threadIdx.x] = keep[threadIdx.x]; // @odd
}

CASE(even_elements) {
  bool *keep = array<bool>(64);
  int *out = array<int>(64);
  even<<<1, 64>>>(fixed, keep);
  kept<<<1, 64>>>(keep, out);
}

// case maximum_of_nothing
// expect: initcheck max
// The variable of a maximum has no value to begin with.
__global__ void maximum(const int *in, int *most) {
  atomicMax(most, in[threadIdx.x]); // @max
}

CASE(maximum_of_nothing) {
  int *in = array<int>(64, 0), *most = array<int>(1);
  if (fixed)
    cudaMemset(most, 0x80, sizeof(int));
  maximum<<<1, 64>>>(in, most);
}

// case columns_of_the_pitch
// expect: initcheck read
// Rows are copied into an array with a pitch; a kernel reads the columns behind them, too.
__global__ void wide(const unsigned char *a, size_t pitch, int columns, int *out) {
  int sum = 0;
  for (int x = 0; x < columns; ++x)
    sum += a[threadIdx.x * pitch + x]; // @read
  out[threadIdx.x] = sum;
}

CASE(columns_of_the_pitch) {
  void *a = nullptr;
  size_t pitch = 0;
  const std::vector<unsigned char> host(30 * 8);
  cudaMallocPitch(&a, &pitch, 30, 8);
  cudaMemcpy2D(a, pitch, host.data(), 30, 30, 8, cudaMemcpyHostToDevice);
  int *out = array<int>(8);
  wide<<<1, 8>>>(static_cast<unsigned char *>(a), pitch, fixed ? 30 : 32, out);
  cudaDeviceSynchronize();
  cudaFree(a);
}

// case bits_and_bytes
// expect: nothing
// Words are put together from bytes, and a structure from its parts, each with a value.
__global__ void put_together(const int *in, unsigned *out) {
  __shared__ unsigned s[32];
  auto *bytes = reinterpret_cast<unsigned char *>(s);
  const int t = threadIdx.x;
  for (int i = 0; i < 4; ++i)
    bytes[32 * i + t] = in[t] >> 8 * i;
  __syncthreads();
  out[t] = s[t];
}

CASE(bits_and_bytes) { put_together<<<1, 32>>>(array<int>(32, 0), array<unsigned>(32)); }

// case managed_sum
// expect: initcheck sum
// A sum in managed memory begins with what was there.
__global__ void add_up(const int *in, int *sum) {
  atomicAdd(sum, in[threadIdx.x]); // @sum
}

CASE(managed_sum) {
  int *sum = managed<int>(1);
  if (fixed)
    *sum = 0;
  add_up<<<1, 64>>>(array<int>(64, 0), sum);
}

// case managed_memory_of_the_host
// expect: nothing
// Managed memory gets its values from host code, some of it in a library.
__global__ void sums(const int *a, const int *b, const int *c, int *out) {
  out[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x] + c[threadIdx.x];
}

CASE(managed_memory_of_the_host) {
  int *values = managed<int>(3 * 64);
  for (int i = 0; i < 64; ++i)
    values[i] = -1;
  std::fill(values + 64, values + 128, -1);
  if (std::FILE *zeros = std::fopen("/dev/zero", "rb")) {
    (void)!std::fread(values + 128, sizeof(int), 64, zeros);
    std::fclose(zeros);
  }
  sums<<<1, 64>>>(values, values + 64, values + 128, array<int>(64));
}
