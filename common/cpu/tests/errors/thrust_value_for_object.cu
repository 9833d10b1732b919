#include <thrust/count.h>
#include <thrust/device_vector.h>

int count(const thrust::device_vector<float> &cells, float limit) {
  return thrust::count_if(cells.begin(), cells.end(), limit);
}
