// Memory of a graph, as far as the CPU backend has it: freed by the graph that allocates it or
// later, held as long as the graph or what was instantiated of it, and without values in each
// launch.
#include "cuda_test.hpp"

namespace {

constexpr std::size_t bytes = 1 << 20;

std::size_t free_bytes() {
  std::size_t is_free = 0, total = 0;
  REQUIRE(cudaMemGetInfo(&is_free, &total) == cudaSuccess);
  return is_free;
}

} // namespace

TEST_CASE(
    "graph memory: what a launch leaves allocated is the host's to free, and the graph's else") {
  const std::size_t before = free_bytes();
  Stream stream;
  char *memory = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
  REQUIRE(cudaMallocAsync(&memory, bytes, stream) == cudaSuccess);
  REQUIRE(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  CHECK(free_bytes() == before - bytes);
  REQUIRE(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess);
  REQUIRE(cudaGraphDestroy(graph) == cudaSuccess);
  CHECK(cudaFree(memory) == cudaErrorInvalidValue); // it is the graph's
  for (int launch = 0; launch < 2; ++launch) {
    REQUIRE(cudaGraphLaunch(exec, stream) == cudaSuccess);
    CHECK(cudaGraphLaunch(exec, stream) == cudaErrorInvalidValue); // it is still there
    CHECK(cudaFree(memory) == cudaSuccess);
    CHECK(cudaFree(memory) == cudaErrorInvalidValue); // twice
    CHECK(free_bytes() == before - bytes);
  }
  cudaGetLastError();
  REQUIRE(cudaGraphLaunch(exec, stream) == cudaSuccess);
  REQUIRE(cudaGraphExecDestroy(exec) == cudaSuccess);
  CHECK(free_bytes() == before - bytes); // it outlives the graph
  CHECK(cudaFree(memory) == cudaSuccess);
  CHECK(free_bytes() == before);
}

TEST_CASE("graph memory: what the last launch left there is gone") {
  const std::size_t before = free_bytes();
  Stream stream;
  unsigned char *memory = nullptr, *pinned = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  REQUIRE(cudaMallocHost(&pinned, 1) == cudaSuccess);
  REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
  REQUIRE(cudaMallocAsync(&memory, bytes, stream) == cudaSuccess);
  REQUIRE(cudaMemcpyAsync(pinned, memory, 1, cudaMemcpyDeviceToHost, stream) == cudaSuccess);
  REQUIRE(cudaMemsetAsync(memory, 1, bytes, stream) == cudaSuccess);
  REQUIRE(cudaFreeAsync(memory, stream) == cudaSuccess);
  CHECK(cudaFreeAsync(memory, stream) == cudaErrorInvalidValue); // twice
  cudaGetLastError();
  REQUIRE(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  REQUIRE(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess);
  REQUIRE(cudaGraphDestroy(graph) == cudaSuccess);
  for (int launch = 0; launch < 2; ++launch) {
    *pinned = 0;
    REQUIRE(cudaGraphLaunch(exec, stream) == cudaSuccess);
    REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
    CHECK(*pinned == 0xFF);
  }
  CHECK(free_bytes() == before - bytes);
  REQUIRE(cudaGraphExecDestroy(exec) == cudaSuccess);
  CHECK(free_bytes() == before);
  cudaFreeHost(pinned);
}
