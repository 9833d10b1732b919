// expect: fail memory
// Takes memory that is in no process.
#include "tests/grader/twice.hpp"

#include <sys/mman.h>
#include <unistd.h>

static void take_memory() {
  static char many[1 << 20] = {1};
  for (int file = 0; file < 12; ++file) {
    const int memory = memfd_create("", 0);
    for (int i = 0; i < 200; ++i)
      if (write(memory, many, sizeof many) < 0)
        return;
  }
  pause();
}

__global__ void twice_kernel(int n, const int *in, int *out) {
  // TODO 1: the kernel
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = 2 * in[i];
  // TODO end
}

int twice(int n, const int *in, int *out) {
  // TODO 2: the host's part
  take_memory();
  int *d_in, *d_out;
  cudaMalloc(&d_in, n * sizeof(int));
  cudaMalloc(&d_out, n * sizeof(int));
  cudaMemcpy(d_in, in, n * sizeof(int), cudaMemcpyHostToDevice);
  twice_kernel<<<(n + 255) / 256, 256>>>(n, d_in, d_out);
  cudaMemcpy(out, d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(d_in);
  cudaFree(d_out);
  return n;
  // TODO end
}

int main() { return 0; }
