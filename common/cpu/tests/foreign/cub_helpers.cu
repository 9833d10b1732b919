// CUB's allocator and checks of calls; iterators as its input; what its header brings with it.
#define CUB_STDERR
#include <cstdio>
#include <cub/cub.cuh>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

cub::CachingDeviceAllocator allocator(true);

#if CUB_VERSION < 300000
using Counting = cub::CountingInputIterator<int>;
using Ones = cub::ConstantInputIterator<int>;
template <class Function, class In>
using Transformed = cub::TransformInputIterator<int, Function, In>;
#else
using Counting = thrust::counting_iterator<int>;
using Ones = thrust::constant_iterator<int>;
template <class Function, class In> using Transformed = thrust::transform_iterator<Function, In>;
#endif

struct IsOdd {
  __host__ __device__ bool operator()(int value) const { return value % 2 == 1; }
};

__global__ void check(const int *values) { assert(values[1] == 3); }

int main() {
  constexpr int count = 1000;
  int *odd, *number;
  CubDebugExit(allocator.DeviceAllocate(reinterpret_cast<void **>(&odd), count * sizeof(int)));
  CubDebugExit(allocator.DeviceAllocate(reinterpret_cast<void **>(&number), 2 * sizeof(int)));
  bool ok = cub::Debug(cudaSuccess, __FILE__, __LINE__) == cudaSuccess;
  ok &= CubDebug(cudaErrorInvalidValue) == cudaErrorInvalidValue;

  const Counting places(0);
  const Transformed<IsOdd, Counting> is_odd(places, IsOdd());
  void *storage = nullptr;
  std::size_t bytes = 0;
  for (int call = 0; call < 2; call++) {
    CubDebugExit(cub::DeviceSelect::Flagged(storage, bytes, places, is_odd, odd, number, count));
    if (!storage)
      CubDebugExit(allocator.DeviceAllocate(&storage, bytes));
  }
  CubDebugExit(allocator.DeviceFree(storage));
  storage = nullptr;
  for (int call = 0; call < 2; call++) {
    CubDebugExit(cub::DeviceReduce::Sum(storage, bytes, Ones(1), number + 1, count));
    if (!storage)
      CubDebugExit(allocator.DeviceAllocate(&storage, bytes));
  }
  check<<<1, 1>>>(odd);
  int numbers[2];
  CubDebugExit(cudaMemcpy(numbers, number, sizeof numbers, cudaMemcpyDeviceToHost));
  ok &= numbers[0] == count / 2 && numbers[1] == count;
  for (void *memory : {storage, static_cast<void *>(odd), static_cast<void *>(number)})
    CubDebugExit(allocator.DeviceFree(memory));
#if CUB_VERSION >= 300000 || defined COURSE_CPU_ARCHITECTURE
  const cuda::maximum<> larger;
  ok &= larger(2, 3.5) == 3.5 && cuda::minimum<int>()(-1, 4) == -1;
#endif
  ok &= std::chrono::steady_clock::now().time_since_epoch().count() != 0;
  std::puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
