//// lambda_argument
template <class F> __global__ void k(F f, int *x) { x[0] = f(1); }
int main() { int *x = 0; k<<<1, 1>>>([=](int i) { return i; }, x); } // expected-error: a kernel cannot call a lambda of host code
//// lambda_variable
template <class F> __global__ void k(F f, int *x) { x[0] = f(1); }
int main() { int *x = 0; auto g = [=](int i) { return i; }; k<<<1, 1>>>(g, x); } // expected-error: a kernel cannot call a lambda of host code
//// lambda_argument_flag --extended-lambda
template <class F> __global__ void k(F f, int *x) { x[0] = f(1); }
int main() { int *x = 0; k<<<1, 1>>>([=](int i) { return i; }, x); } // expected-error: a kernel cannot call a lambda of host code
//// lambda_variable_flag --extended-lambda
template <class F> __global__ void k(F f, int *x) { x[0] = f(1); }
int main() { int *x = 0; auto g = [=](int i) { return i; }; k<<<1, 1>>>(g, x); } // expected-error: a kernel cannot call a lambda of host code
//// lambda_device_flag --extended-lambda
template <class F> __global__ void k(F f, int *x) { x[0] = f(1); }
int main() { int *x = 0; k<<<1, 1>>>([=] __device__(int i) { return i; }, x); }
//// lambda_host_device_flag --expt-extended-lambda
template <class F> __global__ void k(F f, int *x) { x[0] = f(1); }
int main() { int *x = 0; auto g = [=] __host__ __device__(int i) { return i; }; k<<<1, 1>>>(g, x); return g(1); }
//// lambda_in_kernel
__global__ void k(int *x) { auto f = [=](int i) { return i + x[1]; }; x[0] = f(1); }
//// lambda_in_kernel_reference
template <class F> __device__ int apply(F f) { return f(1); }
__global__ void k(int *x) { x[0] = apply([&](int i) { return i + x[1]; }); }
//// lambda_to_host_template
template <class F> int apply(F f) { return f(1); }
int main() { return apply([](int i) { return i; }); }
//// lambda_as_pointer
__global__ void k(int (*f)(int), int *x) { x[0] = f(1); }
int main() { k<<<1, 1>>>([](int i) { return i; }, nullptr); }
//// lambda_launch_inside
__global__ void k(int *x) { x[0] = 1; }
int main() { auto launch = [&](int n) { k<<<n, 1>>>(nullptr); }; launch(3); }
//// lambda_result_argument
__global__ void k(int n, int *x) { x[0] = n; }
int main() { auto g = [](int i) { return i; }; k<<<1, 1>>>(g(2), (int *)0); }
//// lambda_of_thread
#include <thread>
__global__ void k(int *x) { x[0] = 1; }
int main() { std::thread t([] { k<<<1, 1>>>(nullptr); }); t.join(); }
//// lambda_from_device_function
template <class F> __global__ void k(F f, int *x) { x[0] = f(1); }
__host__ __device__ auto make() { return [](int i) { return i; }; }
int main() { k<<<1, 1>>>(make(), (int *)0); }
//// lambda_generic_flag --extended-lambda
template <class F> __global__ void k(F f, int *x) { x[0] = f(1); }
int main() { k<<<1, 1>>>([] __device__(auto i) { return i; }, (int *)0); }
//// host_function_pointer_argument
int f(int x) { return x; }
__global__ void k(int (*g)(int), int *x) { x[0] = g(1); }
int main() { k<<<1, 1>>>(f, nullptr); }
//// host_function_in_host_device
int f(int x) { return x; }
__host__ __device__ int g(int x) { return f(x); }
__global__ void k(int *x) { x[0] = g(1); }
//// host_function_sizeof
int f(int x) { return x; }
__global__ void k(int *x) { x[0] = sizeof(f(1)); }
//// cout_using
#include <iostream>
using namespace std;
__global__ void k(int *x) { cout << x[0] << endl; } // expected-error: cout is host code
//// vector_using
#include <vector>
using namespace std;
__global__ void k(int *x) { vector<int> v(3); x[0] = v[1]; } // expected-error: a constructor of vector<int> is host code
//// string_using
#include <string>
using namespace std;
__global__ void k(int *x) { string s = "a"; x[0] = s.size(); } // expected-error: a constructor of
//// host_code_in_branch_not_taken
void f();
template <bool is_host> __global__ void k(int *x) { if constexpr (is_host) f(); else x[0] = 1; }
__global__ void j() { if constexpr (false) { f(); } }
int main() { k<false><<<1, 1>>>(nullptr); j<<<1, 1>>>(); }
//// host_code_after_branch
void f();
__global__ void k() {
  if constexpr (true) {}
  f(); // expected-error: f is a host function
}
int main() { k<<<1, 1>>>(); }
//// clock
__global__ void k(long *x) { x[0] = clock() + clock64(); }
//// launch_of_device_function
__device__ void f(int *x) { x[0] = 1; }
int main() { f<<<1, 1>>>(0); } // expected-error: f is not a kernel
//// launch_of_host_function
void f(int *x) { x[0] = 1; }
int main() { f<<<1, 1>>>(0); } // expected-error: f is not a kernel
//// constant_local
int main() { __constant__ int x; return x; } // expected-error: a __constant__ variable must be declared outside all functions
//// constant_in_kernel
__global__ void k(int *x) { __constant__ int y; x[0] = y; } // expected-error: a __constant__ variable must be declared outside all functions
//// device_local_static
__global__ void k(int *x) { static __device__ int y; y = 1; x[0] = y; }
//// shared_in_host
int main() { __shared__ int x[32]; x[0] = 1; return x[0]; } // expected-error: __shared__ is used in host code
//// shared_in_host_device
__host__ __device__ int f() { __shared__ int x[32]; x[0] = 1; return x[0]; } // expected-error: __shared__ is used in host code
//// shared_global
__shared__ int x[32];
__global__ void k() { x[0] = 1; }
//// kernel_auto
__global__ auto k(int *x) { x[0] = 1; } // expected-error: the kernel k has the type auto
//// kernel_default_argument
__global__ void k(int *x, int n = 3) { x[0] = n; }
//// thread_index_assigned
__global__ void k(int *x) { threadIdx.x = 3; x[0] = threadIdx.x; } // expected-error: threadIdx cannot be assigned to
//// block_dim_assigned
__global__ void k(int *x) { blockDim.y += 3; x[0] = threadIdx.x; } // expected-error: blockDim cannot be assigned to
//// printf_in_kernel
#include <cstdio>
__global__ void k(int *x) { printf("%d\n", x[0]); }
//// assert_in_kernel
#include <cassert>
__global__ void k(int *x) { assert(x[0]); }
//// std_printf_in_kernel
#include <cstdio>
__global__ void k(int *x) { std::printf("%d\n", x[0]); }
//// launch_macro
#define LAUNCH(k, ...) k<<<__VA_ARGS__>>>
__global__ void k(int *x) { x[0] = 1; }
int main() { LAUNCH(k, 1, 1)(nullptr); }
//// launch_macro_arguments
#define LAUNCH(k, grid, block, ...) k<<<grid, block>>>(__VA_ARGS__)
__global__ void k(int *x) { x[0] = 1; }
int main() { LAUNCH(k, 1, 1, nullptr); }
//// lambda_template_flag_device --extended-lambda
template <class F> __global__ void k(F f, int *x) { x[0] = f(1); }
template <class F> void launch(F f) { k<<<1, 1>>>(f, (int *)0); }
int main() { launch([=] __device__(int i) { return i; }); }
//// lambda_host_in_both_files --extended-lambda
template <class F> __global__ void k(F f, int *x) { x[0] = f(1); }
template <class F> void on_device(F f) { k<<<1, 1>>>(f, (int *)0); }
template <class F> void on_host(F f) { f(1); }
int main() { on_device([=] __device__(int i) { return i; }); on_host([](int i) { return i; }); }
//// lambda_attribute --extended-lambda
template <class F> __global__ void k(F f, int *x) { x[0] = f(1); }
int main() { int n = 3; k<<<1, 1>>>([n] __host__ __device__(int i) -> int { return i + n; }, (int *)0); }
//// function_object
struct Twice { __device__ int operator()(int i) const { return 2 * i; } };
template <class F> __global__ void k(F f, int *x) { x[0] = f(1); }
int main() { k<<<1, 1>>>(Twice(), (int *)0); }
//// launch_variable_five
__global__ void k(int *x) { x[0] = 1; }
#define ARGS 1, 1
int main() { k<<<ARGS>>>(nullptr); }
//// variables_named_as_in_std
#include <iostream>
using namespace std;
__global__ void k(int vector, int n, int *x) {
  if (vector < n) x[0] = 1;
  for (int cout = 0; cout < n; ++cout) x[cout << 1] = 3;
}
//// class_named_as_in_std
#include <iostream>
using namespace std;
namespace my { template <class T> struct vector { T x, y; };
__global__ void k(float *x) { vector<float> v{1, 2}; x[0] = v.x; } }
//// own_blockDim
__global__ void k(int *x) { dim3 gridDim(2); gridDim.x = 3; dim3 blockIdx(1); blockIdx.x += 2; x[gridDim.x] = blockIdx.x; }
//// api_of_kernels_with_rdc
__global__ void child(int *x) { *x = 1; }
__global__ void k(int *x, int *y) { cudaStream_t s; cudaEvent_t e; cudaGetDeviceCount(x);
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
  child<<<1, 1, 0, s>>>(x); cudaEventRecord(e, s); cudaStreamWaitEvent(cudaStreamPerThread, e, 0);
  cudaMemcpyAsync(y, x, 4, cudaMemcpyDeviceToDevice); cudaMemsetAsync(x, 0, 4, cudaStreamTailLaunch); }
//// api_of_the_host
__global__ void k(int *x) { cudaEvent_t e; cudaEventCreate(&e); x[0] = 1; } // expected-error: cudaEventCreate is a host function
//// api_of_the_host_streams
__global__ void k(int *x) { cudaStream_t s; cudaStreamCreate(&s); x[0] = 1; } // expected-error: cudaStreamCreate is a host function
//// api_of_the_host_fill
__global__ void k(int *x) { cudaMemset(x, 0, 4); } // expected-error: cudaMemset is a host function
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
//// clock_of_both
#include <time.h>
__global__ void k(long long *x) { *x = clock(); }
int main() { return clock() == 0; }
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
//// lambda_of_the_host
__device__ int f(int x) { return x; }
int main() { auto g = [](int x) { return f(x); }; return g(3); } // expected-error: f is a __device__ function
//// lambda_for_the_library
#include <algorithm>
__device__ int f(int x) { return x; }
int main() { int a[2]; std::for_each(a, a + 2, [](int &x) { x = f(x); }); } // expected-error: f is a __device__ function
//// both_call_device
__device__ int d(int x) { return x; }
__host__ __device__ int f(int x) { return d(x); } // expected-error: d is a __device__ function
int main() {}
//// throw_once
#include <stdexcept>
__global__ void k(int *a) { if (a[0]) throw std::runtime_error("x"); } // expected-error: device code has no exceptions
int main() {}
//// dynamic_cast_in_kernel
struct A { __device__ virtual void f() {} };
struct B : A { int v; };
__global__ void k(A *a, int *x) { if (B *b = dynamic_cast<B *>(a)) x[0] = b->v; } // expected-error: device code has no dynamic_cast
//// thread_local_in_kernel
__global__ void k(int *x) { thread_local int t = 1; x[0] = t; } // expected-error: device code has no thread_local
