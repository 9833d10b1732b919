// expect: memcheck shift
// expect: memcheck rows
// Copies within an array, whose target overlaps their source.
#include "array.hpp"

int main() {
  int *a = array<int>(64, 0);
  const size_t row = 16 * sizeof(int), part = 8 * sizeof(int);
  cudaDeviceSynchronize();
#ifdef FIXED
  cudaMemcpy(a + 32, a, 32 * sizeof(int), cudaMemcpyDeviceToDevice);
  cudaMemcpy2D(a + 8, row, a, row, part, 4, cudaMemcpyDeviceToDevice);  // other columns
  cudaMemcpy2D(a + 32, row, a, row, part, 2, cudaMemcpyDeviceToDevice); // other rows
#else
  cudaMemcpy(a + 1, a, 32 * sizeof(int), cudaMemcpyDeviceToDevice);     // @shift
  cudaMemcpy2D(a + 16, row, a, row, part, 3, cudaMemcpyDeviceToDevice); // @rows
#endif
  return 0;
}
