#include <vector>
__global__ void fill(std::vector<float> x) { x[threadIdx.x] = 1; }
int main() {
  std::vector<float> x(32);
  fill<<<1, 32>>>(x);
}
