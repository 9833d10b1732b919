#include <cstdio>
#include <string>
#include <utility>
#include <vector>

void check(cudaError_t status);
#define CUDA_CHECK(call) check((call))

struct Spot {
  float value;
  int at;
};
Spot hotter(Spot a, Spot b);
__global__ void tuples(float *x, int n, int m) {
  __shared__ float tile[32][33];
  tile[n, m] = x[0];
  dim3 grid = (n, m);
  Spot spot = hotter({0, 0}, (n, m));
  int a, b = 1, 2;
}
__global__ void no_member(float *x, int n) {
  const int block = blockIdx;
  if (threadIdx < n)
    x[blockIdx.x * blockDim + threadIdx.x] = block;
  syncthreads();
  __syncthreads;
}
int scope(int n) {
  for (int i = 0; i < n; ++i)
    int sector = i / 8;
    n += sector;
  float64 first = 0;
  return n + int(first);
}
int division(int trip, int saved) {
  int crossing = trip // saved;
  (void)trip, (void)saved;
  return 0;
}
int operators(int n, std::vector<int> v) {
  if (n = 3)
    return 1;
  if (0 <= n < 4)
    return 2;
  if (n in v)
    return 3;
  if (n is 1)
    return 4;
  for (int x in v)
    return 5;
  return v.size;
}
void texts(int n, const char *s) {
  printf(f"n = {n}");
  printf('text');
  if (s == "a")
    n = 2;
  string t = "a";
}
void lists() {
  int x[3] = [1, 2, 3];
  std::vector<int> zeros = [0] * 8;
}
void calls(const float *x, float *d_x, int device) {
  const int count = 0;
  count = 1;
  cudaMemcpy(x, d_x, 4, cudaMemcpyDeviceToHost);
  CUDA_CHECK(cudaSetDevice(device););
  CUDA_CHECK(cudaGetLastError);
}
