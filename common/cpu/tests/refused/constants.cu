//// global_constexpr_array_unrolled
constexpr int weights[4] = {1, 2, 3, 4};
__global__ void k(int *x) { constexpr int w = weights[2]; x[0] = w; }
//// global_const_pointer
const char *text = "abc";
__global__ void k(char *x) { x[0] = text[1]; } // expected-error: text is a host variable
//// global_const_struct
struct P { float x, y; };
const P origin = {1, 2};
__global__ void k(float *x) { x[0] = origin.x; }
//// global_constexpr_struct
struct P { float x, y; };
constexpr P origin = {1, 2};
__global__ void k(float *x) { x[0] = origin.x; }
//// global_const_pointer_const
const float *const table = nullptr;
__global__ void k(float *x) { x[0] = table[0]; }
//// global_const_expression
const int n = 3;
const int blocks = (n + 31) / 32, threads = n > 2 ? 4 : 5;
__global__ void k(int *x) { x[0] = blocks + threads; }
//// global_const_cast
const int n = (int)3.5, m = static_cast<int>(2.5), o = int(3), p = sizeof(float) / 2;
__global__ void k(int *x) { x[0] = n + m + o + p; }
//// global_const_constexpr_function
constexpr int f(int x) { return x; }
const int n = f(3);
__global__ void k(int *x) { x[0] = n; }
//// global_const_math
#include <cmath>
const float n = sqrtf(3);
__global__ void k(float *x) { x[0] = n; } // expected-error: n is a host variable
//// global_const_float_reference
const float n = 3;
__global__ void k(float *x) { x[0] = fmaxf(n, x[1]) + max(n, x[1]); }
//// global_const_double_pi
#include <cmath>
const double pi = acos(-1.0);
__global__ void k(double *x) { x[0] = pi; } // expected-error: pi is a host variable
//// global_const_float4
const float4 c = {1, 2, 3, 4};
__global__ void k(float *x) { x[0] = c.x; }
//// global_const_bool
const bool verbose = true;
__global__ void k(int *x) { if (verbose) x[0] = 1; }
//// global_const_typedef
typedef float real;
const real n = 3;
__global__ void k(real *x) { x[0] = n; }
//// table_template
constexpr int weights[4] = {1, 2, 3, 4};
template <int N> __device__ int f() { return N; }
__global__ void k(int *x) { x[0] = f<weights[2]>(); }
//// table_size --expt-relaxed-constexpr
#include <iterator>
constexpr int weights[4] = {1, 2, 3, 4};
__global__ void k(int *x) { x[0] = std::size(weights); }
//// table_if_constexpr
constexpr int weights[4] = {1, 2, 3, 4};
__global__ void k(int *x) { if constexpr (weights[1] == 2) x[0] = 1; static_assert(weights[2] == 3); }
//// table_bound
constexpr int weights[4] = {1, 2, 3, 4};
__global__ void k(int *x) { int a[weights[1]]; a[0] = 1; x[0] = a[0]; }
//// global_const_pi_atan
#include <cmath>
static const double pi = 4.0 * atan(1.0);
__global__ void k(double *x) { x[0] = pi; } // expected-error: pi is a host variable
//// global_const_two_pi
#include <cmath>
const float two_pi = 2.0f * (float)acos(-1.0), half = 0.5f;
__global__ void k(float *x) { x[0] = half; }
//// global_const_pow
#include <cmath>
const double big = std::pow(2.0, 10);
__host__ __device__ double f() { return big; } // expected-error: big is a host variable
//// global_const_log_in_host
#include <cmath>
const double big = log(2.0);
double f() { return big; }
__global__ void k(double *x, double big) { x[0] = big; }
//// global_const_of_own_pow
constexpr int pow(int b, int e) { return e == 0 ? 1 : b * pow(b, e - 1); }
const int N = pow(2, 5);
__global__ void k(int *x) { x[threadIdx.x] = N; }
//// global_const_of_own_sqrt
namespace ct { constexpr int sqrt(int n) { int r = 0; while ((r + 1) * (r + 1) <= n) ++r; return r; } }
constexpr int side = ct::sqrt(256);
__global__ void k(int *x) { __shared__ int tile[side][side]; tile[threadIdx.y][threadIdx.x] = 1; x[0] = side; }
//// global_const_of_own_member_log
struct Table { int n; constexpr int log(int x) const { return x > 1 ? 1 + log(x / 2) : 0; } };
constexpr Table table{3};
constexpr int levels = table.log(64);
__global__ void k(int *x) { x[0] = levels; }
//// global_constexpr_array_as_size
constexpr int dims[3] = {4, 5, 6}, first = 0;
__global__ void k(int *x) { __shared__ int s[dims[first]]; s[0] = 1; x[0] = s[0]; }
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
  if (sum == 3) n[0] = 2;
  float local = sum;
  local += 1;
}
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
namespace settings { int n; }
int &n = settings::n;
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
