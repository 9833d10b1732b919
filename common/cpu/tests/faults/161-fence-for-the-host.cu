// A kernel tells the host by a flag that values are ready. __threadfence() orders the two for the
// device only; the host needs __threadfence_system().
#include "cases.hpp"

#include <cuda/atomic>

// n zeros that kernels and the host use at the same time.
int *mapped(int n) {
  int *values = nullptr;
  cudaHostAlloc(&values, n * sizeof(int), cudaHostAllocMapped);
  for (int i = 0; i < n; ++i)
    values[i] = 0;
  return freed_at_the_end(values, cudaFreeHost);
}

void wait_for(const int *flag) {
  while (*static_cast<const volatile int *>(flag) == 0)
    cudaStreamQuery(nullptr);
}

__device__ void fence(bool of_system) {
  if (of_system)
    __threadfence_system();
  else
    __threadfence();
}

// case pinned_memory
// expect: racecheck value read
// says: the host needs a __threadfence_system() in the kernel
__global__ void answers(bool fixed, int *value, volatile int *flag) {
  *value = 42; // @value
  fence(fixed);
  *flag = 1;
}

CASE(pinned_memory) {
  int *const values = mapped(2);
  answers<<<1, 1>>>(fixed, values, values + 1);
  wait_for(values + 1);
  std::printf("%d\n", values[0]); // @read
}

// case registered_memory
// expect: racecheck value read
__global__ void answers_there(bool fixed, int *value, int *flag) {
  *value = 42; // @value
  fence(fixed);
  atomicExch_system(flag, 1);
}

CASE(registered_memory) {
  int *const flag = mapped(1);
  std::vector<int> values(8);
  cudaHostRegister(values.data(), 32, cudaHostRegisterMapped);
  answers_there<<<1, 1>>>(fixed, values.data(), flag);
  wait_for(flag);
  std::printf("%d\n", values[0]); // @read
  cudaDeviceSynchronize();
  cudaHostUnregister(values.data());
}

// case last_block
// expect: racecheck part read
// The blocks know from each other by __threadfence(), the host knows from the last one.
__global__ void parts(bool fixed, int *values, int *arrived, volatile int *flag) {
  values[blockIdx.x] = blockIdx.x; // @part
  __threadfence();
  if (atomicAdd(arrived, 1) < static_cast<int>(gridDim.x) - 1)
    return;
  if (fixed)
    __threadfence_system();
  *flag = 1;
}

CASE(last_block) {
  int *const values = mapped(9), *const arrived = array<int>(1, 0);
  parts<<<8, 1>>>(fixed, values, arrived, values + 8);
  wait_for(values + 8);
  int sum = 0;
  for (int i = 0; i < 8; ++i)
    sum += values[i]; // @read
  std::printf("%d\n", sum);
}

// case host_waits_too
// expect: nothing
// The flag tells how far the kernel is; before it reads the values, the host waits for its end.
CASE(host_waits_too) {
  int *const values = mapped(2);
  answers<<<1, 1>>>(false, values, values + 1);
  wait_for(values + 1);
  cudaDeviceSynchronize();
  std::printf("%d\n", values[0]);
}

// case by_cuda_atomic
// expect: nothing
// A release of cuda::atomic_ref, and a fence of cuda::, hold for the system if nothing else is
// said.
__global__ void released(int *value, int *flag) {
  *value = 42;
  cuda::atomic_ref<int>(*flag).store(1, cuda::memory_order_release);
}
__global__ void fenced(int *value, volatile int *flag) {
  *value = 42;
  cuda::atomic_thread_fence(cuda::memory_order_release);
  *flag = 1;
}

CASE(by_cuda_atomic) {
  int *const values = mapped(4);
  released<<<1, 1>>>(values, values + 1);
  fenced<<<1, 1>>>(values + 2, values + 3);
  wait_for(values + 1);
  wait_for(values + 3);
  std::printf("%d\n", values[0] + values[2]);
}

// case both_fences
// expect: nothing
// One fence for other blocks, one for the host.
__global__ void both(int *values, int *flag_of_device, volatile int *flag_of_host) {
  if (blockIdx.x == 0) {
    values[0] = 1;
    __threadfence_system();
    *flag_of_host = 1;
    __threadfence();
    atomicExch(flag_of_device, 1);
  } else if (atomicAdd(flag_of_device, 0) == 1) {
    __threadfence();
    values[1] = values[0] + 1;
  }
}

CASE(both_fences) {
  int *const values = mapped(3), *const flag = array<int>(1, 0);
  both<<<2, 1>>>(values, flag, values + 2);
  wait_for(values + 2);
  std::printf("%d\n", values[0]);
}
