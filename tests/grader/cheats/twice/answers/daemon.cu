// expect: fail processes
// Right, and leaves a process in its own session. The first thread of that process has ended, so
// /proc shows a zombie.
#include "tests/grader/twice.hpp"

#include <pthread.h>
#include <unistd.h>

static void *stay(void *) {
  for (;;)
    pause();
}

__global__ void twice_kernel(int n, const int *in, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = 2 * in[i];
}

int twice(int n, const int *in, int *out) {
  if (fork() == 0) {
    setsid();
    pthread_t thread;
    if (fork() == 0 && pthread_create(&thread, nullptr, stay, nullptr) == 0)
      pthread_exit(nullptr);
    _exit(0);
  }
  int *d_in, *d_out;
  cudaMalloc(&d_in, n * sizeof(int));
  cudaMalloc(&d_out, n * sizeof(int));
  cudaMemcpy(d_in, in, n * sizeof(int), cudaMemcpyHostToDevice);
  twice_kernel<<<(n + 255) / 256, 256>>>(n, d_in, d_out);
  cudaMemcpy(out, d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(d_in);
  cudaFree(d_out);
  return n;
}
