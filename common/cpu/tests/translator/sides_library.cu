// What nvcc refuses of C's, C++'s and CUDA's own functions, and names in namespaces.
using namespace std;
namespace own {
float host(float x) { return x; }
template <class T> __global__ void kernel(T *x) {}
}
float square(float x) { return x * x; }
float distance(float x) { return x; }
__device__ float swap(float x) { return x; }
__global__ __device__ void both(float *x) {}
__global__ void variadic(int n, ...) {}
template <class... A> __global__ void pack(A... a) {}
__global__ void library(float *x) {
  x[0] = own::host(1) + square(2) + distance(3) + other::host(4);
  std::sort(x, x + 3);
  fprintf(stderr, "%f\n", x[0]);
  x[0] = rand();
  try {
    throw 1;
  } catch (...) {
  }
}
int main() {
  int n = 0;
  double library = swap(1);
  std::cout << library << n;
  own::kernel<float>(nullptr);
  own::kernel<float><<<1, 1>>>(nullptr);
  atomicAdd(&n, 1);
  return __shfl_sync(~0u, n, 0);
}
#ifdef __CUDACC__
#define DEVICE __device__
__device__ float first(float x) {
#else
float first(float x) {
  n = square(1) + library(2);
#endif
  return x + threadIdx.x;
}
#ifdef OTHER
int second() { return 1; }
#else
__device__ int second() { return threadIdx.x; }
#endif
