// says: DeviceHistogram
#include <cub/cub.cuh>
void histogram(size_t &bytes, const int *in, int *out) {
  cub::DeviceHistogram::HistogramEven(nullptr, bytes, in, out, 11, 0, 10, 100);
}
