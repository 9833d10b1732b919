// A structure is copied with a member that has no value, which a kernel uses after that. The copy
// is right; the use is not. Padding, members that get a value in the copy, and copies that nobody
// uses are right.
#include "cases.hpp"

#include <cstring>

struct Body {
  float x, y, mass;
};

// Sets positions, and masses where `all`.
__global__ void placed(Body *bodies, bool all) {
  bodies[threadIdx.x].x = bodies[threadIdx.x].y = threadIdx.x;
  if (all)
    bodies[threadIdx.x].mass = 1;
}

Body *some_bodies(bool all) {
  Body *bodies = array<Body>(32);
  placed<<<1, 32>>>(bodies, all);
  return bodies;
}

__global__ void use_mass(const Body *in, float *out) {
  out[threadIdx.x] = in[threadIdx.x].x * in[threadIdx.x].mass; // @use
}

// case assigned
// expect: initcheck use
// says: copied without a value, by the write at
__global__ void assigned_to(const Body *in, Body *out) { out[threadIdx.x] = in[threadIdx.x]; }

CASE(assigned) {
  Body *in = some_bodies(fixed), *out = array<Body>(32);
  assigned_to<<<1, 32>>>(in, out);
  use_mass<<<1, 32>>>(out, array<float>(32));
}

// case through_a_local_variable
// expect: initcheck use
__global__ void moved(const Body *in, Body *out, int step) {
  Body body = in[threadIdx.x];
  body.x += step;
  body.y -= step;
  out[threadIdx.x] = body;
}

CASE(through_a_local_variable) {
  Body *in = some_bodies(fixed), *out = array<Body>(32);
  moved<<<1, 32>>>(in, out, 2);
  moved<<<1, 32>>>(out, in, 3);
  use_mass<<<1, 32>>>(in, array<float>(32));
}

// case by_value
// expect: initcheck use
__device__ __noinline__ void store(Body *to, Body body) { *to = body; }
__device__ __noinline__ Body load(const Body *from) { return *from; }
__global__ void stored(const Body *in, Body *out) {
  store(&out[threadIdx.x], load(&in[threadIdx.x]));
}

CASE(by_value) {
  Body *in = some_bodies(fixed), *out = array<Body>(32);
  stored<<<1, 32>>>(in, out);
  use_mass<<<1, 32>>>(out, array<float>(32));
}

// case in_shared_memory
// expect: initcheck mass
__global__ void forces(const Body *in, float *out) {
  __shared__ Body tile[32];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (const Body &other : tile)
    sum += other.x * other.mass; // @mass
  out[threadIdx.x] = sum;
}

CASE(in_shared_memory) { forces<<<1, 32>>>(some_bodies(fixed), array<float>(32)); }

// case from_shared_memory
// expect: initcheck use
__global__ void reversed(bool fixed, Body *out) {
  __shared__ Body tile[32];
  Body &mine = tile[threadIdx.x];
  mine.x = mine.y = threadIdx.x;
  if (fixed)
    mine.mass = 1;
  __syncthreads();
  out[threadIdx.x] = tile[31 - threadIdx.x];
}

CASE(from_shared_memory) {
  Body *out = array<Body>(32);
  reversed<<<1, 32>>>(true, array<Body>(32)); // the tile has values of another kernel
  reversed<<<1, 32>>>(fixed, out);
  use_mass<<<1, 32>>>(out, array<float>(32));
}

// case sorted
// expect: initcheck use
__global__ void sort_all(Body *bodies) {
  for (int pass = 0; pass < 32; ++pass) {
    const int i = 2 * threadIdx.x + pass % 2;
    if (i + 1 < 32 && bodies[i].x < bodies[i + 1].x) {
      const Body first = bodies[i];
      bodies[i] = bodies[i + 1];
      bodies[i + 1] = first;
    }
    __syncthreads();
  }
}

CASE(sorted) {
  Body *bodies = some_bodies(fixed);
  sort_all<<<1, 16>>>(bodies);
  use_mass<<<1, 32>>>(bodies, array<float>(32));
}

// case by_memcpy
// expect: initcheck mass
// By memcpy in a kernel, then by cudaMemcpy within the device, into a variable of the device.
__device__ Body all_bodies[32];
__global__ void taken(const Body *in, Body *out) {
  memcpy(&out[threadIdx.x], &in[threadIdx.x], sizeof(Body));
}
__global__ void after_taken(const Body *in) { all_bodies[threadIdx.x] = in[threadIdx.x]; }
__global__ void moments(float *out) {
  out[threadIdx.x] = all_bodies[threadIdx.x].x * all_bodies[threadIdx.x].mass; // @mass
}

CASE(by_memcpy) {
  Body *in = some_bodies(fixed), *out = array<Body>(32), *again = array<Body>(32);
  taken<<<1, 32>>>(in, out);
  cudaMemcpy(again, out, 32 * sizeof(Body), cudaMemcpyDeviceToDevice);
  after_taken<<<1, 32>>>(again);
  moments<<<1, 32>>>(array<float>(32));
}

// case as_a_vector
// expect: initcheck w
// Vectors of 16 bytes whose last number has no value.
__global__ void three_of_four(bool fixed, float4 *out) {
  out[threadIdx.x].x = out[threadIdx.x].y = out[threadIdx.x].z = 1;
  if (fixed)
    out[threadIdx.x].w = 1;
}
__global__ void vectors(const float4 *in, float4 *out) { out[threadIdx.x] = in[threadIdx.x]; }
__global__ void last_of_four(const float4 *in, float *out) {
  out[threadIdx.x] = in[threadIdx.x].w; // @w
}

CASE(as_a_vector) {
  float4 *in = array<float4>(32), *out = array<float4>(32);
  three_of_four<<<1, 32>>>(fixed, in);
  vectors<<<1, 32>>>(in, out);
  last_of_four<<<1, 32>>>(out, array<float>(32));
}

// case numbers_of_eight_bytes
// expect: initcheck value
struct Pair {
  long long key;
  double value;
  int next;
};
__global__ void keys(bool fixed, Pair *pairs) {
  pairs[threadIdx.x].key = pairs[threadIdx.x].next = threadIdx.x;
  if (fixed)
    pairs[threadIdx.x].value = -1;
}
__global__ void pairs_assigned(const Pair *in, Pair *out) {
  const Pair pair = in[threadIdx.x];
  out[threadIdx.x] = pair;
}
__global__ void values_of(const Pair *in, double *out) {
  out[threadIdx.x] = in[threadIdx.x].value + 1; // @value
}

CASE(numbers_of_eight_bytes) {
  Pair *in = array<Pair>(32), *out = array<Pair>(32);
  keys<<<1, 32>>>(fixed, in);
  pairs_assigned<<<1, 32>>>(in, out);
  values_of<<<1, 32>>>(out, array<double>(32));
}

// case member_set_in_the_copy
// expect: nothing
// Also with the bytes of fresh memory, 0xFF.
struct Link {
  int key, next;
};
__global__ void keys_only(Link *links) { links[threadIdx.x].key = threadIdx.x; }
__global__ void ends(const Link *in, Link *out, Link *last) {
  Link link = in[threadIdx.x];
  link.next = -1;
  out[threadIdx.x] = link;
  last[threadIdx.x] = in[threadIdx.x];
  last[threadIdx.x].next = -1;
}
__global__ void next_of(const Link *in, const Link *last, int *out) {
  out[threadIdx.x] = in[threadIdx.x].next + last[threadIdx.x].next;
}

CASE(member_set_in_the_copy) {
  Link *in = array<Link>(32), *out = array<Link>(32), *last = array<Link>(32);
  keys_only<<<1, 32>>>(in);
  ends<<<1, 32>>>(in, out, last);
  next_of<<<1, 32>>>(out, last, array<int>(32));
}

// case set_after_the_copy
// expect: nothing
// Positions are copied to and fro before the masses are known.
CASE(set_after_the_copy) {
  Body *in = some_bodies(false), *out = array<Body>(32);
  assigned_to<<<1, 32>>>(in, out);
  moved<<<1, 32>>>(out, in, 1);
  placed<<<1, 32>>>(in, true);
  use_mass<<<1, 32>>>(in, array<float>(32));
  sort_all<<<1, 16>>>(out);
  placed<<<1, 32>>>(out, true);
  use_mass<<<1, 32>>>(out, array<float>(32));
}

// case from_the_host
// expect: nothing
// Structures with padding between all members, from the host and back, whole and by members.
struct Sparse {
  char kind;
  double value;
  short count;
  float4 four;
};
__global__ void sparse(const Sparse *in, Sparse *out, Sparse *local, double *sum) {
  __shared__ Sparse tile[32];
  const int t = threadIdx.x;
  tile[t] = in[t];
  __syncthreads();
  Sparse one = tile[31 - t];
  one.value += one.kind;
  out[t] = one;
  local[t].kind = one.kind;
  local[t].value = one.value;
  local[t].count = one.count;
  local[t].four = one.four;
  Sparse other = local[t];
  other.count++;
  local[t] = other;
  sum[t] = out[t].kind + out[t].value + out[t].count + out[t].four.w + local[t].kind +
           local[t].value + local[t].count + local[t].four.x;
}

CASE(from_the_host) {
  std::vector<Sparse> host(32, Sparse{1, 2, 3, {4, 5, 6, 7}});
  Sparse *in = array<Sparse>(32), *out = array<Sparse>(32), *local = array<Sparse>(32);
  double *sum = array<double>(32);
  const std::size_t bytes = 32 * sizeof(Sparse);
  cudaMemcpy(in, host.data(), bytes, cudaMemcpyHostToDevice);
  sparse<<<1, 32>>>(in, out, local, sum);
  sparse<<<1, 32>>>(local, in, out, sum);
  cudaMemcpy(local, out, bytes, cudaMemcpyDeviceToDevice);
  cudaMemcpy(host.data(), local, bytes, cudaMemcpyDeviceToHost);
  cudaMemcpy(in, host.data(), bytes, cudaMemcpyHostToDevice);
  sparse<<<1, 32>>>(in, out, local, sum);
}
