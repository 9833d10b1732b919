#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/reduce.h>

float largest(const thrust::device_vector<float> &v) {
  return thrust::reduce(v.begin(), v.end(), v[0], thrust::maximum<float>);
}
