/* A host file in C that has its own declarations of what it calls, as programs of the first years
 * have. */
#include <stdio.h>

int cudaSetDevice(int device);
int cudaMallocHost(void **pointer, size_t bytes, unsigned int flags);
int cudaDeviceSynchronize(void);
int cudaFreeHost(void *pointer);
void negate(int *x, int n);

int main(void) {
  int *x = 0, i,
      right = cudaSetDevice(0) == 0 && cudaMallocHost((void **)&x, 64 * sizeof *x, 0) == 0;
  for (i = 0; right && i < 64; ++i)
    x[i] = i;
  if (right)
    negate(x, 64);
  right = right && cudaDeviceSynchronize() == 0;
  for (i = 0; right && i < 64; ++i)
    right = x[i] == -i;
  right = cudaFreeHost(x) == 0 && right;
  puts(right ? "PASS" : "FAIL");
  return !right;
}
