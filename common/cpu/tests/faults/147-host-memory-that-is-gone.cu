// A graph and a host function use host memory later: it must still be there then.
#include "cases.hpp"

#include <cstdlib>
#include <vector>

__global__ void doubled(int *x) { x[threadIdx.x] *= 2; }

constexpr std::size_t bytes = 32 * sizeof(int);

// case local_array
// expect: memcheck copy launch
// says: read of host memory that is gone
// says: It was a local variable of a function that has returned.
__attribute__((noinline)) cudaGraphExec_t from_local_array(bool fixed, int *device) {
  int local[32] = {1};
  static int lasting[32];
  const int *const from = fixed ? lasting : local;
  return captured([&](cudaStream_t stream) {
    cudaMemcpyAsync(device, from, bytes, cudaMemcpyHostToDevice, stream); // @copy
    doubled<<<1, 32, 0, stream>>>(device);
  });
}

CASE(local_array) {
  const cudaGraphExec_t graph = from_local_array(fixed, array<int>(32));
  cudaGraphLaunch(graph, nullptr); // @launch
  finish(graph);
}

// case returns_too_early
// expect: memcheck copy launch
// The graph is launched in time, and may run when the function has returned.
__attribute__((noinline)) cudaGraphExec_t launched(bool fixed, int *device) {
  int local[32] = {1};
  const auto graph = captured([&](cudaStream_t stream) {
    cudaMemcpyAsync(device, local, bytes, cudaMemcpyHostToDevice, stream); // @copy
  });
  cudaGraphLaunch(graph, nullptr); // @launch
  if (fixed)
    cudaStreamSynchronize(nullptr);
  return graph;
}

CASE(returns_too_early) { finish(launched(fixed, array<int>(32))); }

// case freed
// expect: memcheck copy launch
// says: The program has freed this memory.
CASE(freed) {
  int *const device = array<int>(32), *const host =
                                          static_cast<int *>(std::calloc(32, sizeof(int)));
  const auto graph = captured([&](cudaStream_t stream) {
    cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, stream); // @copy
  });
  if (!fixed)
    std::free(host);
  void *const other = std::calloc(32, sizeof(int)); // perhaps at the same address
  cudaGraphLaunch(graph, nullptr);                  // @launch
  finish(graph);
  std::free(other);
  if (fixed)
    std::free(host);
}

// case grown
// expect: memcheck copy launch
// says: write of host memory that is gone
// The vector that the graph copies to has moved to other memory.
CASE(grown) {
  int *const device = array<int>(32, 0);
  std::vector<int> host(32);
  const auto graph = captured([&](cudaStream_t stream) {
    cudaMemcpyAsync(host.data(), device, bytes, cudaMemcpyDeviceToHost, stream); // @copy
  });
  if (!fixed)
    host.resize(3200);
  cudaGraphLaunch(graph, nullptr); // @launch
  finish(graph);
}

// case data_of_a_host_function
// expect: memcheck queue
// A host function gets the address of a local variable, and runs later.
void count(void *data) { ++*static_cast<int *>(data); }

__attribute__((noinline)) void queue_count(bool fixed) {
  static int lasting;
  int local = 0;
  cudaLaunchHostFunc(nullptr, count, fixed ? &lasting : &local); // @queue
}

CASE(data_of_a_host_function) { queue_count(fixed); }

// case data_that_a_host_function_deletes
// expect: nothing
CASE(data_that_a_host_function_deletes) {
  cudaLaunchHostFunc(
      nullptr, [](void *data) { delete static_cast<int *>(data); }, new int(1));
}

// case launched_by_others
// expect: nothing
// The function whose array it is has not returned: it waits at the end, in a function of its own.
__attribute__((noinline)) void launched_deeper(cudaGraphExec_t graph, int depth) {
  volatile int own[64];
  own[depth] = depth;
  if (depth > 0)
    return launched_deeper(graph, own[depth] - 1);
  cudaGraphLaunch(graph, nullptr);
  cudaGraphLaunch(graph, nullptr);
}

CASE(launched_by_others) {
  int local[32] = {}, back[32];
  int *const device = array<int>(32);
  const auto graph = captured([&](cudaStream_t stream) {
    cudaMemcpyAsync(device, local, bytes, cudaMemcpyHostToDevice, stream);
    doubled<<<1, 32, 0, stream>>>(device);
    cudaMemcpyAsync(back, device, bytes, cudaMemcpyDeviceToHost, stream);
  });
  launched_deeper(graph, 5);
  local[0] = 2;
  launched_deeper(graph, 3);
  finish(graph);
}
