//// member_host
struct P { float x; float norm() const { return x * x; } };
__global__ void k(P *p) { p->x = p->norm(); } // expected-error: norm is a host function
//// member_host_value
struct P { float x; float norm() const { return x * x; } };
__global__ void k(P p, float *y) { *y = p.norm(); } // expected-error: norm is a host function
//// member_host_outside
class P { public: float x; float norm(); };
float P::norm() { return x * x; }
__global__ void k(P p, float *y) { *y = p.norm(); } // expected-error: norm is a host function
//// member_host_element
struct P { float x; float norm() const { return x * x; } };
__global__ void k(P *p, float *y) { y[threadIdx.x] = p[threadIdx.x].norm(); } // expected-error: norm is a host function
//// member_host_local
struct P { float x; float norm() const { return x * x; } };
__global__ void k(float *y) { P p; p.x = y[0]; y[1] = p.norm(); } // expected-error: norm is a host function
//// member_host_static
struct P { static int f(int x) { return x; } };
__global__ void k(int *y) { *y = P::f(1); } // expected-error: f is a host function
//// member_host_template
template <class T> struct P { T x; T norm() const { return x * x; } };
__global__ void k(P<float> p, float *y) { *y = p.norm(); } // expected-error: norm is a host function
//// member_host_call_operator
struct F { int operator()(int i) const { return i; } };
__global__ void k(F f, int *x) { x[0] = f(1); } // expected-error: this operator is host code
//// member_host_constructor
struct P { float x; P(float v) : x(v) {} };
__global__ void k(float *y) { P p(3); *y = p.x; } // expected-error: a constructor of P is host code
//// member_host_constructor_brace
struct P { float x; P(float v) : x(v) {} };
__global__ void k(float *y) { P p{3}; *y = p.x; } // expected-error: a constructor of P is host code
//// member_host_constructor_temporary
struct P { float x; P(float v) : x(v) {} };
__global__ void k(float *y) { *y = P(3).x; } // expected-error: a constructor of P is host code
//// member_host_constructor_default
struct P { float x; P() { x = 1; } };
__global__ void k(float *y) { P p; *y = p.x; } // expected-error: a constructor of P is host code
//// member_host_constructor_array
struct P { float x; P() { x = 1; } };
__global__ void k(float *y) { P p[4]; *y = p[1].x; } // expected-error: a constructor of P is host code
//// member_host_destructor_parameter
struct P { float x; ~P() { x = 1; } };
__global__ void k(P p, float *y) { *y = p.x; }
//// member_host_copy_parameter
struct P { float x; P() {} P(const P &o) : x(o.x) {} };
__global__ void k(P p, float *y) { *y = p.x; }
//// member_virtual_host
struct B { virtual int f() { return 1; } };
__global__ void k(int *x) { B *b = nullptr; x[0] = b->f(); } // expected-error: f is a host function
//// member_constexpr_relaxed --expt-relaxed-constexpr
struct P { float x; constexpr float norm() const { return x * x; } };
__global__ void k(P p, float *y) { *y = p.norm(); }
//// member_defaulted
struct P { float x; P() = default; P(const P &) = default; ~P() = default; };
__global__ void k(P *p, float *y) { P q = p[0], r; r.x = 1; *y = q.x + r.x; }
//// member_both
struct P { float x; __host__ __device__ float norm() const { return x * x; } };
__global__ void k(P p, float *y) { *y = p.norm(); }
//// member_device_and_host_overloads
struct P { float x; float norm(int) const { return x; } __device__ float norm() const { return x * x; } };
__global__ void k(P p, float *y) { *y = p.norm(); }
//// member_device_outside
struct P { float x; __device__ float norm() const; };
__device__ float P::norm() const { return x * x; }
__global__ void k(P p, float *y) { *y = p.norm(); }
//// member_device_only_outside
struct P { float x; float norm() const; };
__device__ float P::norm() const { return x * x; }
__global__ void k(P p, float *y) { *y = p.norm(); }
//// member_same_name_other_class
struct H { int size() const { return 3; } };
struct D { __device__ int size() const { return 4; } };
__global__ void k(D d, int *x) { x[0] = d.size(); }
//// member_group
#include <cooperative_groups.h>
struct Timer { void sync() {} int size() { return 3; } };
__global__ void k(int *x) { auto block = cooperative_groups::this_thread_block(); block.sync(); x[0] = block.size(); }
int main() { Timer t; t.sync(); return t.size(); }
//// member_host_of_host
struct Timer { void start() {} };
struct Both { float x; void print() const {} __device__ float get() const { return x; } };
__global__ void k(Both b, float *x) { x[0] = b.get(); }
int main() { Timer t; t.start(); Both b{1}; b.print(); k<<<1, 1>>>(b, nullptr); }
//// member_pointer_field
struct P { float *data; float *get() { return data; } };
__global__ void k(P p) { p.data[0] = 1; }
int main() { P p; p.get(); }
//// member_class_specifier_macro
#define HD __host__ __device__
struct P { float x; HD P(float v) : x(v) {} HD float norm() const { return x; } HD P operator+(P b) const { return P(x + b.x); } };
__global__ void k(float *y) { P p(3); *y = (p + P(2)).norm(); }
//// member_inherited_constructor
struct B { float x; __host__ __device__ B(float v) : x(v) {} };
struct D : B { using B::B; };
__global__ void k(float *y) { D d(3); *y = d.x; }
//// device_constructor_in_host
struct S { int v; __device__ S(int x) : v(x) {} };
int main() { S s(3); return s.v; } // expected-error: a constructor of S is __device__ code
//// host_operator_new
struct P { float x; };
__global__ void k(P **p) { p[0] = new P; delete p[0]; }
//// struct_with_vector
#include <vector>
struct P { std::vector<int> v; int n; };
__global__ void k(P *p) { p->n = 1; }
//// struct_with_vector_parameter
#include <vector>
struct P { std::vector<int> v; int n; };
__global__ void k(P p, int *x) { x[0] = p.n; }
//// member_host_unused_template
struct P { float x; float norm() const { return x; } };
template <class T> __global__ void k(T p, float *y) { *y = p.norm(); }
//// member_of_same_class_both_versions
struct P { float x;
#ifdef __CUDACC__
__device__
#endif
float norm() const { return x; } };
__global__ void k(P p, float *y) { *y = p.norm(); }
//// member_friend
struct P { float x; friend __device__ P operator+(P a, P b) { return {a.x + b.x}; } };
__global__ void k(P *p) { p[0] = p[1] + p[2]; }
//// member_two_overloads_declared
struct P { float x; float at(int) const; __host__ __device__ float at(float) const { return x; } };
__global__ void k(P p, float *y) { *y = p.at(1.0f); }
//// member_constructor_device_other
struct P { float x; P(float v) : x(v) {} __device__ P() {} };
__global__ void k(float *y) { P p; p.x = 1; *y = p.x; }
//// member_array_pointer
struct P { float x; P() { x = 1; } };
__global__ void k(float *y) { P *p = (P *)y; *y = p[1].x; extern __shared__ P q[]; }
//// member_shared_ctor
struct P { float x; P() { x = 1; } };
__global__ void k(float *y) { __shared__ P p; *y = p.x; }
//// member_reference
struct P { float x; P(float v) { x = v; } float get() { return x; } };
__global__ void k(P *p, float *y) { P &q = p[1]; const P *r = &q; *y = q.x + r->x; }
//// member_local_class
struct P { float x; float norm() const { return x; } };
__global__ void k(float *y) { struct P { float x; __device__ float norm() const { return x; } }; P p; p.x = 1; *y = p.norm(); }
//// member_local_alias
struct P { float x; float norm() const { return x; } };
struct Q { float x; __device__ float norm() const { return x; } };
__global__ void k(float *y) { using P = Q; P p; p.x = 1; *y = p.norm(); }
//// member_of_two_namespaces
namespace a { struct P { float x; float norm() const { return x; } }; }
namespace b { struct P { float x; __device__ float norm() const { return x; } }; }
__global__ void k(b::P p, float *y) { *y = p.norm(); }
//// member_function_pointer
struct P { float (*norm)(float); };
struct Q { float norm(float x) { return x; } };
__global__ void k(P p, float *y) { *y = p.norm(1); }
//// member_other_object_same_name
struct P { float x; float norm() const { return x; } };
struct Q { float x; __device__ float norm() const { return x; } };
__global__ void k(P p, float *y) { *y = p.x; { Q p{1}; *y = p.norm(); } }
//// member_constructor_copies
struct P { float x; P(float v) : x(v) {} };
__global__ void k(P p, P *q, float *y) { P a(p), b{p}, c = p, d(*q), e(q[1]); P f(a); *y = a.x + b.x + c.x + d.x + e.x + f.x; }
int main() { P p(3), *q = nullptr; k<<<1, 1>>>(p, q, nullptr); }
//// member_constructor_pointer
struct P { float x; P(float v) { x = v; } };
__global__ void k(P *q) { P *p = &q[1]; P &r = *p; r.x = 1; const P &s = q[0]; r.x = s.x; }
//// member_constructor_reinterpret
struct P { float x; P(float v) { x = v; } };
__global__ void k(float *y) { P *p = (P *)y; P *q = reinterpret_cast<P *>(y); p->x = sizeof(P) + q->x; }
//// member_both_constructors
struct P { float x; P(double v) { x = v; } __host__ __device__ P(float v) { x = v; } };
__global__ void k(float *y) { P p(3.0f); *y = p.x; }
int main() { P p(3.0); }
//// member_macro_of_two_kinds
#ifdef __CUDACC__
#define callable __host__ __device__
#else
#define callable
#endif
struct P { float x; callable P() : x(1) {} callable float norm() const { return x; } };
__global__ void k(float *y) { P p; *y = p.norm(); }
int main() { P p; return p.norm(); }
//// member_host_only_used_there
#include <cstdlib>
struct Buffer { float *data; int n; Buffer(int n) : n(n) { cudaMalloc(&data, n); } float *get() { return data; } };
__global__ void k(float *data, int n) { if (threadIdx.x < n) data[threadIdx.x] = 1; }
int main() { Buffer b(3); k<<<1, 1>>>(b.get(), b.n); }
//// member_device_in_lambda --extended-lambda
struct P { float x; __device__ float norm() const { return x; } };
template <class F> __global__ void k(F f) { f(); }
int main() { P p{1}; k<<<1, 1>>>([p] __device__() { return p.norm(); }); }
//// member_device_sizeof_in_host
struct P { float x; __device__ float norm() const { return x; } };
int main() { P p{1}; return sizeof(p.norm()); }
//// member_view
struct View { float *p; int n; __device__ float &operator()(int i) const { return p[i]; } __host__ __device__ int size() const { return n; } };
__global__ void k(View v) { if (threadIdx.x < v.size()) v(threadIdx.x) = 1; }
int main() { View v{nullptr, 3}; k<<<1, v.size()>>>(v); }
//// member_of_specialization
template <class T> struct Op { T operator()(T x) { return x; } };
template <> struct Op<float> { __device__ float operator()(float x) { return 2 * x; } };
__global__ void k(float *x) { Op<float> op; x[0] = op(x[0]); }
//// member_inherited_in_other_namespace
namespace cpu { struct Matrix { float get(int i) { return i; } }; }
namespace gpu { struct Base { __device__ float get(int i) { return i; } }; struct Matrix : Base {};
__global__ void k(float *x) { Matrix m; x[0] = m.get(1); } }
//// constructor_copies_member
struct P { float x; P(float v) : x(v) {} };
struct S { P p; int n; };
__global__ void k(S *s, float *x) { P q(s->p); P r{s[1].p}; x[0] = q.x + r.x; }
//// constructor_copies_result
struct P { float x; P(float v) : x(v) {} };
__device__ P first(P *p) { return *p; }
__global__ void k(P *p, void *s, float *x) { P q(first(p)); P r = P(*(P *)s); x[0] = q.x + r.x; }
//// constructor_of_number
struct P { float x; P(float v) : x(v) {} };
__global__ void k(const float *x, int n) { P q(2 * x[n] + n); } // expected-error: a constructor of P is host code
//// device_member_in_host
struct S { int v; __device__ int f() { return v; } };
int main() { S s; s.v = 1; return s.f(); } // expected-error: f is a __device__ function
//// device_static_member_in_host
struct S { __device__ static int f() { return 1; } };
int main() { return S::f(); } // expected-error: f is a __device__ function
//// member_device_static_by_object
struct P { __device__ static int f() { return 1; } };
int main() { P p; return p.f(); } // expected-error: f is a __device__ function
//// member_device_subscript_in_host
struct View { float *p; __device__ float &at(int i) const { return p[i]; } };
int main() { View v{nullptr}; return v.at(1); } // expected-error: at is a __device__ function
