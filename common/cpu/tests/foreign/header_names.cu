// Names as NVIDIA's headers declare them (public reports stream-default, v2-names,
// device-vector-allocator): a macro that is both a flag and a stream; a second version of a
// function; a device_vector with its allocator.
#include <stdio.h>
#include <thrust/device_allocator.h>
#include <thrust/device_vector.h>

#if !defined cudaHostAllocDefault || !defined cudaEventDefault || !defined cudaStreamPerThread ||  \
    !defined cudaCpuDeviceId || !defined cudaOccupancyDefault || !defined cudaDeviceMapHost
#error "these are macros"
#endif

__global__ void count(int *x) { x[threadIdx.x] = threadIdx.x; }

template <class T, class A> T *raw(thrust::device_vector<T, A> &v) {
  return thrust::raw_pointer_cast(v.data());
}
template <template <class, class> class V> struct Holds {
  V<int, thrust::device_allocator<int>> v;
};

int main() {
  Holds<thrust::device_vector> holds;
  holds.v.resize(4);
  cudaStream_t stream = cudaStreamDefault;
  cudaEvent_t event;
  int last = 0, *managed;
  cudaEventCreateWithFlags(&event, cudaEventDefault);
  count<<<1, 4, 0, cudaStreamDefault>>>(raw(holds.v));
  cudaEventRecord(event, cudaStreamDefault);
  cudaMemcpyAsync(&last, raw(holds.v) + 3, 4, cudaMemcpyDeviceToHost, cudaStreamDefault);
  cudaStreamSynchronize(cudaStreamDefault);
  bool right = last == 3 && cudaStreamSynchronize(stream) == cudaSuccess;

  cudaMemLocation here = {};
  here.type = cudaMemLocationTypeDevice;
  cudaMallocManaged(&managed, 4096);
  right = right && !cudaMemAdvise_v2(managed, 4096, cudaMemAdviseSetPreferredLocation, here) &&
          !cudaMemPrefetchAsync_v2(managed, 4096, here, 0, 0);
  puts(right ? "PASS" : "FAIL");
  return !right;
}
