// A function makes a stream and events, forks work to them, joins it, and destroys them all: also
// while its caller's stream is captured.
#include <cstdio>

__global__ void set(int *value, int to) { *value = to; }
__global__ void add(int *sum, const int *value) { *sum += *value; }

static void set_both(int *values, cudaStream_t stream) {
  cudaStream_t branch;
  cudaEvent_t fork, join;
  cudaStreamCreateWithFlags(&branch, cudaStreamNonBlocking);
  cudaEventCreate(&fork);
  cudaEventCreate(&join);
  cudaEventRecord(fork, stream);
  cudaStreamWaitEvent(branch, fork, 0);
  set<<<1, 1, 0, branch>>>(&values[0], 1);
  set<<<1, 1, 0, stream>>>(&values[1], 10);
  cudaEventRecord(join, branch);
  cudaStreamWaitEvent(stream, join, 0);
  cudaStreamDestroy(branch);
  cudaEventDestroy(fork);
  cudaEventDestroy(join);
}

int main() {
  int *values, wrong = 0;
  cudaMallocManaged(&values, 3 * sizeof(int));
  values[2] = 0;
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamCreate(&stream);

  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  set_both(values, stream);
  add<<<1, 1, 0, stream>>>(&values[2], &values[0]);
  add<<<1, 1, 0, stream>>>(&values[2], &values[1]);
  wrong += cudaStreamEndCapture(stream, &graph) != cudaSuccess;
  wrong += cudaGraphInstantiate(&exec, graph, 0) != cudaSuccess;
  for (int launch = 0; launch < 3; ++launch)
    wrong += cudaGraphLaunch(exec, stream) != cudaSuccess;
  wrong += cudaStreamSynchronize(stream) != cudaSuccess;
  wrong += values[2] != 33;
  std::puts(wrong == 0 ? "PASS" : "FAIL");
  return wrong != 0;
}
