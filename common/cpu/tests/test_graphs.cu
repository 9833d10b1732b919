// Graphs: captured from streams, and launched more than once.
#include "cuda_test.hpp"

namespace {

constexpr int n = 1000;
constexpr std::size_t bytes = n * sizeof(int);

__global__ void add(int *values, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    values[i] += value;
}

__global__ void add_up(const int *a, const int *b, int *sum) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    sum[i] = a[i] + b[i];
}

constexpr int blocks = (n + 255) / 256;

// A graph and its launches.
struct Graph {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;

  Graph() = default;
  ~Graph() {
    if (exec)
      cudaGraphExecDestroy(exec);
    if (graph)
      cudaGraphDestroy(graph);
  }
  Graph(const Graph &) = delete;
  Graph &operator=(const Graph &) = delete;
  void end(cudaStream_t stream) {
    REQUIRE(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
    instantiate();
  }
  void instantiate() { REQUIRE(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess); }
};

void begin(cudaStream_t stream, cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal) {
  REQUIRE(cudaStreamBeginCapture(stream, mode) == cudaSuccess);
}

cudaStreamCaptureStatus status(cudaStream_t stream) {
  cudaStreamCaptureStatus is;
  REQUIRE(cudaStreamIsCapturing(stream, &is) == cudaSuccess);
  return is;
}

} // namespace

TEST_CASE("graphs: nothing runs while a stream is captured, and each launch runs it all") {
  DeviceArray<int> values(n);
  Stream stream;
  Graph graph;
  CHECK(status(stream) == cudaStreamCaptureStatusNone);
  begin(stream);
  CHECK(status(stream) == cudaStreamCaptureStatusActive);
  for (int value = 1; value <= 3; ++value)
    add<<<blocks, 256, 0, stream>>>(values.data(), value);
  CHECK(cudaGetLastError() == cudaSuccess);
  graph.end(stream);
  CHECK(status(stream) == cudaStreamCaptureStatusNone);
  CHECK(values.host()[n - 1] == 0);
  for (int launch = 0; launch < 5; ++launch)
    REQUIRE(cudaGraphLaunch(graph.exec, stream) == cudaSuccess);
  add<<<blocks, 256, 0, stream>>>(values.data(), 100); // after the launches
  CHECK(values.host()[0] == 130);
  CHECK(values.host()[n - 1] == 130);
}

TEST_CASE("graphs: instantiated with a flag") {
  DeviceArray<int> values(n);
  Stream stream;
  Graph graph;
  begin(stream);
  add<<<blocks, 256, 0, stream>>>(values.data(), 3);
  REQUIRE(cudaStreamEndCapture(stream, &graph.graph) == cudaSuccess);
  CHECK(cudaGraphInstantiate(&graph.exec, graph.graph, 1 << 10) == cudaErrorInvalidValue);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
  REQUIRE(cudaGraphInstantiate(&graph.exec, graph.graph, cudaGraphInstantiateFlagUseNodePriority) ==
          cudaSuccess);
  REQUIRE(cudaGraphLaunch(graph.exec, stream) == cudaSuccess);
  CHECK(values.host()[n - 1] == 3);
}

TEST_CASE("graphs: events fork a capture to other streams and join them again") {
  DeviceArray<int> a(n, 1), b(n, 2), sum(n);
  Stream first, second(cudaStreamNonBlocking);
  Event fork, join;
  Graph graph;
  begin(first);
  add<<<blocks, 256, 0, first>>>(a.data(), 10);
  REQUIRE(cudaEventRecord(fork, first) == cudaSuccess);
  REQUIRE(cudaStreamWaitEvent(second, fork) == cudaSuccess);
  CHECK(status(second) == cudaStreamCaptureStatusActive);
  add<<<blocks, 256, 0, second>>>(b.data(), 100);
  add<<<blocks, 256, 0, first>>>(a.data(), 20);
  REQUIRE(cudaEventRecord(join, second) == cudaSuccess);
  REQUIRE(cudaStreamWaitEvent(first, join) == cudaSuccess);
  add_up<<<blocks, 256, 0, first>>>(a.data(), b.data(), sum.data());
  graph.end(first);
  REQUIRE(cudaGraphLaunch(graph.exec, second) == cudaSuccess);
  REQUIRE(cudaGraphLaunch(graph.exec, first) == cudaSuccess);
  CHECK(sum.host()[n - 1] == 263);
}

TEST_CASE("graphs: copies, fills and host functions; host memory is read at the launch") {
  DeviceArray<int> values(n);
  const Pinned<int> memory(n);
  int *host = memory.data, calls = 0;
  Stream stream;
  Graph graph;
  begin(stream);
  REQUIRE(cudaMemcpyAsync(values.data(), host, bytes, cudaMemcpyHostToDevice, stream) ==
          cudaSuccess);
  add<<<blocks, 256, 0, stream>>>(values.data(), 1);
  REQUIRE(cudaMemsetAsync(values.data(), 0, sizeof(int), stream) == cudaSuccess);
  REQUIRE(cudaMemcpyAsync(host, values.data(), bytes, cudaMemcpyDeviceToHost, stream) ==
          cudaSuccess);
  REQUIRE(cudaLaunchHostFunc(
              stream, [](void *count) { ++*static_cast<int *>(count); }, &calls) == cudaSuccess);
  graph.end(stream);
  std::fill_n(host, n, 5);
  for (int launch = 0; launch < 3; ++launch)
    REQUIRE(cudaGraphLaunch(graph.exec, stream) == cudaSuccess);
  REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(calls == 3);
  CHECK(host[0] == 0);
  CHECK(host[n - 1] == 8);
}

TEST_CASE("graphs: what waits, allocates or joins uncaptured work ends a capture with its error") {
  DeviceArray<int> values(n);
  Stream stream, other;
  Event event;
  cudaGraph_t graph = nullptr;
  int *more = nullptr;
  begin(stream);
  add<<<blocks, 256, 0, stream>>>(values.data(), 1);
  cudaError_t expected = cudaErrorStreamCaptureUnsupported, error = cudaSuccess;
  SECTION("cudaStreamSynchronize") { error = cudaStreamSynchronize(stream); }
  SECTION("cudaStreamQuery") { error = cudaStreamQuery(stream); }
  SECTION("cudaDeviceSynchronize") { error = cudaDeviceSynchronize(); }
  SECTION("cudaMalloc") { error = cudaMalloc(&more, bytes); }
  SECTION("the default stream, which would wait") {
    expected = cudaErrorStreamCaptureImplicit;
    add<<<blocks, 256>>>(values.data(), 1);
    error = cudaGetLastError();
  }
  SECTION("an event of another stream's uncaptured work") {
    expected = cudaErrorStreamCaptureIsolation;
    REQUIRE(cudaEventRecord(event, other) == cudaSuccess);
    error = cudaStreamWaitEvent(stream, event);
  }
  SECTION("the host waits for an event of the capture") {
    expected = cudaErrorCapturedEvent;
    REQUIRE(cudaEventRecord(event, stream) == cudaSuccess);
    error = cudaEventSynchronize(event);
  }
  CHECK(error == expected);
  CHECK(status(stream) == cudaStreamCaptureStatusInvalidated);
  CHECK(cudaStreamEndCapture(stream, &graph) == cudaErrorStreamCaptureInvalidated);
  CHECK(graph == nullptr);
  cudaGetLastError();
  CHECK(status(stream) == cudaStreamCaptureStatusNone);
  add<<<blocks, 256, 0, stream>>>(values.data(), 7); // the stream is as before
  CHECK(values.host()[0] == 7);
}

TEST_CASE("graphs: a relaxed capture lets the host allocate") {
  Stream stream;
  Graph graph;
  int *more = nullptr;
  begin(stream, cudaStreamCaptureModeRelaxed);
  CHECK(cudaMalloc(&more, bytes) == cudaSuccess);
  CHECK(cudaMemsetAsync(more, 0, bytes, stream) == cudaSuccess);
  graph.end(stream);
  REQUIRE(cudaGraphLaunch(graph.exec, stream) == cudaSuccess);
  REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
  cudaFree(more);
}

TEST_CASE("graphs: how a capture must begin and end") {
  DeviceArray<int> values(n);
  Stream stream, other;
  Event event;
  cudaGraph_t graph = nullptr;
  CHECK(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal) ==
        cudaErrorStreamCaptureUnsupported);
  CHECK(cudaStreamEndCapture(stream, &graph) == cudaErrorIllegalState);
  cudaGetLastError();
  begin(stream);
  REQUIRE(cudaEventRecord(event, stream) == cudaSuccess);
  REQUIRE(cudaStreamWaitEvent(other, event) == cudaSuccess);
  add<<<blocks, 256, 0, other>>>(values.data(), 1);
  CHECK(cudaStreamEndCapture(stream, &graph) == cudaErrorStreamCaptureUnjoined);
  CHECK(status(other) == cudaStreamCaptureStatusNone);
  cudaGetLastError();
}

TEST_CASE("graphs: a stream that is destroyed ends its capture") {
  cudaStream_t stream;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  begin(stream);
  REQUIRE(cudaStreamDestroy(stream) == cudaSuccess);
  DeviceArray<int> values(n, 3); // which a capture would forbid
  CHECK(values.host()[0] == 3);
}

TEST_CASE("graphs: a capture of the same form updates an instantiated graph") {
  DeviceArray<int> values(n);
  Stream stream;
  Graph graph;
  begin(stream);
  add<<<blocks, 256, 0, stream>>>(values.data(), 1);
  graph.end(stream);
  cudaGraphExecUpdateResultInfo result;
  for (int kernels = 1; kernels <= 2; ++kernels) {
    cudaGraph_t changed = nullptr;
    begin(stream);
    for (int i = 0; i < kernels; ++i)
      add<<<blocks, 256, 0, stream>>>(values.data(), 50);
    REQUIRE(cudaStreamEndCapture(stream, &changed) == cudaSuccess);
    CHECK(cudaGraphExecUpdate(graph.exec, changed, &result) ==
          (kernels == 1 ? cudaSuccess : cudaErrorGraphExecUpdateFailure));
    CHECK((result.result == cudaGraphExecUpdateSuccess) == (kernels == 1));
    cudaGraphDestroy(changed);
  }
  cudaGraph_t fill = nullptr;
  begin(stream);
  REQUIRE(cudaMemsetAsync(values.data(), 0, bytes, stream) == cudaSuccess);
  REQUIRE(cudaStreamEndCapture(stream, &fill) == cudaSuccess);
  CHECK(cudaGraphExecUpdate(graph.exec, fill, &result) == cudaErrorGraphExecUpdateFailure);
  CHECK(result.result == cudaGraphExecUpdateErrorNodeTypeChanged);
  cudaGraphDestroy(fill);
  cudaGetLastError();
  REQUIRE(cudaGraphLaunch(graph.exec, stream) == cudaSuccess);
  CHECK(values.host()[n / 2] == 50);
}
