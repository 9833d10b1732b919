// Device code that is a file's own, and __CUDA_ARCH__ in it.
__constant__ float table[4] = {1, 2, 3, 4};
__device__ __managed__ int counter;
static __device__ int kept;
extern __device__ int of_another_file;
__device__ float f(float x);
__device__ float f(float x) { return x; }
__host__ __device__ float both() { return __CUDA_ARCH__; }
template <class T> __device__ T generic(T x) { return x; }
inline __device__ int architecture() {
#if __CUDA_ARCH__ >= 700
  return __CUDA_ARCH__;
#endif
}
struct Friendly {
  friend __device__ float known(Friendly f);
};
__device__ float known(Friendly f) { return 1; }
namespace inner {
struct S {
  __device__ float member() const { return 1; }
  float of_host() { return 2; }
};
__device__ S object{}; __device__ S first(1), second = {2};
__device__ S *pointer() { return &object; }
} // namespace inner
