//// member_host_outside
class P { public: float x; float norm(); };
float P::norm() { return x * x; }
__global__ void k(P p, float *y) { *y = p.norm(); } // expected-error:
//// member_device_only_outside
struct P { float x; float norm() const; };
__device__ float P::norm() const { return x * x; }
__global__ void k(P p, float *y) { *y = p.norm(); }
//// member_host_constructor_array
struct P { float x; P() { x = 1; } };
__global__ void k(float *y) { P p[4]; *y = p[1].x; } // expected-error:
//// host_function_in_host_device
int f(int x) { return x; }
__host__ __device__ int g(int x) { return f(x); }
__global__ void k(int *x) { x[0] = g(1) + sizeof(f(1)); }
//// host_code_after_branch
void f();
__global__ void k() {
  if constexpr (true) {}
  f(); // expected-error:
}
int main() { k<<<1, 1>>>(); }
//// host_code_in_branch_not_taken
void f();
template <bool is_host> __global__ void k(int *x) { if constexpr (is_host) f(); else x[0] = 1; }
__global__ void j() { if constexpr (false) { f(); } }
int main() { k<false><<<1, 1>>>(nullptr); j<<<1, 1>>>(); }
//// host_branch_of_device_code
#include <vector>
struct S { int a; __device__ int f() const { return a; } };
__device__ int g() {
#ifdef __CUDA_ARCH__
  return 1;
#else
  std::vector<int> v(3);
  return int(v.size());
#endif
}
__host__ __device__ int h(const S &s) {
#ifdef __CUDA_ARCH__
  return s.f();
#else
  return s.a;
#endif
}
__global__ void k(int *x, S s) { *x = g() + h(s); }
int main() { k<<<1, 1>>>(nullptr, S{1}); return h(S{1}); }
//// member_group
#include <cooperative_groups.h>
struct Timer { void sync() {} int size() { return 3; } };
__global__ void k(int *x) { auto block = cooperative_groups::this_thread_block(); block.sync(); x[0] = block.size(); }
int main() { Timer t; t.sync(); return t.size(); }
//// api_of_the_host
__global__ void k(int *x) { cudaEvent_t e; cudaEventCreate(&e); x[0] = 1; } // expected-error:
//// lambda_for_the_library
#include <algorithm>
__device__ int f(int x) { return x; }
int main() { int a[2]; std::for_each(a, a + 2, [](int &x) { x = f(x); }); } // expected-error:
//// device_constructor_in_host
struct S { int v; __device__ S(int x) : v(x) {} };
int main() { S s(3); return s.v; } // expected-error:
//// global_compared
int count;
__global__ void k(int *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) x[i] = 1; // expected-error:
}
//// dynamic_initializer
float scale() { return 2; }
__device__ float factor = scale(); // expected-error:
//// initializer_of_the_compiler
constexpr float half(float x) { return x / 2; }
struct Q { float x; };
__device__ float a = half(3) + sizeof(Q), b[] = {1, 2, 3}, *c = b;
__device__ Q q = {4}, r[2];
__device__ const char *text = "abc";
__constant__ int big = 1 << 20;
