// cuda/atomic: objects, references, and a flag; types of cuda::std.
#include <cuda/atomic>
#include <cuda/std/cstdint>
#include <cuda/std/limits>
#include <cuda/std/type_traits>

#include <cstdio>

using Counter = cuda::atomic<int, cuda::thread_scope_device>;

__global__ void count(Counter *counter, float *sum, int *largest, cuda::std::atomic<int> *done) {
  const cuda::std::int32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  cuda::atomic_ref<float, cuda::thread_scope_device>(*sum).fetch_add(0.5f);
  cuda::atomic_ref<int>(*largest).fetch_max(i, cuda::memory_order_relaxed);
  if (counter->fetch_add(1) == int(gridDim.x * blockDim.x) - 1)
    done->store(1, cuda::memory_order_release);
}

int main() {
  static_assert(cuda::std::is_same_v<cuda::std::uint8_t, unsigned char>);
  struct Shared {
    Counter counter;
    cuda::std::atomic<int> done;
    float sum;
    int largest;
  } * shared;
  cudaMallocManaged(&shared, sizeof *shared);
  new (shared) Shared{{0}, {0}, 0, cuda::std::numeric_limits<int>::min()};
  count<<<4, 64>>>(&shared->counter, &shared->sum, &shared->largest, &shared->done);
  const bool ran = cudaDeviceSynchronize() == cudaSuccess;
  const bool ok = ran && shared->done.load(cuda::memory_order_acquire) == 1 &&
                  shared->counter.load() == 256 && shared->sum == 128 && shared->largest == 255;
  cudaFree(shared);
  std::puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
