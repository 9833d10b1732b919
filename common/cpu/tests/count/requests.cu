// Kernels whose requests are known; `// expect:` above each says what must be counted, in the words
// of the report. Blocks of 256 threads: 8 warps.
#include <cuda_runtime.h>

#include <cstdio>
#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/transform.h>

// ---- sectors of global memory ----

// expect: coalesced global: 4.00 sectors per load request (4.00 if coalesced)
// expect: coalesced global: 4.00 sectors per store request (4.00 if coalesced)
__global__ void coalesced(const float *in, float *out) { out[threadIdx.x] = in[threadIdx.x]; }

// expect: misaligned global: 5.00 sectors per load request (4.00 if coalesced)
// expect: misaligned global: 4.00 sectors per store request (4.00 if coalesced)
__global__ void misaligned(const float *in, float *out) { out[threadIdx.x] = in[threadIdx.x + 1]; }

// Any order within the warp is as good as another.
// expect: reversed global: 4.00 sectors per load request (4.00 if coalesced)
// expect: reversed global: 4.00 sectors per store request (4.00 if coalesced)
__global__ void reversed(const float *in, float *out) { out[threadIdx.x] = in[255 - threadIdx.x]; }

// expect: stride_of_2 global: 8.00 sectors per load request (4.00 if coalesced)
// expect: stride_of_2 global: 4.00 sectors per store request (4.00 if coalesced)
__global__ void stride_of_2(const float *in, float *out) { out[threadIdx.x] = in[2 * threadIdx.x]; }

// expect: stride_of_32 global: 4.00 sectors per load request (4.00 if coalesced)
// expect: stride_of_32 global: 32.00 sectors per store request (4.00 if coalesced)
__global__ void stride_of_32(const float *in, float *out) {
  out[32 * threadIdx.x] = in[threadIdx.x];
}

// expect: broadcast global: 1.00 sectors per load request (4.00 if coalesced)
// expect: broadcast global: 4.00 sectors per store request (4.00 if coalesced)
__global__ void broadcast(const float *in, float *out) { out[threadIdx.x] = in[0]; }

// expect: fours global: 16.00 sectors per load request (16.00 if coalesced)
// expect: fours global: 16.00 sectors per store request (16.00 if coalesced)
__global__ void fours(const float4 *in, float4 *out) { out[threadIdx.x] = in[threadIdx.x]; }

// expect: doubles global: 8.00 sectors per load request (8.00 if coalesced)
// expect: doubles global: 8.00 sectors per store request (8.00 if coalesced)
__global__ void doubles(const double *in, double *out) { out[threadIdx.x] = in[threadIdx.x]; }

// Three loads and three stores, each with a stride of 3 floats.
// expect: threes global: 12.00 sectors per load request (4.00 if coalesced)
// expect: threes global: 12.00 sectors per store request (4.00 if coalesced)
__global__ void threes(const float3 *in, float3 *out) { out[threadIdx.x] = in[threadIdx.x]; }

// expect: bytes global: 1.00 sectors per load request (1.00 if coalesced)
// expect: bytes global: 1.00 sectors per store request (1.00 if coalesced)
__global__ void bytes(const char *in, char *out) { out[threadIdx.x] = in[threadIdx.x]; }

// 37 of 64 threads: a request of 32 lanes, 4 sectors, and one of 5 lanes, 1 sector.
// expect: partial global: 2.50 sectors per load request (2.50 if coalesced)
// expect: partial global: 2.50 sectors per store request (2.50 if coalesced)
__global__ void partial(const float *in, float *out) {
  if (threadIdx.x < 37)
    out[threadIdx.x] = in[threadIdx.x];
}

// A warp of a block of 16 x 16 threads has two of its rows, here 64 floats apart: twice 2 sectors.
// expect: rows global: 4.00 sectors per load request (4.00 if coalesced)
// expect: rows global: 4.00 sectors per store request (4.00 if coalesced)
__global__ void rows(const float *in, float *out) {
  out[threadIdx.y * 64 + threadIdx.x] = in[threadIdx.y * 64 + threadIdx.x];
}

// Two loads of one line: the second, of a column, costs 32. (4 + 32) / 2.
// expect: two_loads global: 18.00 sectors per load request (4.00 if coalesced)
// expect: two_loads global: 4.00 sectors per store request (4.00 if coalesced)
__global__ void two_loads(const float *a, const float *b, float *out) {
  out[threadIdx.x] = a[threadIdx.x] + b[32 * threadIdx.x];
}

// Lane i goes round i + 1 times; in round k the lanes from k on are left, and ask for neighbours.
// These touch (4 + 3 + 2 + 1) x 8 = 80 sectors in 32 rounds.
// expect: rounds global: 2.50 sectors per load request (2.50 if coalesced)
// expect: rounds global: 4.00 sectors per store request (4.00 if coalesced)
__global__ void rounds(const float *in, float *out) {
  float sum = 0;
  for (unsigned k = 0; k <= threadIdx.x % 32; ++k)
    sum += in[k * 256 + threadIdx.x];
  out[threadIdx.x] = sum;
}

// Before the barrier half of the lanes load once; what they load after it is one request with the
// others, although it is their second load: (2 + 4) / 2.
// expect: intervals global: 3.00 sectors per load request (3.00 if coalesced)
// expect: intervals global: 4.00 sectors per store request (4.00 if coalesced)
__global__ void intervals(const float *in, float *out) {
  float sum = 0;
  for (unsigned k = 0; k < 2; ++k) {
    if (k == 1 || threadIdx.x % 32 < 16)
      sum += in[k * 256 + threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// The same where the lanes of a warp meet in a shuffle.
// expect: meetings global: 3.00 sectors per load request (3.00 if coalesced)
// expect: meetings global: 4.00 sectors per store request (4.00 if coalesced)
__global__ void meetings(const float *in, float *out) {
  float sum = 0;
  for (unsigned k = 0; k < 2; ++k) {
    if (k == 1 || (threadIdx.x + 8) % 32 < 16) // the first and the last ones
      sum += in[k * 256 + threadIdx.x];
    sum = __shfl_xor_sync(0xFFFFFFFF, sum, 1);
  }
  out[threadIdx.x] = sum;
}

// An atomic operation is a load and a store.
// expect: atomics global: 32.00 sectors per load request (4.00 if coalesced)
// expect: atomics global: 32.00 sectors per store request (4.00 if coalesced)
__global__ void atomics(int *out) { atomicAdd(&out[8 * threadIdx.x], 1); }

// ---- banks of shared memory ----

// Eight warps write rows, without conflicts, and read columns: 31 conflicts each.
// expect: columns shared: 248 bank conflicts in 8 load requests
// expect: columns shared: 0 bank conflicts in 8 store requests
__global__ void columns(float *out) {
  __shared__ float tile[32][32];
  tile[threadIdx.x / 32][threadIdx.x % 32] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x % 32][threadIdx.x / 32];
}

// expect: padded shared: 0 bank conflicts in 8 load requests
// expect: padded shared: 0 bank conflicts in 8 store requests
__global__ void padded(float *out) {
  __shared__ float tile[32][33];
  tile[threadIdx.x / 32][threadIdx.x % 32] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x % 32][threadIdx.x / 32];
}

// Words 2 i: two lanes share a bank. All of one word: no conflict.
// expect: two_ways shared: 8 bank conflicts in 16 load requests
// expect: two_ways shared: 0 bank conflicts in 8 store requests
__global__ void two_ways(float *out) {
  __shared__ float list[512];
  list[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = list[2 * (threadIdx.x % 128)] + list[7];
}

// Doubles are served in two halves of a warp: side by side they have no conflict, and with a stride
// of two each half has one. A float4 is served in four quarters.
// expect: wide shared: 16 bank conflicts in 24 load requests
// expect: wide shared: 0 bank conflicts in 16 store requests
__global__ void wide(double *out) {
  __shared__ double list[512];
  __shared__ float4 fours[256];
  list[threadIdx.x] = threadIdx.x;
  fours[threadIdx.x] = make_float4(1, 2, 3, threadIdx.x);
  __syncthreads();
  const float4 four = fours[255 - threadIdx.x];
  out[threadIdx.x] =
      list[255 - threadIdx.x] + list[2 * (threadIdx.x % 128)] + four.x + four.y + four.z + four.w;
}

// An algorithm of a library is one thread here: 32 elements that follow each other are a warp.

// expect: thrust::transform global: 4.00 sectors per load request (4.00 if coalesced)
// expect: thrust::transform global: 4.00 sectors per store request (4.00 if coalesced)
// expect: thrust::for_each global: 32.00 sectors per store request (4.00 if coalesced)
struct SetEveryEighth {
  float *out;
  __device__ void operator()(int i) const { out[8 * i] = i; }
};
void with_thrust(const float *in, float *out) {
  thrust::transform(thrust::device, in, in + 1024, out, thrust::negate<float>());
  const thrust::counting_iterator<int> numbers(0);
  thrust::for_each(thrust::device, numbers, numbers + 1024, SetEveryEighth{out});
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 65536);
  cudaMalloc(&out, 65536);
  cudaMemset(in, 0, 65536);
  cudaMemset(out, 0, 65536);
  coalesced<<<2, 256>>>(in, out);
  misaligned<<<1, 256>>>(in, out);
  reversed<<<1, 256>>>(in, out);
  stride_of_2<<<1, 256>>>(in, out);
  stride_of_32<<<1, 256>>>(in, out);
  broadcast<<<1, 256>>>(in, out);
  fours<<<1, 256>>>(reinterpret_cast<float4 *>(in), reinterpret_cast<float4 *>(out));
  doubles<<<1, 256>>>(reinterpret_cast<double *>(in), reinterpret_cast<double *>(out));
  threes<<<1, 256>>>(reinterpret_cast<float3 *>(in), reinterpret_cast<float3 *>(out));
  bytes<<<1, 256>>>(reinterpret_cast<char *>(in), reinterpret_cast<char *>(out));
  partial<<<1, 64>>>(in, out);
  rows<<<1, dim3(16, 16)>>>(in, out);
  two_loads<<<1, 256>>>(in, in, out);
  rounds<<<1, 256>>>(in, out);
  intervals<<<1, 256>>>(in, out);
  meetings<<<1, 256>>>(in, out);
  atomics<<<1, 256>>>(reinterpret_cast<int *>(out));
  columns<<<1, 256>>>(out);
  padded<<<1, 256>>>(out);
  two_ways<<<1, 256>>>(out);
  wide<<<1, 256>>>(reinterpret_cast<double *>(out));
  with_thrust(in, out);
  const bool failed = cudaDeviceSynchronize() != cudaSuccess;
  cudaFree(in);
  cudaFree(out);
  std::puts(failed ? "FAIL" : "PASS");
  return failed;
}
