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
