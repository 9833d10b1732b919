#include <cub/cub.cuh>
void sums(float *in, float *out, int *offsets, size_t bytes) {
  cub::DeviceSegmentedReduce::Sum(nullptr, bytes, in, out, 3, offsets, offsets + 1);
}
