// expect: initcheck last
// expect: initcheck none
// The host gets values that no kernel has written: the last one of an array, and a sum.
#include "array.hpp"

struct Cell { // with holes between its members
  char kind;
  double value;
};

__global__ void fill(float *a, int n, Cell *cells) {
  if (threadIdx.x < n)
    a[threadIdx.x] = 1;
  if (threadIdx.x < 16) {
    cells[threadIdx.x].kind = 1;
    cells[threadIdx.x].value = 2;
  }
}

int main() {
  float *a = array<float>(100), *sum = array<float>(1);
  Cell *cells = array<Cell>(16), host_cells[16];
#ifdef FIXED
  cudaMemset(sum, 0, sizeof *sum);
  fill<<<1, 128>>>(a, 100, cells);
#else
  fill<<<1, 128>>>(a, 99, cells);
#endif
  std::vector<float> host(100);
  cudaMemcpy(host.data(), a, 100 * sizeof(float), cudaMemcpyDeviceToHost); // @last
  cudaMemcpy(host.data(), sum, sizeof(float), cudaMemcpyDeviceToHost);     // @none
  cudaMemcpy(host_cells, cells, sizeof host_cells, cudaMemcpyDeviceToHost);
  return 0;
}
