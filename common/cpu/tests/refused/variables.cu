//// global_compared
int count;
__global__ void k(int *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) x[i] = 1; // expected-error: count is a host variable
}
//// global_const_pow
#include <cmath>
const double big = std::pow(2.0, 10);
__host__ __device__ double f() { return big; } // expected-error: big is a host variable
//// cout_using
#include <iostream>
using namespace std;
__global__ void k(int *x) { cout << x[0] << endl; } // expected-error: cout is host code
//// shadow_dynamic_shared
float tile[32];
__global__ void k(float *x) { extern __shared__ float tile[]; tile[0] = x[0]; x[1] = tile[0]; }
//// const_array_in_template
const float w[3] = {1, 2, 3};
template <class T> __global__ void k(T *x) { x[0] = w[threadIdx.x]; } // expected-error: w is a host variable
void f(float *x) { k<<<1, 1>>>(x); }
//// constexpr_member_array
struct S { __device__ float f(int i) { return w[i]; } // expected-error: w is a host variable
           static constexpr float w[3] = {1, 2, 3}; };
__global__ void k(float *x) { S s; x[0] = s.f(threadIdx.x); }
//// const_array_in_lambda
const float w[3] = {1, 2, 3};
__global__ void k(float *x) { auto f = [](int i) { return w[i]; }; x[0] = f(threadIdx.x); } // expected-error: w is a host variable
//// const_array_in_host_device
const float w[3] = {1, 2, 3};
__host__ __device__ float f(int i) { return w[i]; } // expected-error: w is a host variable
//// reference
namespace settings { int n; }
int &n = settings::n;
__global__ void k(int *x) { x[0] = n; } // expected-error: n is a host variable
//// table_size --expt-relaxed-constexpr
#include <iterator>
constexpr int weights[4] = {1, 2, 3, 4};
__global__ void k(int *x) { x[0] = std::size(weights); }
//// constant_of_device_code
__device__ const float a[2] = {1, 2};
__constant__ const float b[2] = {1, 2};
__device__ constexpr float c[2] = {1, 2};
__device__ int m;
__global__ void k(float *x) {
  const float d[2] = {1, 2};
  static const float e[2] = {1, 2};
  static constexpr float f[2] = {1, 2};
  int i = threadIdx.x, &r = m;
  auto sum = [](int i) { return a[i] + b[i]; };
  x[i] = sum(i) + c[i] + d[i] + e[i] + f[i] + r; }
//// constant_of_the_compiler
constexpr int w[3] = {1, 2, 8};
template <int N> __device__ int f() { return N; }
__global__ void k(int *x) {
  static_assert(w[0] == 1, "");
  __shared__ int s[w[2]];
  alignas(w[2]) int a[w[1]];
  constexpr int b = w[1];
  for (int i = 0; i < sizeof(w) / sizeof(w[0]); ++i) s[i] = a[0] = b;
  if constexpr (w[0] == 1) x[0] = f<w[1]>() + s[1];
  switch (x[1]) { case w[0]: x[1] = 2; } }
//// constant_of_host_code
const float w[3] = {1, 2, 3};
const int &n = 5;
float f(int i) { return w[i]; }
int main() { auto f = [](int i) { return w[i]; }; return f(0); }
template <class T> __global__ void k(T *x) { x[0] = w[threadIdx.x]; }
template <class T> struct S { __device__ T f(int i) { return w[i]; } };
__global__ void k(int *x) { S<float> s; x[0] = sizeof(s) + n; }
//// dynamic_initializer
float scale() { return 2; }
__device__ float factor = scale(); // expected-error: the initial value of a __device__
//// initializer_of_the_compiler
constexpr float half(float x) { return x / 2; }
struct Q { float x; };
__device__ float a = half(3) + sizeof(Q), b[] = {1, 2, 3}, *c = b;
__device__ Q q = {4}, r[2];
__device__ const char *text = "abc";
__constant__ int big = 1 << 20;
//// constant_in_kernel
__global__ void k(int *x) { __constant__ int y; x[0] = y; } // expected-error: a __constant__ variable must be declared outside all functions
//// device_variable_in_function
__global__ void k(int *x) {
  __device__ int count; // expected-error: a __device__ variable must be declared outside all functions
  count = 1;
  x[0] = count;
}
//// device_method_in_function
__global__ void k(int *x) {
  struct Row {
    int *data;
    __device__ int get(int i = 0) { return data[i]; }
    __device__ int &operator[](int i) { return data[i]; }
  };
  Row row{x};
  row[0] = row.get();
}
//// constant_written
__constant__ float scale;
__global__ void k() { scale = 2; } // expected-error: scale is __constant__, and device code cannot write it
//// constant_array_written
__constant__ int table[4];
__global__ void k() { table[threadIdx.x] += 1; } // expected-error: table is __constant__, and device code cannot write it
//// constant_pointer_written_through
__constant__ float *data, *rows[4];
__constant__ int n, sum;
__global__ void k(float *n) {
  data[threadIdx.x] = n[0];
  rows[0][threadIdx.x] = 1;
  n = rows[1];
  if (sum == 3) n[0] = 2;
  float local = sum;
  local += 1;
}
//// thread_index_assigned
__global__ void k(int *x) { threadIdx.x = 3; x[0] = threadIdx.x; } // expected-error: threadIdx cannot be assigned to
//// own_blockDim
__global__ void k(int *x) { dim3 gridDim(2); gridDim.x = 3; dim3 blockIdx(1); blockIdx.x += 2; x[gridDim.x] = blockIdx.x; }
//// shared_in_host
int main() { __shared__ int x[32]; x[0] = 1; return x[0]; } // expected-error: __shared__ is used in host code
//// shared_in_host_device
__host__ __device__ int f() { __shared__ int x[32]; x[0] = 1; return x[0]; } // expected-error: __shared__ is used in host code
