// expect: racecheck copy read
// The host reads what a graph copies, and has not waited: destroying a graph waits for nothing.
#include "array.hpp"

int main() {
  int *values = array<int>(32, 0);
  int *host = nullptr;
  cudaMallocHost(&host, 32 * sizeof(int));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaDeviceSynchronize();
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  cudaMemcpyAsync(host, values, 32 * sizeof(int), cudaMemcpyDeviceToHost, stream);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, stream); // @copy
#ifdef FIXED
  cudaStreamSynchronize(stream);
#endif
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  volatile int first = host[0]; // @read
  (void)first;
  cudaStreamDestroy(stream);
  cudaFreeHost(host);
  return 0;
}
