// compiles
#include <thrust/execution_policy.h>
#include <thrust/sort.h>
#include <vector>
struct Falling {
  bool operator()(float a, float b) const { return a > b; }
};
void sort(std::vector<float> &x) {
  thrust::sort(x.begin(), x.end(), Falling());
  thrust::sort(thrust::host, x.begin(), x.end(), [](float a, float b) { return a < b; });
}
