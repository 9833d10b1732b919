//// const_array
const float weights[4] = {1, 2, 3, 4};
__global__ void k(float *x) { x[0] = weights[threadIdx.x]; } // expected-error: weights is a host variable
//// const_array_of_two_dimensions
const int table[2][2] = {{1, 2}, {3, 4}};
__global__ void k(int *x) { x[0] = table[threadIdx.x][0]; } // expected-error: table is a host variable
//// const_text
namespace words { const char text[] = "abc"; }
__global__ void k(char *x) { x[0] = words::text[threadIdx.x]; } // expected-error: text is a host variable
//// constexpr_array
constexpr float weights[4] = {1, 2, 3, 4};
__global__ void k(float *x) { x[0] = weights[threadIdx.x]; } // expected-error: weights is a host variable
//// constexpr_array_relaxed --expt-relaxed-constexpr
constexpr float weights[4] = {1, 2, 3, 4};
__global__ void k(float *x) { x[0] = weights[threadIdx.x]; } // expected-error: weights is a host variable
//// constexpr_array_indexed_by_constant
constexpr int dims[3] = {4, 5, 6}, first = 0;
__global__ void k(int *x) { x[0] = dims[first]; } // expected-error: dims is a host variable
//// constexpr_array_unrolled
constexpr float weights[4] = {1, 2, 3, 4};
__global__ void k(float *x) {
#pragma unroll
  for (int i = 0; i < 4; ++i) x[0] += weights[i]; } // expected-error: weights is a host variable
//// constexpr_array_in_range
constexpr int steps[3] = {1, 2, 3};
__global__ void k(int *x) { for (int step : steps) x[0] += step; } // expected-error: steps is a host variable
//// constexpr_member_array
struct S { __device__ float f(int i) { return w[i]; } // expected-error: w is a host variable
           static constexpr float w[3] = {1, 2, 3}; };
__global__ void k(float *x) { S s; x[0] = s.f(threadIdx.x); }
//// const_array_in_host_device
const float w[3] = {1, 2, 3};
__host__ __device__ float f(int i) { return w[i]; } // expected-error: w is a host variable
//// const_array_in_template
const float w[3] = {1, 2, 3};
template <class T> __global__ void k(T *x) { x[0] = w[threadIdx.x]; } // expected-error: w is a host variable
void f(float *x) { k<<<1, 1>>>(x); }
//// const_array_in_lambda
const float w[3] = {1, 2, 3};
__global__ void k(float *x) { auto f = [](int i) { return w[i]; }; x[0] = f(threadIdx.x); } // expected-error: w is a host variable
//// reference
int m;
int &n = m;
__global__ void k(int *x) { x[0] = n; } // expected-error: n is a host variable
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
//// dynamic_initializer_of_another
__device__ int n = 3;
__constant__ int twice = 2 * n; // expected-error: the initial value of a __device__
//// dynamic_initializer_of_members
struct P { float x; __device__ P() {} __device__ P(float x) : x(x) {} };
__device__ P origin(1); // expected-error: the initial value of a __device__
//// initializer_of_the_compiler
constexpr float half(float x) { return x / 2; }
struct Q { float x; };
__device__ float a = half(3) + sizeof(Q), b[] = {1, 2, 3}, *c = b;
__device__ Q q = {4}, r[2];
__device__ const char *text = "abc";
__constant__ int big = 1 << 20;
