// One thread of one block never ends, and looks at no memory. What it says and its loop
// are one line.
#include <cstdio>

__global__ void search(int block, unsigned *found) {
  volatile unsigned x = 1; // else compilers may take the loop for one that ends
  if (blockIdx.x == block && threadIdx.x == 5)
    while ((x = x == 1 ? printf("begun\n") | 1 : 3 * x) != 0) // @loop
      ;
  if (x == 0)
    *found = x;
}

int main(int argc, char **) {
  unsigned *found;
  cudaMalloc(&found, sizeof *found);
  search<<<2, 32>>>(argc - 1, found); // @launch
  return cudaDeviceSynchronize();
}
