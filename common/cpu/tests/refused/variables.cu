//// global
int n = 5;
__global__ void k(int *x) { x[0] = n; } // expected-error: n is a host variable
//// global_compared
int count;
__global__ void k(int *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) x[i] = 1; // expected-error: count is a host variable
}
//// global_product
float scale = 2;
__global__ void k(float *x) {
  int i = threadIdx.x;
  x[i] = x[i] * scale; // expected-error: scale is a host variable
}
//// global_product_of_names
float scale = 2;
__global__ void k(float *x, float a) { x[0] = a * scale; } // expected-error: scale is a host variable
//// global_added
static int offset = 1;
__global__ void k(int *x) { x[offset + 1] += offset; } // expected-error: offset is a host variable
//// global_array
float table[4] = {1, 2, 3, 4};
__global__ void k(float *x) { x[0] = table[threadIdx.x]; } // expected-error: table is a host variable
//// global_matrix
int grid[8][8];
__global__ void k(int *x) { x[0] = grid[threadIdx.x][1]; } // expected-error: grid is a host variable
//// global_pointer
float *data;
__global__ void k() { data[threadIdx.x] = 1; } // expected-error: data is a host variable
//// global_written
int result;
__global__ void k(int *x) { result = x[0]; } // expected-error: result is a host variable
//// global_address
int result;
__global__ void k() { atomicAdd(&result, 1); } // expected-error: result is a host variable
//// global_struct
struct P { float x, y; };
P origin = {1, 2};
__global__ void k(float *x) { x[0] = origin.x; } // expected-error: origin is a host variable
//// global_struct_in_one
struct P { float x, y; } origin;
__global__ void k(float *x) { x[0] = origin.y; } // expected-error: origin is a host variable
//// global_second
int a = 1, width = 2, height;
__global__ void k(int *x) { x[0] = height; } // expected-error: height is a host variable
//// global_in_namespace
namespace settings { int n = 3; }
__global__ void k(int *x) { x[0] = settings::n; } // expected-error: n is a host variable
//// global_same_namespace
namespace settings { int n = 3;
__global__ void k(int *x) { x[0] = n; } } // expected-error: n is a host variable
//// global_anonymous
namespace { int n = 3; }
__global__ void k(int *x) { x[0] = n; } // expected-error: n is a host variable
//// global_qualified
int n = 3;
__global__ void k(int *x) { x[0] = ::n; } // expected-error: n is a host variable
//// global_in_device_function
static float scale = 2;
__device__ float f(float x) { return scale * x; } // expected-error: scale is a host variable
__global__ void k(float *x) { x[0] = f(1); }
//// global_in_unused_device_function
static float scale = 2;
__device__ float f(float x) { return scale * x; } // expected-error: scale is a host variable
//// global_argument
int n = 3;
__device__ int f(int x) { return x; }
__global__ void k(int *x) { x[0] = f(n); } // expected-error: n is a host variable
//// global_loop
int n = 3;
__global__ void k(int *x) { for (int i = 0; i < n; ++i) x[i] = i; } // expected-error: n is a host variable
//// global_volatile
volatile int flag;
__global__ void k(int *x) { while (flag == 0) x[0] = 1; } // expected-error: flag is a host variable
//// global_extern
extern int n;
__global__ void k(int *x) { x[0] = n; } // expected-error: n is a host variable
//// global_thread_local
thread_local int n;
__global__ void k(int *x) { x[0] = n; } // expected-error: n is a host variable
//// global_dim3
dim3 shape(2, 3);
__global__ void k(int *x) { x[0] = shape.x; } // expected-error: shape is a host variable
//// global_in_template_used
int n = 3;
template <class T> __global__ void k(T *x) { x[0] = n; } // expected-error: n is a host variable
int main() { k<float><<<1, 1>>>(nullptr); }
//// global_in_template_not_used
int n = 3;
template <class T> __global__ void k(T *x) { x[0] = n; }
//// global_in_host_device
int n = 3;
__host__ __device__ int f() { return n; } // expected-error: n is a host variable
__global__ void k(int *x) { x[0] = f(); }
//// global_in_host_device_unused
int n = 3;
__host__ __device__ int f() { return n; } // expected-error: n is a host variable
//// global_in_lambda
int n = 3;
__global__ void k(int *x) { auto f = [=](int i) { return i + n; }; x[0] = f(1); } // expected-error: n is a host variable
//// global_in_device_lambda --extended-lambda
int n = 3;
template <class F> __global__ void k(F f, int *x) { x[0] = f(1); }
int main() { k<<<1, 1>>>([=] __device__(int i) { return i + n; }, (int *)0); } // expected-error: n is a host variable
//// global_vector
#include <vector>
std::vector<int> v(3);
__global__ void k(int *x) { x[0] = v[0]; } // expected-error: v is a host variable
//// global_sizeof
int v[3];
__global__ void k(int *x) { x[0] = sizeof(v); }
//// global_sizeof_count
int v[3];
__global__ void k(int *x) { for (int i = 0; i < (int)(sizeof(v) / sizeof(v[0])); ++i) x[i] = 1; }
//// global_sizeof_plain
int v[3];
__global__ void k(int *x) { x[0] = sizeof v; }
//// global_decltype
int v = 3;
__global__ void k(int *x) { decltype(v) y = 4; x[0] = y; }
//// global_template_argument
const int n = 3;
template <int N> __device__ int f() { return N; }
__global__ void k(int *x) { x[0] = f<n>(); }
//// const_int
const int n = 3;
__global__ void k(int *x) { x[0] = n; }
//// static_const_int
static const unsigned n = 3, m = n * 2;
__global__ void k(int *x) { x[0] = n + m; }
//// const_size
const int n = 3;
__global__ void k(int *x) { int a[n]; a[0] = 1; x[0] = a[0]; }
//// const_float
const float pi = 3.14f;
__global__ void k(float *x) { x[0] = pi; }
//// const_double
const double pi = 3.14;
__global__ void k(double *x) { x[0] = 2 * pi; }
//// const_float_product
const float pi = 3.14f;
const float tau = 2 * pi;
__global__ void k(float *x) { x[0] = tau; }
//// const_from_sizeof
const int n = sizeof(int) * 8;
__global__ void k(int *x) { x[0] = n; }
//// constexpr_int
constexpr int n = 3;
__global__ void k(int *x) { x[0] = n; }
//// constexpr_float_min
constexpr float n = 3;
__global__ void k(float *x) { x[0] = min(x[1], n); }
//// constexpr_member
struct S { static constexpr int n = 3; };
__global__ void k(int *x) { x[0] = S::n; }
//// const_member
struct S { static const int n = 3; };
__global__ void k(int *x) { x[0] = S::n; }
//// constexpr_local_of_host
template <int N> __global__ void k(int *x) { x[0] = N; }
int main() { constexpr int n = 3; k<n><<<1, 1>>>(nullptr); }
//// inline_constexpr
inline constexpr int n = 3;
__global__ void k(int *x) { x[0] = n; }
//// enumerator
enum { n = 3 };
__global__ void k(int *x) { x[0] = n; }
//// macro_constant
#define N 3
__global__ void k(int *x) { x[0] = N; }
//// managed
__managed__ int n = 3;
__global__ void k(int *x) { x[0] = n; }
//// device_managed
__device__ __managed__ int n = 3, m;
__global__ void k(int *x) { x[0] = n + m; }
//// constant
__constant__ int n;
__global__ void k(int *x) { x[0] = n; }
//// device_variable
__device__ int n = 3;
__global__ void k(int *x) { x[0] = n; }
//// static_device_variable
static __device__ float table[4];
__global__ void k(float *x) { x[0] = table[threadIdx.x]; }
//// device_after_type
int __device__ n = 3;
__global__ void k(int *x) { x[0] = n; }
//// device_by_macro
#define GLOBAL_ON_DEVICE __device__
GLOBAL_ON_DEVICE int n = 3;
__global__ void k(int *x) { x[0] = n; }
//// device_by_function_macro
#define ON_DEVICE(T, name) __device__ T name
ON_DEVICE(int, n);
int other_n;
__global__ void k(int *x) { x[0] = n; }
//// shadow_parameter
int n = 3;
__global__ void k(int *x, int n) { x[0] = n; }
int main() { k<<<1, 1>>>(nullptr, n); }
//// shadow_unnamed_use
float *data;
__global__ void k(float *data, int size) { data[0] = size; }
int size = 3;
int main() { k<<<1, 1>>>(data, size); }
//// shadow_local
int n = 3;
__global__ void k(int *x) { int n = 4; x[0] = n; }
//// shadow_local_list
int n = 3, m;
__global__ void k(int *x) { int a = 1, n = 4, *m = x; x[0] = n + m[1] + a; }
//// shadow_local_brace
int n = 3;
__global__ void k(int *x) { int n{4}; x[0] = n; }
//// shadow_local_paren
int n = 3;
__global__ void k(int *x) { int n(4); x[0] = n; }
//// shadow_shared
float tile[32];
__global__ void k(float *x) { __shared__ float tile[32]; tile[0] = x[0]; x[1] = tile[0]; }
//// shadow_dynamic_shared
float tile[32];
__global__ void k(float *x) { extern __shared__ float tile[]; tile[0] = x[0]; x[1] = tile[0]; }
//// shadow_for
int i;
__global__ void k(int *x) { for (int i = 0; i < 3; ++i) x[i] = i; }
//// shadow_range_for
int value;
__global__ void k(int *x) { int a[3] = {1, 2, 3}; for (int value : a) x[0] += value; }
//// shadow_auto
int n;
__global__ void k(int *x) { const auto n = x[1]; auto *p = x; x[0] = n + *p; }
//// shadow_structured
int a, b;
struct P { int x, y; };
__global__ void k(int *x) { P p{1, 2}; auto [a, b] = p; x[0] = a + b; }
//// shadow_member
int n;
struct S { int n; __device__ int f() const { return n; } };
__global__ void k(int *x) { S s{2}; x[0] = s.n + s.f(); }
//// shadow_member_pointer
int n;
struct S { int n; };
__global__ void k(S *s) { s->n = s[1].n; }
//// shadow_member_outside
int n;
struct S { int n; __device__ int f() const; };
__device__ int S::f() const { return n; }
__global__ void k(int *x) { S s{2}; x[0] = s.f(); }
//// shadow_base_member
int n;
struct B { int n; };
struct S : B { __device__ int f() const { return n; } };
__global__ void k(int *x) { S s; s.n = 1; x[0] = s.f(); }
//// shadow_template_parameter
int N;
template <int N> __global__ void k(int *x) { x[0] = N; }
int main() { k<3><<<1, 1>>>(nullptr); }
//// shadow_namespace
int n;
namespace a { constexpr int n = 3; }
__global__ void k(int *x) { x[0] = a::n; }
//// shadow_lambda_parameter
int n;
__global__ void k(int *x) { auto f = [](int n) { return n + 1; }; x[0] = f(2); }
//// shadow_lambda_capture
int n;
__global__ void k(int *x) { auto f = [n = x[1]]() { return n + 1; }; x[0] = f(); }
//// shadow_enumerator_local
int red;
__global__ void k(int *x) { enum { red = 3 }; x[0] = red; }
//// shadow_label
int done;
__global__ void k(int *x) { if (x[0]) goto done; x[1] = 1; done: return; }
//// shadow_type_local
int value;
__global__ void k(int *x) { struct L { int value; }; L l; l.value = 3; L m{.value = 4}; x[0] = l.value + m.value; }
//// shadow_user_type
struct Real { float v; };
Real y;
__global__ void k(Real *x) { Real y = x[1]; Real *z = x; x[0] = y; z[0] = y; }
//// shadow_function_pointer
float f;
__global__ void k(float *x, float (*f)(float)) { x[0] = f(1); }
//// shadow_array_reference
float a[3];
__device__ float g(const float (&a)[3]) { return a[1]; }
__global__ void k(float *x) { float b[3] = {1, 2, 3}; x[0] = g(b); }
//// shadow_template_type
template <class T> struct V { T x; };
V<int> v;
__global__ void k(V<int> v, int *x) { x[0] = v.x; }
//// shadow_multi_line_parameters
int rows, cols;
__global__ void k(int *x,
                  const int rows, // the number of rows
                  const int
                      cols) { x[0] = rows * cols; }
//// shadow_by_macro
int n;
#define DECLARE int n = 4
__global__ void k(int *x) { DECLARE; x[0] = n; }
//// shadow_by_macro_argument
int n;
#define LOCAL(type, name) type name = 4
__global__ void k(int *x) { LOCAL(int, n); x[0] = n; }
//// shadow_by_other_branch
#ifdef ON_HOST_ONLY
int n = 4;
#else
__device__ int n = 4;
#endif
__global__ void k(int *x) { x[0] = n; }
//// shadow_if_zero
#if 0
int n = 4;
#endif
#define n 3
__global__ void k(int *x) { x[0] = n; }
//// host_use
#include <cstdio>
int n = 4;
float table[3];
void f() { n = 3; std::printf("%d %g\n", n, table[1]); }
__global__ void k(int *x) { x[0] = 1; }
int main() { k<<<n, n>>>(nullptr); f(); }
//// host_use_lambda
int n = 4;
int main() { auto f = [&](int i) { return i + n; }; return f(1); }
//// member_designator
int width;
struct P { int width; };
__global__ void k(int *x) { P p{.width = 3}; x[0] = p.width; }
//// type_named_like
struct size { int n; };
__global__ void k(size *x) { x->n = 1; }
//// class_type_variable_elsewhere
struct C { int v; int n = 3; };
C c;
__global__ void k(int *x, C c) { x[0] = c.v + c.n; }
//// kernel_launch_of_global
__global__ void c(int *x) { x[0] = 1; }
int n = 3;
int main() { c<<<n, 1>>>(nullptr); }
//// auto_global
auto n = 3;
__global__ void k(int *x) { x[0] = n; } // expected-error: n is a host variable
//// global_typedef
typedef float real;
real n = 3;
__global__ void k(real *x) { x[0] = n; } // expected-error: n is a host variable
//// global_size_t
#include <cstddef>
std::size_t n = 3;
__global__ void k(int *x) { x[0] = n; } // expected-error: n is a host variable
//// global_static_assert
int n = 3;
__global__ void k(int *x) { static_assert(sizeof(n) == 4); x[0] = 1; }
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
