#include <thrust/count.h>
#include <thrust/device_vector.h>

struct Hot {
  float limit;
  __host__ __device__ bool operator()(float degrees) const { return degrees > limit; }
};

int count(const thrust::device_vector<float> &cells) {
  return thrust::count(cells.begin(), cells.end(), Hot{30});
}
