// says: declare it __host__ __device__
#include <thrust/count.h>
#include <thrust/device_vector.h>
struct Hot {
  float limit;
  bool operator()(float x) const { return x > limit; }
};
long hot(const thrust::device_vector<float> &x) {
  return thrust::count_if(x.begin(), x.end(), Hot{90});
}
