#include <vector>
template <class T> __global__ void fill(T *x, int n) {
  int i = threadIdx.x;
  if (i < n) {
    x[i] = 1;
  }

static std::vector<float> numbers(int n) { return std::vector<float>(n); }

float *data(std::vector<float> &x) { return x.data(); }

int main() {
  auto x = numbers(32);
  fill<<<1, 32>>>(data(x), 32);
}
