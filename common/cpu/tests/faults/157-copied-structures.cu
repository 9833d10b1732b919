// Structures with members that nobody set. A copy takes these along, and is no fault; reading one
// of them is, wherever it was copied to.
#include "cases.hpp"

struct Body {
  float x, y, z, mass;
};
struct Pair {
  int a, b;
};
struct Record {
  int number;
  float values[10];
  double weight;
};

template <class T> __global__ void copied(const T *from, T *to) {
  to[threadIdx.x] = from[threadIdx.x];
}

// case local_structure
// expect: initcheck b
__global__ void pairs(bool fixed, Pair *out) {
  Pair pair;
  pair.a = threadIdx.x;
  if (fixed)
    pair.b = 0;
  out[threadIdx.x] = pair;
}

__global__ void both(const Pair *pairs, int *out) {
  out[threadIdx.x] = pairs[threadIdx.x].a + pairs[threadIdx.x].b; // @b
}

CASE(local_structure) {
  Pair *pair = array<Pair>(32);
  pairs<<<1, 32>>>(fixed, pair);
  both<<<1, 32>>>(pair, array<int>(32));
}

// case local_vector
// expect: initcheck w
__global__ void vectors(bool fixed, float4 *out) {
  float4 v;
  v.x = v.y = v.z = threadIdx.x;
  if (fixed)
    v.w = 0;
  out[threadIdx.x] = v;
}

__global__ void last(const float4 *in, float *out) {
  out[threadIdx.x] = in[threadIdx.x].w; // @w
}

CASE(local_vector) {
  float4 *v = array<float4>(32);
  vectors<<<1, 32>>>(fixed, v);
  last<<<1, 32>>>(v, array<float>(32));
}

// case local_structure_in_shared_memory
// expect: initcheck neighbour
__global__ void exchanged(bool fixed, float *out) {
  __shared__ Body tile[32];
  Body body;
  body.x = body.y = body.z = threadIdx.x;
  if (fixed)
    body.mass = 1;
  tile[threadIdx.x] = body;
  __syncthreads();
  out[threadIdx.x] = tile[31 - threadIdx.x].mass; // @neighbour
}

CASE(local_structure_in_shared_memory) { exchanged<<<1, 32>>>(fixed, array<float>(32)); }

// case local_structure_with_a_double
// expect: initcheck weight
__global__ void records(bool fixed, Record *out) {
  Record record;
  record.number = threadIdx.x;
  for (float &value : record.values)
    value = 1;
  if (fixed)
    record.weight = 1;
  out[threadIdx.x] = record;
}

__global__ void weights(const Record *in, double *out) {
  out[threadIdx.x] = 2 * in[threadIdx.x].weight; // @weight
}

CASE(local_structure_with_a_double) {
  Record *record = array<Record>(32), *copy = array<Record>(32);
  records<<<1, 32>>>(fixed, record);
  cudaMemcpy(copy, record, 32 * sizeof *copy, cudaMemcpyDeviceToDevice);
  weights<<<1, 32>>>(copy, array<double>(32));
}

// case copy_of_a_structure
// expect: initcheck mass
// A member without a value in device memory, copied by a kernel.
__global__ void placed(bool fixed, Body *bodies) {
  Body &body = bodies[threadIdx.x];
  body.x = body.y = body.z = threadIdx.x;
  if (fixed)
    body.mass = 1;
}

__global__ void masses(const Body *bodies, float *out) {
  out[threadIdx.x] = bodies[threadIdx.x].mass; // @mass
}

CASE(copy_of_a_structure) {
  Body *from = array<Body>(32), *to = array<Body>(32);
  placed<<<1, 32>>>(fixed, from);
  copied<<<1, 32>>>(from, to);
  masses<<<1, 32>>>(to, array<float>(32));
}

// case copy_of_managed_structures
// expect: initcheck count
__global__ void counts(const Record *records, int *out) {
  out[threadIdx.x] = records[threadIdx.x].number; // @count
}

CASE(copy_of_managed_structures) {
  Record *from, *to = array<Record>(8);
  cudaMallocManaged(&from, 8 * sizeof *from);
  for (int i = 0; i < 8; ++i) {
    from[i].weight = i;
    if (fixed)
      from[i].number = i;
  }
  copied<<<1, 8>>>(from, to);
  counts<<<1, 8>>>(to, array<int>(8));
  cudaDeviceSynchronize();
  cudaFree(from);
}

// case computed_from_a_copy
// expect: initcheck whole
// The local copy's member is used: the result tells so.
__global__ void moments(const Body *bodies, float *out) {
  const Body body = bodies[threadIdx.x]; // @whole
  out[threadIdx.x] = body.x * body.mass + 1;
}

CASE(computed_from_a_copy) {
  Body *bodies = array<Body>(32);
  float *out = array<float>(32), host[32];
  placed<<<1, 32>>>(fixed, bodies);
  moments<<<1, 32>>>(bodies, out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
}

// case summed_from_a_copy
// expect: initcheck each
// The next kernel reads the results.
__global__ void weighted(const Record *records, double *out) {
  const Record record = records[threadIdx.x];
  out[threadIdx.x] = record.weight / 2;
}

__global__ void total(double *values) {
  for (int i = 1; i < 8; ++i)
    values[0] += values[i]; // @each
}

__global__ void numbered(bool fixed, Record *records) {
  records[threadIdx.x].number = threadIdx.x;
  if (fixed)
    records[threadIdx.x].weight = 1;
}

CASE(summed_from_a_copy) {
  Record *records = array<Record>(8);
  double *out = array<double>(8);
  numbered<<<1, 8>>>(fixed, records);
  weighted<<<1, 8>>>(records, out);
  total<<<1, 1>>>(out);
}

// case copied_and_not_read
// expect: nothing
// Members without a value are copied to and fro, and into local variables; nothing reads them.
__global__ void positions(const Body *bodies, const Record *records, const float4 *v, float *out) {
  const Body body = bodies[threadIdx.x];
  const float4 one = v[threadIdx.x];
  out[threadIdx.x] = body.x + body.y + body.z + records[threadIdx.x].number + one.x + one.y + one.z;
}

CASE(copied_and_not_read) {
  Body *bodies = array<Body>(32), *others = array<Body>(32);
  Record *record = array<Record>(32), *copy = array<Record>(32);
  float4 *v = array<float4>(32);
  float *out = array<float>(32), host[32];
  placed<<<1, 32>>>(false, bodies);
  copied<<<1, 32>>>(bodies, others);
  records<<<1, 32>>>(false, record);
  copied<<<1, 32>>>(record, copy);
  vectors<<<1, 32>>>(false, v);
  positions<<<1, 32>>>(others, copy, v, out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
}

// case set_after_the_copy
// expect: nothing
__global__ void set_masses(Body *bodies) { bodies[threadIdx.x].mass = 1; }

CASE(set_after_the_copy) {
  Body *from = array<Body>(32), *to = array<Body>(32);
  placed<<<1, 32>>>(false, from);
  copied<<<1, 32>>>(from, to);
  set_masses<<<1, 32>>>(from);
  set_masses<<<1, 32>>>(to);
  masses<<<1, 32>>>(from, array<float>(32));
  moments<<<1, 32>>>(to, array<float>(32));
}

// case bytes_of_the_program
// expect: nothing
// An image whose pixels are all 254, copied 16 bytes at a time.
__global__ void inverted(const uchar4 *in, uchar4 *out) {
  const uchar4 p = in[threadIdx.x];
  out[threadIdx.x] = make_uchar4(255 - p.x, 255 - p.y, 255 - p.z, 255 - p.w);
}

CASE(bytes_of_the_program) {
  uchar4 *image = array<uchar4>(128, 254), *copy = array<uchar4>(128);
  copied<<<1, 32>>>(reinterpret_cast<uint4 *>(image), reinterpret_cast<uint4 *>(copy));
  inverted<<<1, 128>>>(copy, array<uchar4>(128));
}
