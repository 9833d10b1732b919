// Prints the error that a launch returns when its kernel fails.
#include <cstdio>

__global__ void fail() { __trap(); }

int main() {
  fail<<<1, 1>>>();
  std::printf("%d", int(cudaGetLastError()));
}
