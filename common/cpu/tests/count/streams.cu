// Requests of host code to the device, and how many of them run one after the other.
#include <cuda_runtime.h>

#include <vector>

constexpr int n = 1 << 16;
constexpr std::size_t bytes = n * sizeof(int);

__global__ void add(int *values) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    values[i] += 1;
}

// Two streams, each with a fill and two kernels; they do not wait for each other: a chain of 3.
void side_by_side(int *const values[2], const cudaStream_t streams[2]) {
  for (int i = 0; i < 2; ++i) {
    cudaMemsetAsync(values[i], 0, bytes, streams[i]);
    add<<<n / 256, 256, 0, streams[i]>>>(values[i]);
    add<<<n / 256, 256, 0, streams[i]>>>(values[i]);
  }
}

// The second stream goes on after the first: a chain of 4, on top of what is there.
void one_after_the_other(int *const values[2], const cudaStream_t streams[2], int *pinned) {
  cudaEvent_t copied;
  cudaEventCreate(&copied);
  for (int i = 0; i < 2; ++i)
    cudaMemcpyAsync(pinned, values[0], bytes, cudaMemcpyDeviceToHost, streams[0]);
  cudaEventRecord(copied, streams[0]);
  cudaStreamWaitEvent(streams[1], copied);
  for (int i = 0; i < 2; ++i)
    cudaMemcpyAsync(values[1], pinned, bytes, cudaMemcpyHostToDevice, streams[1]);
  cudaEventDestroy(copied);
}

// The host asks until the work is done: 2 waits. To ask once, or again after more work is queued,
// is none.
void asks(int *values, cudaStream_t stream) {
  cudaEvent_t done;
  cudaEventCreate(&done);
  for (int i = 0; i < 2; ++i) {
    add<<<n / 256, 256, 0, stream>>>(values);
    cudaStreamQuery(stream);
  }
  add<<<n / 256, 256, 0, stream>>>(values);
  while (cudaStreamQuery(stream) == cudaErrorNotReady) {
  }
  add<<<n / 256, 256, 0, stream>>>(values);
  add<<<n / 256, 256, 0, stream>>>(values);
  cudaEventRecord(done, stream);
  while (cudaEventQuery(done) == cudaErrorNotReady) {
  }
  cudaEventDestroy(done);
}

// expect: host count: host code, 8 copies, 6 waits for the device
// expect: host longest chain: 19 copies, fills and kernels, one after the other
//
// The chain: 3 + 2 in the first stream, 2 in the second. Then the host waits for each copy to
// pageable memory, so the 2 copies in different streams are one after the other, and the default
// stream waits for both: 3. A kernel and a copy in each of two launches of the graph: 4.
// Copies: 4 + 2 + 2. Waits: for 2 copies, for the kernel in the default stream (then there is
// nothing to wait for), for the graph, and 2 in asks, where the chain grows by 5.
int main() {
  int *values[2], *pinned;
  cudaStream_t streams[2];
  for (int i = 0; i < 2; ++i) {
    cudaMalloc(&values[i], bytes);
    cudaStreamCreate(&streams[i]);
  }
  cudaMallocHost(&pinned, bytes);
  side_by_side(values, streams);
  one_after_the_other(values, streams, pinned);
  std::vector<int> pageable(n);
  for (int i : {1, 0})
    cudaMemcpyAsync(pageable.data(), values[i], bytes, cudaMemcpyDeviceToHost, streams[i]);
  add<<<n / 256, 256>>>(values[0]);
  cudaDeviceSynchronize();
  cudaDeviceSynchronize();

  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeGlobal);
  add<<<n / 256, 256, 0, streams[0]>>>(values[0]);
  cudaMemcpyAsync(pinned, values[0], bytes, cudaMemcpyDeviceToHost, streams[0]);
  cudaStreamEndCapture(streams[0], &graph);
  cudaGraphInstantiate(&exec, graph, 0);
  for (int i = 0; i < 2; ++i)
    cudaGraphLaunch(exec, streams[0]);
  cudaStreamSynchronize(streams[0]);
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  asks(values[0], streams[0]);
  for (int i = 0; i < 2; ++i) {
    cudaStreamDestroy(streams[i]);
    cudaFree(values[i]);
  }
  cudaFreeHost(pinned);
}
