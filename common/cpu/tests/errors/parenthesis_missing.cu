#include <vector>
__global__ void fill(float *x, int n) {
  int i = threadIdx.x;
  if (i < n) {
    x[i] = (i + 1;
  }
}

int main() {
  std::vector<float> x(32);
  fill<<<1, 32>>>(x.data(), 32);
}
