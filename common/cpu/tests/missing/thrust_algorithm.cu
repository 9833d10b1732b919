// says: unique
// note: this part of Thrust
#include <thrust/device_vector.h>
long distinct(thrust::device_vector<int> &x) {
  return thrust::unique(x.begin(), x.end()) - x.begin();
}
