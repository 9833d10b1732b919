// Right programs: names of host functions that name something else in device code, and vice versa.
#include <names.cuh>
#define macro(x) 5
struct Big {
  double values[4];
};
Big max(Big a, Big b) { return a.values[0] > b.values[0] ? a : b; }
float dot(Big a, Big b) { return a.values[0] * b.values[0]; }
int step(int i) { return i; }
int second(int i) { return i; }
int pack(int i) { return i; }
int captured(int i) { return i; }
__device__ int grid(int i) { return i; }
struct Functor {
  __device__ Functor(int value) : value(value) {}
  __device__ int operator()(int i) const { return value + i; }
  int value;
};
template <class F> __device__ int apply(F &&step) { return step(1); }
template <class... F> __device__ int apply_all(F... pack) { return (pack(1) + ...); }
__global__ void kernel(float *x) {
  Functor step(1), second(2);
  x[0] = max(1, 2) + dot(float3(), float3()) + macro(1) + step(3) + second(4);
  auto lambda = [captured = step] { return captured(5); };
}
int main() {
  dim3 block(32), grid(2);
  kernel<<<grid, block>>>(nullptr);
  return macro(1) + step(1) + second(1) + pack(1) + captured(1);
}
