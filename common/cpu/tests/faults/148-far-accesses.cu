// Accesses far outside an array are laid to that array, and found where a neighbour begins close
// by.
#include "cases.hpp"

// case in_bytes_of_another_type
// expect: memcheck read
// says: an array of 262144 bytes allocated at
// says: 106496 bytes past the end
// The array has room for int in place of double; smaller arrays come next.
__global__ void look(const double *values, double *out, int i) {
  out[0] = values[i]; // @read
}

CASE(in_bytes_of_another_type) {
  const int n = 65536;
  char *values = array<char>(n * (fixed ? sizeof(double) : sizeof(int)), 0);
  array<char>(8192);
  look<<<1, 1>>>(reinterpret_cast<double *>(values), array<double>(1), 46080);
}

// case rows_for_columns
// expect: memcheck write
// says: an array of 24000 bytes allocated at
// The wrong width: what is far past one array would be in the middle of the next.
__global__ void set(float *m, int rows, int columns, int width) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  for (int column = 0; row < rows && column < columns; ++column)
    m[row * width + column] = 1; // @write
}

CASE(rows_for_columns) {
  const int rows = 300, columns = 20;
  float *m = array<float>(rows * columns);
  array<float>(100000);
  set<<<3, 128>>>(m, rows, columns, fixed ? columns : rows);
}

// case before_the_start
// expect: memcheck read
// says: an array of 4096 bytes allocated at
// says: 400000 bytes before the start
// Only one of the two arrays next to the address is the kernel's.
__global__ void look_back(const double *values, double *out, int i) {
  out[0] = values[-i]; // @read
}

CASE(before_the_start) {
  double *out = array<double>(1);
  array<double>(1024);
  look_back<<<1, 1>>>(array<double>(512, 0), out, fixed ? 0 : 50000);
}

// case index_overflows
// expect: memcheck element
// says: an array of 4096 bytes allocated at
// The product of 32 bits would be an element of another array.
__global__ void element(const float *a, float *out, int row, int width) {
  out[0] = a[row * width]; // @element
}

CASE(index_overflows) {
  float *out = array<float>(1), *a = array<float>(1024, 0);
  array<float>(16 << 20, 0);
  element<<<1, 1>>>(a, out, 1000, fixed ? 1 : 10000);
}

// case far_before_the_start
// expect: memcheck element_before
// says: an array of 67108864 bytes allocated at
__global__ void element_before(const int *values, int *out, int i) {
  out[0] = values[i]; // @element_before
}

CASE(far_before_the_start) {
  int *out = array<int>(1);
  array<int>(16 << 20, 0);
  element_before<<<1, 1>>>(array<int>(16 << 20, 0), out, fixed ? 0 : -70000000);
}

// case many_arrays
// expect: nothing
CASE(many_arrays) {
  for (int i = 0; i < (fixed ? 10 : 5000); ++i) {
    float *a;
    if (cudaMalloc(&a, 4) == cudaSuccess)
      cudaFree(a);
  }
}
