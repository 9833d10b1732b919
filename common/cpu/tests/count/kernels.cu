// Kernels whose loads and stores are known; `// expect:` above each says what must be counted, in
// the words of the report.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int n = 1003;               // of lists
constexpr int M = 37, N = 21, K = 50; // of matrices: A is M x K, B is K x N
constexpr int T = 16;                 // of tiles

// expect: add global: 2006 loads of 8024 bytes, 1003 stores of 4012 bytes
// expect: add shared: 0 loads of 0 bytes, 0 stores of 0 bytes
__global__ void add(int n, const float *a, const float *b, float *c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}

// Two loads for each product: 2 M N K = 77700.
// expect: naive global: 77700 loads of 310800 bytes, 777 stores of 3108 bytes
// expect: naive shared: 0 loads of 0 bytes, 0 stores of 0 bytes
__global__ void naive(const float *A, const float *B, float *C) {
  int row = blockIdx.y * T + threadIdx.y, column = blockIdx.x * T + threadIdx.x;
  if (row >= M || column >= N)
    return;
  float sum = 0;
  for (int k = 0; k < K; ++k)
    sum += A[row * K + k] * B[k * N + column];
  C[row * N + column] = sum;
}

// Each element of A once for each of 2 columns of tiles, each of B once for each of 3 rows:
// 2 M K + 3 K N = 6850. Zeros are stored for what is outside: 3 x 2 blocks, 4 steps, 2 x 256.
// Read from the tiles: for each thread, 4 x 2 x 16.
// expect: tiled global: 6850 loads of 27400 bytes, 777 stores of 3108 bytes
// expect: tiled shared: 196608 loads of 786432 bytes, 12288 stores of 49152 bytes
__global__ void tiled(const float *A, const float *B, float *C) {
  __shared__ float a[T][T], b[T][T];
  int row = blockIdx.y * T + threadIdx.y, column = blockIdx.x * T + threadIdx.x;
  float sum = 0;
  for (int start = 0; start < K; start += T) {
    int k = start + threadIdx.x, l = start + threadIdx.y;
    a[threadIdx.y][threadIdx.x] = row < M && k < K ? A[row * K + k] : 0;
    b[threadIdx.y][threadIdx.x] = l < K && column < N ? B[l * N + column] : 0;
    __syncthreads();
    for (int i = 0; i < T; ++i)
      sum += a[threadIdx.y][i] * b[i][threadIdx.x];
    __syncthreads();
  }
  if (row < M && column < N)
    C[row * N + column] = sum;
}

// One access of 16 bytes is one.
// expect: copy4 global: 250 loads of 4000 bytes, 250 stores of 4000 bytes
__global__ void copy4(int n, const float4 *from, float4 *to) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    to[i] = from[i];
}

// The same where its parts are used.
// expect: scale4 global: 250 loads of 4000 bytes, 250 stores of 4000 bytes
__global__ void scale4(int n, const float4 *from, float4 *to) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float4 v = from[i];
    to[i] = make_float4(2 * v.x, 2 * v.y, 2 * v.z, 2 * v.w);
  }
}

// An atomic operation is a load and a store, in shared and in global memory: 1003 numbers into 4
// bins of 4 blocks, whose 16 sums go to global memory; the bins are cleared and read, too.
// expect: histogram global: 1019 loads of 4076 bytes, 16 stores of 64 bytes
// expect: histogram shared: 1019 loads of 4076 bytes, 1019 stores of 4076 bytes
__global__ void histogram(int n, const int *values, int *bins) {
  __shared__ int mine[4];
  if (threadIdx.x < 4)
    mine[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&mine[values[i] & 3], 1);
  __syncthreads();
  if (threadIdx.x < 4)
    atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

// Registers, local arrays and constant variables are neither global nor shared memory.
// expect: elsewhere global: 0 loads of 0 bytes, 256 stores of 1024 bytes
// expect: elsewhere shared: 256 loads of 2048 bytes, 256 stores of 2048 bytes
__constant__ float factors[8] = {1, 2, 3, 4, 5, 6, 7, 8};
__global__ void elsewhere(float *out) {
  extern __shared__ double place[];
  float local[8];
  for (int i = 0; i < 8; ++i)
    local[(i + threadIdx.x) % 8] = factors[i];
  place[threadIdx.x] = local[threadIdx.x % 8];
  __syncthreads();
  out[threadIdx.x] = float(place[255 - threadIdx.x]);
}

// A variable of the device lies in global memory.
// expect: of_the_program global: 256 loads of 1024 bytes, 256 stores of 1024 bytes
// expect: of_the_program shared: 0 loads of 0 bytes, 0 stores of 0 bytes
__device__ int counters[256];
__global__ void of_the_program() { counters[threadIdx.x] += 1; }

// A shuffle and a ballot touch no memory: 256 numbers become 8 sums.
// expect: warps global: 256 loads of 1024 bytes, 8 stores of 32 bytes
// expect: warps shared: 0 loads of 0 bytes, 0 stores of 0 bytes
__global__ void warps(const float *in, float *out) {
  float sum = in[threadIdx.x];
  for (int offset = 16; offset > 0; offset /= 2)
    sum += __shfl_down_sync(0xFFFFFFFF, sum, offset);
  if (threadIdx.x % 32 == 0)
    out[threadIdx.x / 32] = sum;
}

// The sum over all launches at one place.
// expect: increment global: 3 loads of 24 bytes, 3 stores of 24 bytes
// expect: increment shared: 0 loads of 0 bytes, 0 stores of 0 bytes
__global__ void increment(double *x) { *x += 1; }

// Memory of the host that a kernel uses is global memory, too, pinned or registered.
// expect: from_host global: 512 loads of 2048 bytes, 256 stores of 1024 bytes
// expect: from_host shared: 0 loads of 0 bytes, 0 stores of 0 bytes
__global__ void from_host(const float *pinned, float *registered) {
  registered[threadIdx.x] += pinned[threadIdx.x];
}

int main() {
  float *a, *b, *c;
  cudaMalloc(&a, 4096 * sizeof *a);
  cudaMalloc(&b, 4096 * sizeof *b);
  cudaMalloc(&c, 4096 * sizeof *c);
  cudaMemset(a, 0, 4096 * sizeof *a); // copies and fills are no loads and stores of a kernel
  cudaMemset(b, 0, 4096 * sizeof *b);
  const dim3 grid((N + T - 1) / T, (M + T - 1) / T), block(T, T);
  add<<<4, 256>>>(n, a, b, c);
  naive<<<grid, block>>>(a, b, c);
  tiled<<<grid, block>>>(a, b, c);
  copy4<<<1, 128>>>(n / 4, reinterpret_cast<float4 *>(a), reinterpret_cast<float4 *>(c));
  scale4<<<1, 256>>>(n / 4, reinterpret_cast<float4 *>(a), reinterpret_cast<float4 *>(c));
  histogram<<<4, 256>>>(n, reinterpret_cast<int *>(a), reinterpret_cast<int *>(b));
  elsewhere<<<1, 256, 256 * sizeof(double)>>>(c);
  of_the_program<<<1, 256>>>();
  warps<<<1, 256>>>(a, c);
  for (int i = 0; i < 3; ++i)
    increment<<<1, 1>>>(reinterpret_cast<double *>(c));
  std::vector<float> list(256);
  float *pinned, *registered;
  cudaMallocHost(&pinned, 256 * sizeof *pinned);
  cudaHostRegister(list.data(), 256 * sizeof(float), cudaHostRegisterMapped);
  cudaHostGetDevicePointer(&registered, list.data(), 0);
  cudaMemset(pinned, 0, 256 * sizeof *pinned);
  from_host<<<1, 256>>>(pinned, registered);
  const bool failed = cudaDeviceSynchronize() != cudaSuccess;
  cudaHostUnregister(list.data());
  cudaFreeHost(pinned);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
  std::puts(failed ? "FAIL" : "PASS");
  return failed;
}
