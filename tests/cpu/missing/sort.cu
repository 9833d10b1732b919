// says: DeviceRadixSort
#include <cub/cub.cuh>
void sort(size_t &bytes, int *in, int *out) {
  cub::DeviceRadixSort::SortKeys(nullptr, bytes, in, out, 100);
}
