// Lanes add what their partners have: two of them read, in one statement, what the other one
// writes.
#include <cstdio>

inline __device__ float3 &operator+=(float3 &a, float3 b) {
  a.x += b.x, a.y += b.y, a.z += b.z;
  return a;
}

inline __device__ void sums_of_16(float3 *sums) {
  const int t = threadIdx.x;
  sums[t] += sums[t ^ 8];
  __syncthreads();
  sums[t] += sums[t ^ 4];
  __syncthreads();
  sums[t] += sums[t ^ 2];
  __syncthreads();
  sums[t] += sums[t ^ 1];
}

__global__ void sums(float3 *out) {
  __shared__ float3 s[64];
  s[threadIdx.x] = make_float3(threadIdx.x, 1, 2);
  __syncthreads();
  sums_of_16(s);
  out[threadIdx.x] = s[threadIdx.x];
}

__global__ void maximum(int *values) {
  const int t = threadIdx.x;
  for (int distance = 1; distance < 32; distance *= 2)
    values[t] = max(values[t], values[t ^ distance]);
}

__global__ void pairs(int2 *values) {
  const int t = threadIdx.x;
  values[t] = {values[t ^ 1].x, t};
}

// The same statement where no two lanes meet: in the compiler, and in a class of its own.
__device__ constexpr int sum_of_pair(int i) {
  int v[2] = {3, 4};
  v[i] += v[i ^ 1];
  return v[i];
}
struct Element {
  int *place;
  __device__ Element &operator=(int value) {
    *place = value;
    return *this;
  }
  __device__ operator int() const { return *place; }
};
struct View {
  int *data;
  __device__ Element operator[](int i) const { return {data + i}; }
};

__global__ void alone(View v) {
  constexpr int sum = sum_of_pair(1);
  const int t = 1;
  v[t] = v[t ^ 1] + sum;
}

int main() {
  float3 *out;
  int *values, wrong = 0;
  cudaMallocManaged(&out, 64 * sizeof *out);
  cudaMallocManaged(&values, 32 * sizeof *values);
  sums<<<1, 64>>>(out);
  for (int i = 0; i < 32; ++i)
    values[i] = i * 13 % 32;
  maximum<<<1, 32>>>(values);
  cudaDeviceSynchronize();
  for (int i = 0; i < 64; ++i) // 16 numbers in a row
    wrong += out[i].x != 16 * (i / 16 * 16) + 120 || out[i].y != 16 || out[i].z != 32;
  for (int i = 0; i < 32; ++i)
    wrong += values[i] != 31;

  int2 *two;
  cudaMallocManaged(&two, 32 * sizeof *two);
  for (int i = 0; i < 32; ++i)
    two[i] = {i, 0};
  pairs<<<1, 32>>>(two);
  alone<<<1, 1>>>(View{values});
  cudaDeviceSynchronize();
  for (int i = 0; i < 32; ++i)
    wrong += two[i].x != (i ^ 1) || two[i].y != i;
  wrong += values[1] != 31 + 7;
  std::puts(wrong == 0 ? "PASS" : "FAIL");
  return wrong != 0;
}
