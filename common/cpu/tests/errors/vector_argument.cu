#include <vector>
__global__ void set(float *x, int n) { x[threadIdx.x] = n; }
int main() {
  std::vector<float> x(32);
  set<<<1, 32>>>(x, 32);
}
