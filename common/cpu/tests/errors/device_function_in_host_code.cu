#include <cstdio>
__device__ float square(float x) { return x * x; }
int main() {
  std::printf("%g\n", square(2));
}
