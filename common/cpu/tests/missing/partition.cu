// says: DevicePartition
#include <cub/cub.cuh>
void partition(size_t &bytes, const int *in, const bool *flags, int *out, int *count) {
  cub::DevicePartition::Flagged(nullptr, bytes, in, flags, out, count, 100);
}
