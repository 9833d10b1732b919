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
  double *values, *small, *out;
  cudaMalloc(&values, n * (fixed ? sizeof(double) : sizeof(int)));
  cudaMalloc(&small, 8192);
  cudaMalloc(&out, 8);
  cudaMemset(values, 0, n * (fixed ? sizeof(double) : sizeof(int)));
  look<<<1, 1>>>(values, out, 46080);
  cudaFree(values);
  cudaFree(small);
  cudaFree(out);
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
  float *m, *next;
  cudaMalloc(&m, rows * columns * sizeof *m);
  cudaMalloc(&next, 100000 * sizeof *next);
  set<<<3, 128>>>(m, rows, columns, fixed ? columns : rows);
  cudaFree(m);
  cudaFree(next);
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
  double *other, *values, *out = array<double>(1);
  cudaMalloc(&other, 8192);
  cudaMalloc(&values, 4096);
  cudaMemset(values, 0, 4096);
  look_back<<<1, 1>>>(values, out, fixed ? 0 : 50000);
  cudaFree(other);
  cudaFree(values);
}

// case index_overflows
// expect: memcheck element
// says: an array of 4096 bytes allocated at
// The product of 32 bits would be an element of another array.
__global__ void element(const float *a, float *out, int row, int width) {
  out[0] = a[row * width]; // @element
}

CASE(index_overflows) {
  float *a, *large, *out = array<float>(1);
  cudaMalloc(&a, 4096);
  cudaMalloc(&large, 64 << 20);
  cudaMemset(a, 0, 4096);
  cudaMemset(large, 0, 64 << 20);
  element<<<1, 1>>>(a, out, 1000, fixed ? 1 : 10000);
  cudaFree(a);
  cudaFree(large);
}

// case far_before_the_start
// expect: memcheck element_before
// says: an array of 67108864 bytes allocated at
__global__ void element_before(const int *values, int *out, int i) {
  out[0] = values[i]; // @element_before
}

CASE(far_before_the_start) {
  int *large, *values, *out = array<int>(1);
  cudaMalloc(&large, 64 << 20);
  cudaMalloc(&values, 64 << 20);
  cudaMemset(large, 0, 64 << 20);
  cudaMemset(values, 0, 64 << 20);
  element_before<<<1, 1>>>(values, out, fixed ? 0 : -70000000);
  cudaFree(large);
  cudaFree(values);
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
