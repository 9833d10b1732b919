// The functions that the translator finds in a text, each with its execution space.
#include "translator/functions.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>
#include <vector>

using namespace course_cpu::translator;

namespace {

struct Case {
  std::string source;
  std::string
      expected; // "name space", with `kernel` and `member` where it is one; `, ` between two
};

std::string space(const Function &f) {
  const char *const names[] = {"none", "unknown", "host", "device", "both"};
  return f.is_kernel ? "kernel" : names[static_cast<int>(f.side)];
}

std::string functions_of(const std::string &source) {
  const Lexed lexed = lex(source);
  Specifiers specifiers;
  find_specifiers(lexed, specifiers);
  const Functions functions(lexed, specifiers);
  std::string result;
  for (const Function &f : functions.all())
    result += (result.empty() ? "" : ", ") + std::string(lexed.code[f.name].text) + ' ' + space(f) +
              (f.is_member ? " member" : "");
  return result;
}

void check(const std::vector<Case> &cases) {
  for (const Case &c : cases) {
    INFO(c.source);
    CHECK(functions_of(c.source) == c.expected);
  }
}

} // namespace

TEST_CASE("kernels") {
  check({
      {"__global__ void k() {}", "k kernel"},
      {"__global__ void k(int n, float *x);", "k kernel"},
      {"void __global__ k() {}", "k kernel"},
      {"static __global__ void k() {}", "k kernel"},
      {"extern \"C\" __global__ void k() {}", "k kernel"},
      {"extern \"C\" { __global__ void k() {} }", "k kernel"},
      {"template <class T> __global__ void k(T *x) {}", "k kernel"},
      {"template <class T, int N = (1 > 0) ? 2 : 3> __global__ void k(T (&x)[N]) {}", "k kernel"},
      {"template <class T = std::pair<int, int>> __global__ void k(T x) {}", "k kernel"},
      {"template <> __global__ void k<float>(float *x) {}", "k kernel"},
      {"template __global__ void k<float>(float *);", "k kernel"},
      {"template <template <class> class V> __global__ void k(V<int> x) {}", "k kernel"},
      {"__global__ __launch_bounds__(256) void k() {}", "k kernel"},
      {"__global__ void __launch_bounds__(256, 2) k(int n) {}", "k kernel"},
      {"__launch_bounds__(N / (2 + 1)) __global__ void k() {}", "k kernel"},
      {"__global__ void __maxnreg__(32) k() {}", "k kernel"},
      {"__global__ __attribute__((noinline)) void k() {}", "k kernel"},
      {"[[maybe_unused]] __global__ void k() {}", "k kernel"},
      {"__global__ void k() noexcept {}", "k kernel"},
      {"__global__ auto k(int n) -> void {}", "k kernel"},
      {"namespace a::b { namespace { __global__ void k() {} } }", "k kernel"},
      {"inline namespace v1 { __global__ void k() {} }", "k kernel"},
      {"__global__ void k(int n = f(1), int m = 2) {}", "k kernel"},
      {"__global__ void k(void (*f)(int), int n) {}", "k kernel"},
      {"__global__ void a(), b();", "a kernel"},
      {"struct A { friend __global__ void k(A *a); };", "k kernel member"},
      {"#define KERNEL __global__ void\nKERNEL k(int n) {}", "k kernel"},
      {"#define KERNEL __global__\n#define FAST KERNEL static\nFAST void k(int n) {}", "k kernel"},
      {"template <class T> requires(sizeof(T) > 4) __global__ void k(T x) {}", "k kernel"},
      {"template <class T> requires std::integral<T> __global__ void k(T x) {}", "k kernel"},
  });
}

TEST_CASE("functions") {
  check({
      {"int main() {}", "main host"},
      {"int main(int argc, char **argv) { if (argc > 1) return f(1); for (;;) {} }", "main host"},
      {"void f(void);", "f host"},
      {"float f(float x) { return x; }", "f host"},
      {"T f(T x) { return x; }", "f host"},
      {"static inline const float *f(const float *x);", "f host"},
      {"unsigned f() {}", "f host"},
      {"std::string f() {}", "f host"},
      {"std::vector<int> f() {}", "f host"},
      {"std::map<std::string, std::vector<int>> f(int n) {}", "f host"},
      {"template <int N> std::array<float, N> f() {}", "f host"},
      {"template <class T> T f(T x) {}", "f host"},
      {"struct A *f(struct A *a) {}", "f host"},
      {"enum Color f(int i) {}", "f host"},
      {"long long f() {}", "f host"},
      {"int (f)(int x) {}", "f host"},
      {"__host__ float f(float x) {}", "f host"},
      {"__device__ float f(float x) {}", "f device"},
      {"float __device__ f(float x) {}", "f device"},
      {"__device__ __forceinline__ float f(float x);", "f device"},
      {"__host__ __device__ float f(float x) {}", "f both"},
      {"__device__ static inline __host__ float f(float x) {}", "f both"},
      {"#define HD __host__ __device__\nHD float f(float x) {}", "f both"},
      {"__device__ std::pair<int, int> f() { return {1, 2}; }", "f device"},
      {"__device__ auto f(int n) -> decltype(n + 1) { return n; }", "f device"},
      {"__device__ decltype(auto) f(int &n) { return (n); }", "f device"},
      {"decltype(a + b) f(int n) { return n; }", "f host"},
      {"[[nodiscard]] int f() {}", "f host"},
      {"[[nodiscard]] __device__ int f() {}", "f device"},
      {"__attribute__((always_inline)) int f() {}", "f host"},
      {"alignas(16) __device__ int f();", "f device"},
      {"constexpr int f() { return 1; }", "f unknown"},
      {"consteval int f() { return 1; }", "f unknown"},
      {"constexpr __device__ int f() { return 1; }", "f device"},
      {"DEVICE float f(float x) {}", "f unknown"},
      {"ALIGNED(16) float f(float x) {}", "f unknown"},
      {"API(int) f(float x) {}", "f unknown"},
      {"int f(int a, int b)\n// why\n{ return a; }", "f host"},
      {"int /* not g( */ f /* ( */ (int a) {}", "f host"},
      {"__device__ \\\n int \\\n f() {}", "f device"},
      {"int f() try {} catch (...) {}", "f host"},
      {"int f(), g();", "f host"},
      {"void f(int (*callback)(float), void *data) {}", "f host"},
      {"void (*f(int n))(float) {}", "f host"},
      {"int f(a, b) int a, b; {}", "f host"},
      {"void ::a::f(int n) {}", "f host"},
      {"bool a::B::f(int n) {}", "f host"},
      {"template <class T> void A<T>::f(int n) {}", "f host"},
      {"template <class T> __device__ void A<T>::f(int n) {}", "f device"},
      {"template <class T> requires(sizeof(T) > 4) __device__ T f(T x) {}", "f device"},
      {"template <class T> __device__ T f(T x) requires(sizeof(T) > 4) {}", "f device"},
      {"__device__ int a() { return b(); } int b() { return a(); }", "a device, b host"},
      {"namespace a { int f() {} } __device__ int g() {}", "f host, g device"},
      {"#if A\nint f() {\n#else\n__device__ int f() {\n#endif\n}", "f host, f device"},
      {"#if 0\nint f() {}\n#endif\nint g() {}", "g host"},
      {"int f() { auto g = [](int n) { return n; }; return g(1); }", "f host"},
      {"int f() { auto g = [] __device__(int n) { return n; }; }", "f host"},
      {"int f() { struct A { int g() {} __device__ int h() {} }; }", "f host"},
      {"int f() { int g(int n); }", "f host"},
      {"auto f() { return [=](auto x) mutable -> int { return x; }; }", "f host"},
      {"void f() { k<<<1, 2>>>(x); if (a) { } else while (b(1)) { } switch (c) { } }", "f host"},
  });
}

TEST_CASE("operators") {
  check({
      {"bool operator<(A a, A b) {}", "operator host"},
      {"__device__ A operator+(A a, A b) {}", "operator device"},
      {"__host__ __device__ float2 operator*(float a, float2 b) {}", "operator both"},
      {"__device__ bool operator==(A a, A b) = delete;", "operator device"},
      {"std::ostream &operator<<(std::ostream &out, A a) {}", "operator host"},
      {"__device__ double operator\"\"_km(long double x) {}", "operator device"},
      {"struct A { float operator()(float x) const {} };", "operator unknown member"},
      {"struct A { __device__ float operator()(float x) const {} };", "operator device member"},
      {"struct A { __device__ operator float() const { return x; } };", "operator device member"},
      {"struct A { __device__ float operator[](int i) {} };", "operator device member"},
      {"__device__ void *operator new(size_t n) {}", "operator device"},
      {"__device__ A &A::operator=(const A &a) {}", "operator device"},
  });
}

TEST_CASE("members") {
  check({
      {"struct A { int f() {} };", "f unknown member"},
      {"struct A { __device__ int f() const; };", "f device member"},
      {"class A : public B<int> { public: __host__ __device__ int f() {} };", "f both member"},
      {"template <class T> class A<T *> { __device__ T f() {} };", "f device member"},
      {"struct A { __device__ A() {} };", "A device member"},
      {"struct A { __device__ A(int n) : n(n) {} int n; };", "A device member"},
      {"struct A { __device__ A(int n) : n{n}, m{2} {} };", "A device member"},
      {"struct A { __device__ A() : n{1}, m(2), o{} { f(); } __device__ void g() {} };",
       "A device member, g device member"},
      {"struct A { __device__ A() noexcept(true) : B<int>{1} {} void g() {} };",
       "A device member, g unknown member"},
      {"struct A { __device__ explicit A(int n) : n{n} {} };", "A device member"},
      {"struct A { explicit(true) __device__ A(int n) {} };", "A device member"},
      {"struct A { A() = default; A(const A &) = delete; int f(); };",
       "A unknown member, A unknown member, f unknown member"},
      {"struct A { virtual int f() = 0; };", "f unknown member"},
      {"struct A { __device__ virtual int f() const override final {} };", "f device member"},
      {"struct A { __device__ ~A() {} };", "A device member"},
      {"struct A { static __device__ int f() {} };", "f device member"},
      {"struct A { template <class T> __device__ T f(T x) {} };", "f device member"},
      {"struct A { struct B { __device__ int f() {} }; __device__ int g() {} };",
       "f device member, g device member"},
      {"struct A { friend __device__ A operator+(A a, A b) {} };", "operator device member"},
      {"struct A { friend struct B; __device__ int f() {} };", "f device member"},
      {"struct A { int n = 3; int m{4}; __device__ int f() {} };", "f device member"},
      {"struct A { int (*f)(int); __device__ int g() {} };", "g device member"},
      {"struct A { int x[3] = {1, 2, 3}; __device__ int f() {} };", "f device member"},
      {"struct A { public: __device__ int f() {} private: int g() {} };",
       "f device member, g unknown member"},
      {"struct A { bool operator==(const A &) const = default; };", "operator unknown member"},
      {"A::A(int n) : n{n}, m(2) {}", "A unknown"},
      {"__device__ A::A(int n) : n{n} {} __device__ int f() {}", "A device, f device"},
      {"template <class T> A<T>::~A() {}", "A unknown"},
      {"union U { float f; __device__ int g() {} };", "g device member"},
      {"struct __align__(16) A { __device__ int f() {} };", "f device member"},
      {"struct alignas(16) A { __device__ int f() {} } a;  int g() {}", "f device member, g host"},
      {"typedef struct { int x; } A; int f() {}", "f host"},
      {"typedef struct A { __device__ int f() {} } A;", "f device member"},
  });
}

TEST_CASE("no functions") {
  check({
      {"int x = f(1);", ""},
      {"int x = (int)y;", ""},
      {"const int n = a * (b + c), m = sizeof(int);", ""},
      {"auto f = [](int n) { return n; };", ""},
      {"auto f = [] __device__(int n) { return n; };", ""},
      {"int x{f(2)};", ""},
      {"int x[] = {f(1), g(2)};", ""},
      {"__device__ int x[3] = {1, 2, 3}; int f() {}", "f host"},
      {"__constant__ float table[N * (M + 1)];", ""},
      {"int (*f)(int);", ""},
      {"int (*table[3])(int) = {a, b, c};", ""},
      {"__device__ float (*f)(float) = g;", ""},
      {"int A::*p; int (A::*q)(int);", ""},
      {"using F = int (*)(int);", ""},
      {"using F = int(int);", ""},
      {"typedef int (*F)(int);", ""},
      {"typedef int F(int);", ""},
      {"enum class Color { red = f(1), green };", ""},
      {"struct A; class B; union C;", ""},
      {"static_assert(sizeof(int) == 4, \"int\");", ""},
      {"template <class T> inline constexpr bool is = f(sizeof(T));", ""},
      {"namespace a = b::c;", ""},
      {"using namespace std;", ""},
      {"extern int x; extern \"C\" int y;", ""},
      {"decltype(f(1)) x;", ""},
      {"alignas(f(16)) int x;", ""},
      {"__attribute__((aligned(16))) int x;", ""},
      {"#define F(x) int x() {}\nint y;", ""},
      {"// int f() {}\n/* int g() {} */ const char *s = \"int h() {}\"; auto r = R\"(int i() "
       "{})\";",
       ""},
      {"template <class T> concept C = requires(T t) { t.f(); };", ""},
      {"int x = [] { return 1; }();", ""},
      {"asm(\"nop\");", ""},
      {"std::vector<int> v{1, 2, 3}; int f() {}", "f host"},
      {"std::function<int(int)> g; int f() {}", "f host"},
      {"float4 (*f)(int), (*g)(int);", ""},
      {"template <class T> auto f = [](T x) { g(x); h(x); };", ""},
  });
}
