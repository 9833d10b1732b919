// expect: racecheck first second
// Two branches of a captured graph write the same array; the join alone orders nothing between
// them.
#include "array.hpp"

__global__ void fill(int *a, int value) { a[threadIdx.x] = value; }                 // @first
__global__ void negate(int *a) { a[threadIdx.x] = -static_cast<int>(threadIdx.x); } // @second

int main() {
  int *a = array<int>(64, 0);
  cudaStream_t stream, other;
  cudaEvent_t fork, join;
  cudaStreamCreate(&stream);
  cudaStreamCreate(&other);
  cudaEventCreate(&fork);
  cudaEventCreate(&join);
  cudaDeviceSynchronize();
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
#ifdef FIXED
  fill<<<1, 64, 0, stream>>>(a, 1);
  cudaEventRecord(fork, stream);
#else
  cudaEventRecord(fork, stream);
  fill<<<1, 64, 0, stream>>>(a, 1);
#endif
  cudaStreamWaitEvent(other, fork, 0);
  negate<<<1, 64, 0, other>>>(a);
  cudaEventRecord(join, other);
  cudaStreamWaitEvent(stream, join, 0);
  cudaGraph_t graph;
  cudaStreamEndCapture(stream, &graph);
  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, graph, 0);
  for (int launch = 0; launch < 3; ++launch)
    cudaGraphLaunch(exec, stream);
  cudaStreamSynchronize(stream);
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  for (cudaStream_t each : {stream, other})
    cudaStreamDestroy(each);
  for (cudaEvent_t each : {fork, join})
    cudaEventDestroy(each);
  return 0;
}
