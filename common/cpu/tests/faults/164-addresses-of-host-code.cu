// Addresses that are host code's: of functions, of tables of virtual functions, of strings.
#include "cases.hpp"

#include <new>

using Function = float (*)(float);
__host__ __device__ float twice(float x) { return 2 * x; }
__host__ __device__ float half_of(float x) { return x / 2; }
__host__ __device__ float fourth(float x) { return x / 4; }
__device__ float third(float x) { return x / 3; }

// case function
// expect: memcheck call
// says: uses the host's address of function
// says: that cudaMemcpyFromSymbol copies to host code
__device__ Function third_for_host = third;
__global__ void map(Function f, float *x) {
  x[threadIdx.x] = f(x[threadIdx.x]) + 1; // @call
}
CASE(function) {
  Function f = fourth;
  if (fixed)
    cudaMemcpyFromSymbol(&f, third_for_host, sizeof f);
  map<<<1, 32>>>(f, array<float>(32, 0));
}

// case function_by_template
// expect: memcheck call
template <class F> __global__ void map_any(F f, float *x) {
  x[threadIdx.x] = f(x[threadIdx.x]) + 1; // @call
}
struct Half {
  __host__ __device__ float operator()(float x) const { return half_of(x); }
};
CASE(function_by_template) {
  float *x = array<float>(32, 0);
  fixed ? map_any<<<1, 32>>>(Half(), x) : map_any<<<1, 32>>>(half_of, x);
}

// case lambda
// expect: memcheck call
__global__ void map_lambda(Function f, float *x) {
  x[0] = f(x[0]) - 1; // @call
}
__device__ Function kept;
__global__ void keep() {
  kept = [](float x) { return x - 2; };
}
CASE(lambda) {
  Function f = [](float x) { return x - 1; };
  if (fixed) {
    keep<<<1, 1>>>();
    cudaMemcpyFromSymbol(&f, kept, sizeof f);
  }
  map_lambda<<<1, 1>>>(f, array<float>(1, 0));
}

// case member_in_constant_memory
// expect: memcheck call
struct Operation {
  int kind;
  Function f;
};
__constant__ Operation operation;
__global__ void operate(float *x) {
  x[threadIdx.x] = (operation.kind == 1 ? third : operation.f)(x[threadIdx.x]) * 3; // @call
}
CASE(member_in_constant_memory) {
  const Operation its{fixed ? 1 : 2, half_of};
  cudaMemcpyToSymbol(operation, &its, sizeof its);
  operate<<<1, 32>>>(array<float>(32, 0));
}

// case table_of_functions
// expect: memcheck call
// Host code copies an array of its functions to the device.
__device__ Function of_device[2] = {twice, third};
__global__ void by_index(bool fixed, const Function *table, float *x) {
  x[threadIdx.x] = (fixed ? of_device : table)[threadIdx.x % 2](2) + 2; // @call
}
CASE(table_of_functions) {
  const Function host[2] = {half_of, half_of};
  Function *table = array<Function>(2);
  cudaMemcpy(table, host, sizeof host, cudaMemcpyHostToDevice);
  by_index<<<1, 32>>>(fixed, table, array<float>(32, 0));
}

// case kernels_by_pointer
// expect: nothing
// The launched kernel is not one of its own arguments.
__global__ void first(float *x) { x[threadIdx.x] = 1; }
__global__ void second(float *x) { x[threadIdx.x] = 2; }
struct Counted {
  float *x;
  explicit Counted(float *x) : x(x) {}
  Counted(const Counted &other) : x(other.x) {}
};
template <int N> __global__ void counted(Counted c) { c.x[threadIdx.x] = N; }
CASE(kernels_by_pointer) {
  float *x = array<float>(32, 0);
  for (int i = 0; i < 2; ++i) {
    const auto kernel = i == 0 ? first : second;
    kernel<<<1, 32>>>(x);
    const auto templated = i == 0 ? counted<1> : counted<2>;
    templated<<<1, 32>>>(Counted(x));
  }
  void *arguments[] = {&x};
  cudaLaunchKernel(reinterpret_cast<const void *>(first), dim3(1), dim3(32), arguments, 0, nullptr);
}

struct Shape {
  __host__ __device__ virtual float area() const { return 0; }
};
struct Square : Shape {
  float a = 3;
  __host__ __device__ float area() const override { return a * a; }
};

// case object_copied
// expect: memcheck call
// says: at the host's address of the virtual functions of
__global__ void area(const Shape *shape, float *out) {
  *out = shape->area(); // @call
}
__global__ void build(Square *s) { new (s) Square; }
CASE(object_copied) {
  const Square host;
  Square *square = array<Square>(1);
  if (fixed)
    build<<<1, 1>>>(square);
  else
    cudaMemcpy(square, &host, sizeof host, cudaMemcpyHostToDevice);
  area<<<1, 1>>>(square, array<float>(1));
}

struct Circle : Shape {
  float r = 1;
  __host__ __device__ float area() const override { return 3 * r * r; }
};

// case object_in_managed_memory
// expect: memcheck call
__global__ void managed_area(const Shape *shape, float *out) {
  *out = shape->area() + 1; // @call
}
__global__ void build(Circle *c) { new (c) Circle; }
CASE(object_in_managed_memory) {
  Circle *circle = managed<Circle>(1);
  if (fixed)
    build<<<1, 1>>>(circle);
  else
    new (circle) Circle;
  managed_area<<<1, 1>>>(circle, array<float>(1));
}

struct Cube : Shape {
  __host__ __device__ float area() const override { return 6; }
};

// case object_as_argument
// expect: memcheck launch
// says: a kernel's argument is an object with virtual functions
template <class T> __global__ void of_argument(T shape, float *out) { *out = shape.area(); }
struct Plain {
  __host__ __device__ float area() const { return 6; }
};
CASE(object_as_argument) {
  float *out = array<float>(1);
  if (fixed)
    of_argument<<<1, 1>>>(Plain(), out);
  else
    of_argument<<<1, 1>>>(Cube(), out); // @launch
}

struct Ring : Shape {
  __host__ __device__ float area() const override { return 2; }
};

// case object_of_a_kernel
// expect: memcheck call
// says: host code calls a virtual function of an object that a kernel has built
__global__ void build(Ring *r) { new (r) Ring; }
CASE(object_of_a_kernel) {
  Ring *ring = managed<Ring>(1);
  build<<<1, 1>>>(ring);
  cudaDeviceSynchronize();
  if (fixed)
    new (ring) Ring;
  const Shape *volatile shape = ring;
  if (shape->area() != 2) // @call
    std::printf("wrong\n");
}

// case string
// expect: memcheck read
// says: at the host's address of a string
__device__ const char text_of_device[] = "hello";
__global__ void length(bool fixed, const char *text, int *n) {
  if (fixed)
    text = text_of_device;
  int i = 0;
  while (text[i]) // @read
    ++i;
  *n = i;
}
CASE(string) { length<<<1, 1>>>(fixed, "hello", array<int>(1)); }

// case string_printed
// expect: memcheck print
// says: uses the host's address of a string
__global__ void say(bool fixed, const char *text) {
  printf("%s\n", fixed ? "written in the kernel" : text); // @print
}
CASE(string_printed) { say<<<1, 1>>>(fixed, "written in main"); }

// case string_of_a_kernel
// expect: nothing
// The address comes from a kernel, and goes to the next one.
__global__ void give(const char **text) { *text = "of a kernel"; }
CASE(string_of_a_kernel) {
  const char **text = array<const char *>(1);
  give<<<1, 1>>>(text);
  const char *its = nullptr;
  cudaMemcpy(&its, text, sizeof its, cudaMemcpyDeviceToHost);
  length<<<1, 1>>>(false, its, array<int>(1));
}

// case captured_this
// expect: memcheck scale
// says: in a member function, [=] captures this
template <class F> __global__ void each(F f, float *x) { x[threadIdx.x] = f(x[threadIdx.x]); }
struct Scale {
  float factor;
  void run(float *x) const {
    each<<<1, 32>>>([=] __device__(float v) { return v * factor; }, x); // @scale
  }
  void run_copied(float *x) const {
    const float copied = factor;
    each<<<1, 32>>>([=] __device__(float v) { return v * copied; }, x);
  }
};
CASE(captured_this) {
  const Scale scale{3};
  float *const x = array<float>(32, 1);
  fixed ? scale.run_copied(x) : scale.run(x);
}
