// Host code's address of a __device__ variable is none in a kernel: cudaGetSymbolAddress returns
// the kernel's.
#include "cases.hpp"

#include <cstdlib>

// case argument
// expect: memcheck write
// says: write of 4 bytes at the host's address of a __device__ variable
// says: numbers, a variable of 128 bytes
__device__ float numbers[32];
__global__ void set(float *x) {
  x[threadIdx.x] = 5; // @write
}

template <class T> T *address_of(const T &variable) {
  void *address = nullptr;
  cudaGetSymbolAddress(&address, variable);
  return static_cast<T *>(address);
}

CASE(argument) { set<<<1, 32>>>(fixed ? *address_of(numbers) : numbers); }

// case constant
// expect: memcheck read
// says: at the host's address of a __constant__ variable
__constant__ float coefficients[4];
__global__ void scaled(const float *c, float *out) {
  out[threadIdx.x] = c[threadIdx.x] * 2; // @read
}

CASE(constant) {
  const float host[4] = {1, 2, 3, 4};
  cudaMemcpyToSymbol(coefficients, host, sizeof host);
  float *out = array<float>(4);
  scaled<<<1, 4>>>(fixed ? *address_of(coefficients) : coefficients, out);
}

// case structure
// expect: memcheck read
__device__ int table[4] = {1, 2, 3, 4};
struct View {
  int n;
  const int *values;
};
__global__ void look_up(View view, int *out) {
  if (int(threadIdx.x) < view.n)
    out[threadIdx.x] = view.values[threadIdx.x]; // @read
}

CASE(structure) {
  int *out = array<int>(4);
  look_up<<<1, 32>>>(View{4, fixed ? *address_of(table) : table}, out);
}

// case structure_on_the_device
// expect: memcheck read
// A structure that is copied to the device, from a pointer that host code keeps.
__device__ int lengths[4];
const int *const kept = lengths;
__global__ void look_up_there(const View *view, int *out) {
  out[threadIdx.x] = view->values[threadIdx.x]; // @read
}

CASE(structure_on_the_device) {
  const View host{4, fixed ? *address_of(lengths) : kept};
  View *view = array<View>(1);
  cudaMemcpy(view, &host, sizeof host, cudaMemcpyHostToDevice);
  look_up_there<<<1, 4>>>(view, array<int>(4));
}

// case pointer_on_the_device
// expect: memcheck read
__device__ int weights[4];
__device__ int *current;
__global__ void weighted(int *out) {
  out[threadIdx.x] = current[threadIdx.x]; // @read
}

CASE(pointer_on_the_device) {
  int *const address = fixed ? *address_of(weights) : weights;
  cudaMemcpyToSymbol(current, &address, sizeof address);
  weighted<<<1, 4>>>(array<int>(4));
}

// case from_a_kernel
// expect: nothing
// A kernel writes down the address, host code copies it and gives it to another kernel.
__device__ int by_kernel[4];
__global__ void tell(int **out) { *out = by_kernel; }
__global__ void use(int *x) { x[threadIdx.x] = threadIdx.x; }

CASE(from_a_kernel) {
  int **out = array<int *>(1), *address;
  tell<<<1, 1>>>(out);
  cudaMemcpy(&address, out, sizeof address, cudaMemcpyDeviceToHost);
  use<<<1, 4>>>(address);
}

// case from_managed_memory
// expect: nothing
CASE(from_managed_memory) {
  int **out = managed<int *>(1);
  tell<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  use<<<1, 4>>>(*out);
}

// case initialised
// expect: nothing
// A variable of the device is initialised with the device's address.
__device__ int first[4], second[4];
__device__ int *both[2] = {first, second};
__global__ void use_both() { both[threadIdx.x / 4][threadIdx.x % 4] = 0; }

CASE(initialised) {
  use_both<<<1, 8>>>();
  int *address;
  cudaMemcpyFromSymbol(&address, both, sizeof address, sizeof address);
  use<<<1, 4>>>(address);
}

// case not_used
// expect: nothing
// A part of the variable, and an address that the kernel gets and does not use.
__global__ void chosen(int *x, int *y, bool first) { (first ? x : y)[threadIdx.x] = 0; }

CASE(not_used) { chosen<<<1, 2>>>(*address_of(table) + 2, first, true); }

// case const_variable
// expect: memcheck read
// says: at the host's address of a const variable
// says: primes, a variable of 16 bytes
const __device__ int primes[4] = {2, 3, 5, 7};
__global__ void sums(const int *numbers, int *out) {
  out[threadIdx.x] = primes[0] + numbers[threadIdx.x]; // @read
}

CASE(const_variable) { sums<<<1, 4>>>(fixed ? address_of(primes)[0] : primes, array<int>(4)); }

// case constexpr_variable_in_a_structure
// expect: memcheck read
constexpr __device__ int squares[4] = {0, 1, 4, 9};
__global__ void squares_of(View view, const char *, int *out) {
  const int *const values = view.n == 0 ? squares : view.values;
  out[threadIdx.x] = values[threadIdx.x]; // @read
}

const char title[] = "not used on the device";
CASE(constexpr_variable_in_a_structure) {
  squares_of<<<1, 4>>>(View{fixed ? 0 : 4, squares}, title, array<int>(4));
}

// case in_managed_memory
// expect: memcheck managed
__device__ int heights[4], widths[4];
__global__ void look_up_managed(const View *view, int *out) {
  out[threadIdx.x] = view->values[threadIdx.x]; // @managed
}

CASE(in_managed_memory) {
  View *views = managed<View>(2);
  views[0] = View{4, fixed ? *address_of(heights) : heights};
  views[1] = views[0];
  look_up_managed<<<1, 4>>>(views, array<int>(4));
}

// case in_pinned_memory
// expect: memcheck pointed
__global__ void pointed_at(int **pointer, int *out) {
  out[threadIdx.x] = (*pointer)[threadIdx.x]; // @pointed
}

CASE(in_pinned_memory) {
  int **pointer = pinned<int *>(1);
  *pointer = fixed ? *address_of(widths) : widths;
  pointed_at<<<1, 4>>>(pointer, array<int>(4));
}

// case from_kernel_to_kernel
// expect: nothing
// The address lies in managed memory, but a kernel wrote it there.
CASE(from_kernel_to_kernel) {
  int **pointer = managed<int *>(1);
  tell<<<1, 1>>>(pointer);
  pointed_at<<<1, 4>>>(pointer, array<int>(4));
}

// case old_address_beside_an_argument
// expect: nothing
// The padding of an argument is not an argument, though it may look like most of an address.
__device__ int large[1 << 20];
struct Choice {
  bool asked;
  int *out;
};
__global__ void only_if_asked(Choice choice) {
  if (choice.asked)
    *choice.out = large[threadIdx.x];
}

CASE(old_address_beside_an_argument) {
  Choice choice;
  const int *const old = large + (1 << 19);
  std::memcpy(static_cast<void *>(&choice), &old, sizeof old);
  choice.asked = false;
  choice.out = nullptr;
  only_if_asked<<<1, 4>>>(choice);
}

// case old_address_beside_a_copied_number
// expect: nothing
// The same in memory that is copied to the device. The number keeps its value, whatever it is.
struct Numbered {
  int number;
  int *out;
};
__global__ void numbered(const Numbered *in, int number, int *equal) {
  *equal = in->number == number && in->out == nullptr;
}

CASE(old_address_beside_a_copied_number) {
  Numbered one, *on_device = array<Numbered>(1);
  const int *const old = large + (1 << 19);
  std::memcpy(static_cast<void *>(&one), &old, sizeof old);
  one.out = nullptr;
  int *equal = array<int>(1), host = 0;
  cudaMemcpy(on_device, &one, sizeof one, cudaMemcpyHostToDevice);
  numbered<<<1, 1>>>(on_device, one.number, equal);
  cudaMemcpy(&host, equal, sizeof host, cudaMemcpyDeviceToHost);
  if (host != 1)
    std::exit(1);
}

// case there_and_back
// expect: nothing
// Host code gets back the address that it knows the variable by, also from managed memory.
struct Named {
  int number;
  const void *variable;
};
__global__ void numbered_named(Named *all, bool *known) {
  all->number++;
  *known = all->variable != nullptr;
}

CASE(there_and_back) {
  const Named host{1, weights};
  Named back, *on_device = array<Named>(1), *on_both = managed<Named>(1);
  bool *known = array<bool>(1);
  cudaMemcpy(on_device, &host, sizeof host, cudaMemcpyHostToDevice);
  numbered_named<<<1, 1>>>(on_device, known);
  cudaMemcpy(&back, on_device, sizeof back, cudaMemcpyDeviceToHost);
  *on_both = back;
  numbered_named<<<1, 1>>>(on_both, known);
  cudaDeviceSynchronize();
  if (on_both->number != 3 || on_both->variable != weights || back.variable != weights)
    std::exit(1);
}
