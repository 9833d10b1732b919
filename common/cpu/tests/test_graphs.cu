// Graphs: captured from streams, or made node by node, and launched more than once.
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
  std::size_t nodes() const {
    std::size_t count = 0;
    REQUIRE(cudaGraphGetNodes(graph, nullptr, &count) == cudaSuccess);
    return count;
  }
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
  CHECK(graph.nodes() == 3);
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
  CHECK(graph.nodes() == 4);
  REQUIRE(cudaGraphLaunch(graph.exec, second) == cudaSuccess);
  REQUIRE(cudaGraphLaunch(graph.exec, first) == cudaSuccess);
  CHECK(sum.host()[n - 1] == 263);
}

TEST_CASE("graphs: copies, fills and host functions; host memory is read at the launch") {
  DeviceArray<int> values(n);
  int *host = nullptr, calls = 0;
  REQUIRE(cudaMallocHost(&host, bytes) == cudaSuccess);
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
  cudaFreeHost(host);
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

TEST_CASE("graphs: made of nodes, with a kernel's arguments by address") {
  DeviceArray<int> a(n, 1), b(n, 2), sum(n);
  std::vector<int> out(n);
  Graph graph;
  REQUIRE(cudaGraphCreate(&graph.graph, 0) == cudaSuccess);
  int *pa = a.data(), *pb = b.data(), *psum = sum.data(), value = 10;
  void *add_arguments[] = {&pa, &value}, *sum_arguments[] = {&pa, &pb, &psum};
  cudaKernelNodeParams adds{}, sums{};
  adds.func = (void *)add;
  adds.gridDim = dim3(blocks);
  adds.blockDim = dim3(256);
  adds.kernelParams = add_arguments;
  sums = adds;
  sums.func = (void *)add_up;
  sums.kernelParams = sum_arguments;
  cudaMemsetParams zeros{};
  zeros.dst = pb;
  zeros.elementSize = sizeof(int);
  zeros.width = n;
  zeros.height = 1;
  cudaGraphNode_t adding, filling, both[2], summing, copying;
  REQUIRE(cudaGraphAddKernelNode(&adding, graph.graph, nullptr, 0, &adds) == cudaSuccess);
  value = 1000; // the node has its own copy
  REQUIRE(cudaGraphAddMemsetNode(&filling, graph.graph, nullptr, 0, &zeros) == cudaSuccess);
  both[0] = adding;
  both[1] = filling;
  REQUIRE(cudaGraphAddKernelNode(&summing, graph.graph, both, 2, &sums) == cudaSuccess);
  REQUIRE(cudaGraphAddMemcpyNode1D(&copying, graph.graph, &summing, 1, out.data(), psum, bytes,
                                   cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(graph.nodes() == 4);
  cudaGraph_t other = nullptr;
  cudaGraphNode_t none;
  REQUIRE(cudaGraphCreate(&other, 0) == cudaSuccess);
  CHECK(cudaGraphAddEmptyNode(&none, other, &adding, 1) == cudaErrorInvalidValue); // a stranger
  cudaGetLastError();
  cudaGraphDestroy(other);
  graph.instantiate();
  Stream stream;
  REQUIRE(cudaGraphLaunch(graph.exec, stream) == cudaSuccess);
  REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(out[n - 1] == 11);
  REQUIRE(cudaGraphExecKernelNodeSetParams(graph.exec, adding, &adds) == cudaSuccess);
  REQUIRE(cudaGraphLaunch(graph.exec, stream) == cudaSuccess);
  REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(out[n - 1] == 1011);
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

TEST_CASE("graphs: events of a graph order it with other streams, and time its launches") {
  DeviceArray<int> values(n), copied(n);
  Stream stream, other(cudaStreamNonBlocking);
  Event filled, added, start, stop;
  Graph graph;
  begin(stream);
  REQUIRE(cudaEventRecordWithFlags(start, stream, cudaEventRecordExternal) == cudaSuccess);
  REQUIRE(cudaStreamWaitEvent(stream, filled, cudaEventWaitExternal) == cudaSuccess);
  add<<<blocks, 256, 0, stream>>>(values.data(), 5);
  REQUIRE(cudaEventRecordWithFlags(stop, stream, cudaEventRecordExternal) == cudaSuccess);
  graph.end(stream);
  CHECK(graph.nodes() == 4);
  for (int launch = 1; launch <= 3; ++launch) {
    add<<<blocks, 256, 0, other>>>(values.data(), 100); // the graph waits for this
    REQUIRE(cudaEventRecord(filled, other) == cudaSuccess);
    REQUIRE(cudaGraphLaunch(graph.exec, stream) == cudaSuccess);
    REQUIRE(cudaStreamWaitEvent(other, stop) == cudaSuccess); // and this waits for the graph
    REQUIRE(cudaMemcpyAsync(copied.data(), values.data(), bytes, cudaMemcpyDeviceToDevice, other) ==
            cudaSuccess);
    REQUIRE(cudaEventRecord(added, other) == cudaSuccess);
    REQUIRE(cudaEventSynchronize(added) == cudaSuccess);
    CHECK(copied.host()[n - 1] == 105 * launch);
    float milliseconds = -1;
    REQUIRE(cudaEventElapsedTime(&milliseconds, start, stop) == cudaSuccess);
    CHECK(milliseconds >= 0);
  }
  CHECK(cudaStreamWaitEvent(other, stop, cudaEventWaitExternal) == cudaErrorIllegalState);
  cudaGetLastError();
}

TEST_CASE("graphs: event nodes, and another event for them") {
  DeviceArray<int> values(n);
  Event filled, stop, other_filled, other_stop;
  Stream first, second;
  Graph graph;
  REQUIRE(cudaGraphCreate(&graph.graph, 0) == cudaSuccess);
  int *p = values.data(), value = 5;
  void *arguments[] = {&p, &value};
  cudaKernelNodeParams adds{};
  adds.func = (void *)add;
  adds.gridDim = dim3(blocks);
  adds.blockDim = dim3(256);
  adds.kernelParams = arguments;
  cudaGraphNode_t waiting, adding, recording;
  REQUIRE(cudaGraphAddEventWaitNode(&waiting, graph.graph, nullptr, 0, filled) == cudaSuccess);
  REQUIRE(cudaGraphAddKernelNode(&adding, graph.graph, &waiting, 1, &adds) == cudaSuccess);
  REQUIRE(cudaGraphAddEventRecordNode(&recording, graph.graph, &adding, 1, stop) == cudaSuccess);
  graph.instantiate();
  const auto launch = [&](cudaEvent_t its_filled, cudaEvent_t its_stop) {
    add<<<blocks, 256, 0, second>>>(values.data(), 100);
    REQUIRE(cudaEventRecord(its_filled, second) == cudaSuccess);
    REQUIRE(cudaGraphLaunch(graph.exec, first) == cudaSuccess);
    REQUIRE(cudaEventSynchronize(its_stop) == cudaSuccess);
  };
  launch(filled, stop);
  CHECK(values.host()[0] == 105);
  REQUIRE(cudaGraphExecEventWaitNodeSetEvent(graph.exec, waiting, other_filled) == cudaSuccess);
  REQUIRE(cudaGraphExecEventRecordNodeSetEvent(graph.exec, recording, other_stop) == cudaSuccess);
  launch(other_filled, other_stop);
  CHECK(values.host()[0] == 210);
}

TEST_CASE("graphs: memory that a graph allocates and frees") {
  DeviceArray<int> values(n, 3);
  Stream stream;
  Graph graph;
  int *scratch = nullptr;
  begin(stream);
  REQUIRE(cudaMallocAsync(&scratch, bytes, stream) == cudaSuccess);
  REQUIRE(cudaMemcpyAsync(scratch, values.data(), bytes, cudaMemcpyDeviceToDevice, stream) ==
          cudaSuccess);
  add<<<blocks, 256, 0, stream>>>(scratch, 10);
  REQUIRE(cudaMemcpyAsync(values.data(), scratch, bytes, cudaMemcpyDeviceToDevice, stream) ==
          cudaSuccess);
  REQUIRE(cudaFreeAsync(scratch, stream) == cudaSuccess);
  graph.end(stream);
  CHECK(graph.nodes() == 5);
  for (int launch = 0; launch < 3; ++launch)
    REQUIRE(cudaGraphLaunch(graph.exec, stream) == cudaSuccess);
  CHECK(values.host()[n - 1] == 33);
}

TEST_CASE("graphs: nodes that allocate and free") {
  std::vector<int> out(n);
  Stream stream;
  Graph graph;
  REQUIRE(cudaGraphCreate(&graph.graph, 0) == cudaSuccess);
  cudaMemAllocNodeParams memory{};
  memory.poolProps.allocType = cudaMemAllocationTypePinned;
  memory.poolProps.location.type = cudaMemLocationTypeDevice;
  memory.bytesize = bytes;
  cudaGraphNode_t allocating, filling, copying, freeing;
  REQUIRE(cudaGraphAddMemAllocNode(&allocating, graph.graph, nullptr, 0, &memory) == cudaSuccess);
  REQUIRE(memory.dptr != nullptr);
  cudaMemsetParams fill{};
  fill.dst = memory.dptr;
  fill.elementSize = 1;
  fill.width = bytes;
  fill.height = 1;
  fill.value = 1;
  REQUIRE(cudaGraphAddMemsetNode(&filling, graph.graph, &allocating, 1, &fill) == cudaSuccess);
  REQUIRE(cudaGraphAddMemcpyNode1D(&copying, graph.graph, &filling, 1, out.data(), memory.dptr,
                                   bytes, cudaMemcpyDeviceToHost) == cudaSuccess);
  REQUIRE(cudaGraphAddMemFreeNode(&freeing, graph.graph, &copying, 1, memory.dptr) == cudaSuccess);
  graph.instantiate();
  REQUIRE(cudaGraphLaunch(graph.exec, stream) == cudaSuccess);
  REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(out[n - 1] == 0x01010101);
}

TEST_CASE("graphs: copies, fills and functions of the host get new parameters") {
  DeviceArray<int> a(n, 1), b(n, 2), filled(n);
  std::vector<int> first(n), second(n);
  int calls[2] = {0, 0};
  Stream stream;
  Graph graph;
  REQUIRE(cudaGraphCreate(&graph.graph, 0) == cudaSuccess);
  cudaGraphNode_t copying, filling, calling;
  cudaMemsetParams fill{};
  fill.dst = filled.data();
  fill.elementSize = 1;
  fill.width = bytes;
  fill.height = 1;
  cudaHostNodeParams call{[](void *count) { ++*static_cast<int *>(count); }, &calls[0]};
  REQUIRE(cudaGraphAddMemcpyNode1D(&copying, graph.graph, nullptr, 0, first.data(), a.data(), bytes,
                                   cudaMemcpyDeviceToHost) == cudaSuccess);
  REQUIRE(cudaGraphAddMemsetNode(&filling, graph.graph, nullptr, 0, &fill) == cudaSuccess);
  REQUIRE(cudaGraphAddHostNode(&calling, graph.graph, nullptr, 0, &call) == cudaSuccess);
  graph.instantiate();
  REQUIRE(cudaGraphExecMemcpyNodeSetParams1D(graph.exec, copying, second.data(), b.data(), bytes,
                                             cudaMemcpyDeviceToHost) == cudaSuccess);
  fill.value = 1;
  REQUIRE(cudaGraphExecMemsetNodeSetParams(graph.exec, filling, &fill) == cudaSuccess);
  call.userData = &calls[1];
  REQUIRE(cudaGraphExecHostNodeSetParams(graph.exec, calling, &call) == cudaSuccess);
  CHECK(cudaGraphExecMemsetNodeSetParams(graph.exec, copying, &fill) == cudaErrorInvalidValue);
  CHECK(cudaGraphExecHostNodeSetParams(graph.exec, filling, &call) == cudaErrorInvalidValue);
  cudaGetLastError();
  REQUIRE(cudaGraphLaunch(graph.exec, stream) == cudaSuccess);
  REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(first[0] == 0);
  CHECK(second[n - 1] == 2);
  CHECK(filled.host()[n - 1] == 0x01010101);
  CHECK((calls[0] == 0 && calls[1] == 1));
}
