#include <vector>
namespace {
__global__ void set(float *x, int n) { x[threadIdx.x] = n; }
} // namespace
int main() {
  std::vector<float> x(32);
  set<<<1, 32>>>(x, 32);
}
