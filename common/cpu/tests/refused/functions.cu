//// launch_of_device_function
__device__ void f(int *x) { x[0] = 1; }
int main() { f<<<1, 1>>>(0); } // expected-error: f is not a kernel
//// launch_of_kernel_template -rdc=true
template <int N> __global__ void a(int *x, int depth) {
  if (depth > 0)
    a<N><<<1, 1>>>(x, depth - 1);
}
__global__ void b(int *x, int depth) {
  if (depth > 0)
    b<<<1, 1>>>(x, depth - 1);
}
int main() { a<3><<<1, 1>>>(nullptr, 3); b<<<1, 1>>>(nullptr, 3); }
//// dynamic_cast_in_kernel
struct A { __device__ virtual void f() {} };
struct B : A { int v; };
__global__ void k(A *a, int *x) { if (B *b = dynamic_cast<B *>(a)) x[0] = b->v; } // expected-error: device code has no dynamic_cast
//// throw_once
#include <stdexcept>
__global__ void k(int *a) { if (a[0]) throw std::runtime_error("x"); } // expected-error: device code has no exceptions
int main() {}
//// lambda_argument
template <class F> __global__ void k(F f, int *x) { x[0] = f(1); }
int main() { int *x = 0; k<<<1, 1>>>([=](int i) { return i; }, x); } // expected-error: a kernel cannot call a lambda of host code
//// lambda_variable_flag --extended-lambda
template <class F> __global__ void k(F f, int *x) { x[0] = f(1); }
int main() { int *x = 0; auto g = [=](int i) { return i; }; k<<<1, 1>>>(g, x); } // expected-error: a kernel cannot call a lambda of host code
//// lambda_host_device_flag --expt-extended-lambda
template <class F> __global__ void k(F f, int *x) { x[0] = f(1); }
int main() { int *x = 0; auto g = [=] __host__ __device__(int i) { return i; }; k<<<1, 1>>>(g, x); return g(1); }
//// lambda_as_pointer
__global__ void k(int (*f)(int), int *x) { x[0] = f(1); }
int main() { k<<<1, 1>>>([](int i) { return i; }, nullptr); }
//// member_host_outside
class P { public: float x; float norm(); };
float P::norm() { return x * x; }
__global__ void k(P p, float *y) { *y = p.norm(); } // expected-error: norm is a host function
//// member_device_only_outside
struct P { float x; float norm() const; };
__device__ float P::norm() const { return x * x; }
__global__ void k(P p, float *y) { *y = p.norm(); }
//// member_host_call_operator
struct F { int operator()(int i) const { return i; } };
__global__ void k(F f, int *x) { x[0] = f(1); } // expected-error: this operator is host code
//// member_host_constructor_array
struct P { float x; P() { x = 1; } };
__global__ void k(float *y) { P p[4]; *y = p[1].x; } // expected-error: a constructor of P is host code
//// member_shared_ctor
struct P { float x; P() { x = 1; } };
__global__ void k(float *y) { __shared__ P p; *y = p.x; }
//// string_using
#include <string>
using namespace std;
__global__ void k(int *x) { string s = "a"; x[0] = s.size(); } // expected-error: a constructor of
//// host_function_in_host_device
int f(int x) { return x; }
__host__ __device__ int g(int x) { return f(x); }
__global__ void k(int *x) { x[0] = g(1) + sizeof(f(1)); }
//// host_code_after_branch
void f();
__global__ void k() {
  if constexpr (true) {}
  f(); // expected-error: f is a host function
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
__global__ void k(int *x) { cudaEvent_t e; cudaEventCreate(&e); x[0] = 1; } // expected-error: cudaEventCreate is a host function
//// api_of_kernels_with_rdc
__global__ void child(int *x) { *x = 1; }
__global__ void k(int *x, int *y) { cudaStream_t s; cudaEvent_t e; cudaGetDeviceCount(x);
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
  child<<<1, 1, 0, s>>>(x); cudaEventRecord(e, s); cudaStreamWaitEvent(cudaStreamPerThread, e, 0);
  cudaMemcpyAsync(y, x, 4, cudaMemcpyDeviceToDevice); cudaMemsetAsync(x, 0, 4, cudaStreamTailLaunch); }
//// lambda_for_the_library
#include <algorithm>
__device__ int f(int x) { return x; }
int main() { int a[2]; std::for_each(a, a + 2, [](int &x) { x = f(x); }); } // expected-error: f is a __device__ function
//// device_constructor_in_host
struct S { int v; __device__ S(int x) : v(x) {} };
int main() { S s(3); return s.v; } // expected-error: a constructor of S is __device__ code
