//// kernel_returns
__global__ int k(int *x) { return x[0]; } // expected-error: the kernel k returns a value
//// kernel_returns_a_struct
struct Pair { int a, b; };
__global__ Pair k(int *x) { return {x[0], x[1]}; } // expected-error: the kernel k returns a value
//// kernel_returns_a_pointer
__global__ float *k(float *x) { return x + threadIdx.x; } // expected-error: the kernel k returns a value
//// kernel_called
__global__ void k(int *x) { x[0] = 1; }
int main() { int *x = nullptr; k(x); } // expected-error: k is a kernel, and a kernel must be launched
//// kernel_template_called
template <class T> __global__ void k(T *x, int n) { if (threadIdx.x < n) x[0] = 1; }
void run(float *x) { k<float>(x, 3); } // expected-error: k is a kernel, and a kernel must be launched
//// launch_with_two_brackets
__global__ void k(int *x) { x[0] = 1; }
int main() { int *x = nullptr; k<<1, 32>>(x); } // expected-error: the launch of k has too few <
//// launch_with_a_bracket_too_few
__global__ void k(int *x) { x[0] = 1; }
int main() { int *x = nullptr; k<<<1, 32>>(x); } // expected-error: the launch of k has no end
//// launch_with_a_comment
__global__ void k(int *x) { x[0] = 1; }
void run(int *x, int n) {
  k<<<n // 32, 32>>>(x); // expected-error: the launch of k has no end: // begins a comment
}
//// launch_as_in_numba
__global__ void k(int *x) { x[0] = 1; }
int main() { int *x = nullptr; k[1, 32](x); } // expected-error: a launch is written k<<<grid, block>>>
//// launch_without_arguments
__global__ void k() {}
int main() { k<<<1, 32>>>; } // expected-error: the launch of k has no arguments
//// launch_of_device_function
__device__ void f(int *x) { x[0] = 1; }
int main() { f<<<1, 1>>>(0); } // expected-error: f is not a kernel
//// cout
#include <iostream>
__global__ void k(int *x) { if (threadIdx.x == 0) std::cout << x[0] << std::endl; } // expected-error: cout is host code
//// cout_using
#include <iostream>
using namespace std;
__device__ void say(int x) { cout << x << endl; } // expected-error: cout is host code
//// vector_in_kernel
#include <vector>
__global__ void k(int *x) {
  std::vector<int> v(3); // expected-error: std::vector is host code
  x[0] = v[1];
}
//// vector_parameter
#include <vector>
__global__ void k(std::vector<float> x) { x[threadIdx.x] = 1; } // expected-error: the kernel k has a parameter of type std::vector
//// exception
#include <stdexcept>
__global__ void k(int *x) { if (x[0]) throw std::runtime_error("x"); } // expected-error: device code has no exceptions
//// barrier_in_host_code
int main() { __syncthreads(); } // expected-error: __syncthreads() is used in host code
//// index_in_host_code
int main() { return threadIdx.x; } // expected-error: threadIdx is used in host code
//// block_size_in_host_code
__global__ void k(int *x) { x[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
void run(int *x, int n) {
  k<<<n / blockDim.x, blockDim.x>>>(x); // expected-error: blockDim is used in host code
}
//// own_block_size_in_host_code
__global__ void k(int *x) { x[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
unsigned run(int *x) {
  dim3 grid(1), blockDim(2), gridDim{3};
  k<<<grid, blockDim>>>(x);
  return blockDim.x + gridDim.x;
}
unsigned of(const dim3 &blockDim) { return blockDim.x; }
struct Shape { dim3 blockDim; unsigned threads() const { return blockDim.x; } };
//// thread_index_assigned
__global__ void k(int *x) { threadIdx.x = 3; x[0] = threadIdx.x; } // expected-error: threadIdx cannot be assigned to
//// dynamic_cast_in_kernel
struct A { __device__ virtual void f() {} };
struct B : A { int v; };
__global__ void k(A *a, int *x) { if (B *b = dynamic_cast<B *>(a)) x[0] = b->v; } // expected-error: device code has no dynamic_cast
//// lambda_argument
template <class F> __global__ void k(F f, int *x) { x[0] = f(1); }
int main() { int *x = 0; k<<<1, 1>>>([=](int i) { return i; }, x); } // expected-error: a kernel cannot call a lambda of host code
//// lambda_by_reference
template <class F> __global__ void k(F f, int *x) { x[0] = f(1); }
int main() {
  int *x = 0, a = 1, b = 2;
  k<<<1, 1>>>([=, &a] __host__ __device__(int i) { return a + b + i; }, x); // expected-error: an extended __device__ lambda cannot capture
}
//// lambda_by_reference_of_device_code
template <class F> __global__ void k(F f, int *x) {
  int a = f(1);
  auto add = [&] __device__(int b) { a += b; };
  add(x[0]);
  x[0] = a;
}
int main() {
  int *x = 0, a = 1;
  auto on_host = [&](int i) { a += i; };
  on_host(2);
  k<<<1, 1>>>([a, p = &x[1]] __device__(int i) { return a + i + *p; }, x);
}
//// shared_in_host
int main() { __shared__ int x[32]; x[0] = 1; return x[0]; } // expected-error: __shared__ is used in host code
//// constant_in_kernel
__global__ void k(int *x) { __constant__ int y; x[0] = y; } // expected-error: a __constant__ variable must be declared outside all functions
//// device_variable_in_function
__global__ void k(int *x) {
  __device__ int count; // expected-error: a __device__ variable must be declared outside all functions
  count = 1;
  x[0] = count;
}
//// right
#include <iostream>
#include <vector>
#include <algorithm>
#include <type_traits>
using namespace std;
struct Pair { int a, b; };
struct Row {
  int *data;
  __device__ int get(int i = 0) { return data[i]; }
  __device__ int &operator[](int i) { return data[i]; }
};
__global__ static void __launch_bounds__(64) k(Pair *x) { x[0].a = 1; }
extern "C" __global__ void c(const std::vector<int>::value_type *x, int *y) { Row row{y}; row[0] = row.get() + x[0]; }
template <class T> __global__ std::enable_if_t<(sizeof(T) > 1), void> some(T *x) { typename std::vector<T>::value_type y = 1; x[0] = y; }
__global__ void fill(int *x, int value) { dim3 gridDim(2); gridDim.x = 3; dim3 blockIdx(1); blockIdx.x += 2; x[blockIdx.x] = value; }
__device__ int g(const int &cout) { return cout << 3; }
int main() {
  vector<int> v(3);
  fill(v.begin(), v.end(), 7);
  k<<<1, 1>>>(nullptr);
  cout << v[0] << endl;
}
//// kernel_in_class
struct Field { __global__ void fill(float *x) { x[threadIdx.x] = 1; } }; // expected-error: the kernel fill is a member of a class
//// kernel_and_device_function
__global__ __device__ void k(float *x) {} // expected-error: the kernel k is __device__ as well
//// kernel_with_dots
__global__ void k(int n, ...) {} // expected-error: the kernel k has a variable number of arguments
//// kernel_of_type_auto
template <auto V> __global__ auto k(int *x) {} // expected-error: the kernel k has the type auto
//// reference_parameter
__global__ void count(int &result) { atomicAdd(&result, 1); } // expected-error: the kernel count has a reference parameter
//// kernel_called_in_a_branch
#define CPU
__global__ void add(int *a) { *a += 1; }
void f(int *a) {
#ifdef CPU
  add(a); // expected-error: #error add is a kernel, and a kernel must be launched
#else
  add<<<1, 1>>>(a);
#endif
}
//// shared_with_value
__global__ void k(int *x) { __shared__ float tile[2] = {1, 2}, sum{0}; *x = tile[0] + sum; } // expected-error: a __shared__ variable cannot have an initial value
//// shared_without_brackets
__global__ void k(float *x) { extern __shared__ float y; x[0] = y; } // expected-error: dynamic shared memory is an array
//// index_in_a_function_of_a_template_type
#include <vector>
std::vector<float> f() { return std::vector<float>(threadIdx.x); } // expected-error: threadIdx is used in host code
//// launch_of_host_function
int f(int x) { return x; }
int main() { f<<<1, 2>>>(3); } // expected-error: f is not a kernel
//// launch_with_one_number
__global__ void k();
int main() { k<<<256>>>(); } // expected-error: the launch of k needs the number of blocks
//// launch_of_nothing
int main() { <<<4, 256>>>(3); } // expected-error: there is no kernel before <<<
//// launch_without_end
__global__ void k();
int main() { k<<<4, 256 } // expected-error: the launch of k has no end
//// names_of_other_code
inline __device__ float dot(float3 a, float3 b) { return a.x * b.x; }
inline int macro(int x) { return x; }
template <class T, int N> __global__ void forms(T *x) { x[0] = N; }
template <auto V> __global__ void value(int *x) {}
template <class... A> __global__ void pack_of(A... a) {}
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
