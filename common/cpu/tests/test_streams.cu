// Streams, events, and what waits for what.
#include "cuda_test.hpp"

namespace {

constexpr int n = 1 << 16;
constexpr std::size_t bytes = n * sizeof(int);

__global__ void fill(int *values, int value) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    values[i] = value;
}

__global__ void double_and_add(int *values, int value) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    values[i] = 2 * values[i] + value;
}

__global__ void copy(const int *from, int *to) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    to[i] = from[i];
}

bool all_equal(const std::vector<int> &values, int value) {
  return values == std::vector<int>(n, value);
}

} // namespace

TEST_CASE("streams: one waits for an event of another") {
  Stream first, second;
  Event filled;
  DeviceArray<int> a(n), b(n);
  fill<<<8, 128, 0, first>>>(a.data(), 7);
  REQUIRE(cudaEventRecord(filled, first) == cudaSuccess);
  REQUIRE(cudaStreamWaitEvent(second, filled, 0) == cudaSuccess);
  copy<<<8, 128, 0, second>>>(a.data(), b.data());
  fill<<<8, 128, 0, second>>>(a.data(), 9);
  REQUIRE(cudaStreamSynchronize(second) == cudaSuccess);
  CHECK(all_equal(b.host(), 7));
  CHECK(all_equal(a.host(), 9));
}

TEST_CASE("streams: the default stream waits for the others, and they for it") {
  Stream stream;
  DeviceArray<int> a(n), b(n), c(n);
  fill<<<8, 128, 0, stream>>>(a.data(), 3);
  copy<<<8, 128>>>(a.data(), b.data());
  copy<<<8, 128, 0, stream>>>(b.data(), c.data());
  CHECK(all_equal(c.host(), 3));
  int expected = 3;
  for (int i = 0; i < 10; ++i) {
    double_and_add<<<8, 128, 0, i % 2 == 0 ? stream.handle : nullptr>>>(c.data(), i);
    expected = 2 * expected + i;
  }
  CHECK(all_equal(c.host(), expected));
}

TEST_CASE("streams: pageable host memory may change after an asynchronous copy to the device") {
  Stream stream;
  DeviceArray<int> device(1000);
  std::vector<int> host(1000, 1);
  REQUIRE(cudaMemcpyAsync(device.data(), host.data(), device.bytes(), cudaMemcpyHostToDevice,
                          stream) == cudaSuccess);
  std::fill(host.begin(), host.end(), 2);
  REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(device.host() == std::vector<int>(1000, 1));
}

TEST_CASE("streams: asynchronous copies of every kind take their turn") {
  Stream stream;
  DeviceArray<int> a(n, 1), b(n, 2);
  Pinned<int> first(n, 5), second(n);
  std::vector<int> pageable(n);
  const auto copies = [&](void *to, const void *from, cudaMemcpyKind kind) {
    REQUIRE(cudaMemcpyAsync(to, from, bytes, kind, stream) == cudaSuccess);
  };
  copies(second.data, first.data, cudaMemcpyHostToHost);
  copies(a.data(), second.data, cudaMemcpyHostToDevice);
  copies(b.data(), a.data(), cudaMemcpyDeviceToDevice);
  double_and_add<<<8, 128, 0, stream>>>(b.data(), 1);
  copies(second.data, b.data(), cudaMemcpyDeviceToHost);
  double_and_add<<<8, 128, 0, stream>>>(b.data(), 1);
  copies(first.data, b.data(), cudaMemcpyDefault);
  copies(pageable.data(), b.data(), cudaMemcpyDeviceToHost);
  REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(all_equal(std::vector<int>(second.data, second.data + n), 11));
  CHECK(all_equal(std::vector<int>(first.data, first.data + n), 23));
  CHECK(all_equal(pageable, 23));
}

TEST_CASE("streams: queries") {
  Stream stream;
  CHECK(cudaStreamQuery(stream) == cudaSuccess);
  Event event;
  CHECK(cudaEventQuery(event) == cudaSuccess); // never recorded
  REQUIRE(cudaEventRecord(event, stream) == cudaSuccess);
  CHECK(cudaEventSynchronize(event) == cudaSuccess);
  CHECK(cudaEventQuery(event) == cudaSuccess);
  // A program that polls gets there.
  DeviceArray<int> values(n);
  fill<<<8, 128, 0, stream>>>(values.data(), 1);
  cudaError_t state;
  while ((state = cudaStreamQuery(stream)) == cudaErrorNotReady)
    ;
  CHECK(state == cudaSuccess);
  CHECK(cudaGetLastError() == cudaSuccess); // "not ready" is not remembered as an error
}

TEST_CASE("streams: priorities") {
  int least = 0, greatest = 0;
  REQUIRE(cudaDeviceGetStreamPriorityRange(&least, &greatest) == cudaSuccess);
  CHECK(greatest <= least);
  cudaStream_t stream;
  REQUIRE(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest) == cudaSuccess);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
}

TEST_CASE("events: elapsed time") {
  Event start, stop;
  DeviceArray<int> values(n);
  float milliseconds = -1;
  CHECK(cudaEventElapsedTime(&milliseconds, start, stop) == cudaErrorInvalidResourceHandle);
  static_cast<void>(cudaGetLastError());
  REQUIRE(cudaEventRecord(start) == cudaSuccess);
  for (int i = 0; i < 20; ++i)
    double_and_add<<<8, 128>>>(values.data(), i);
  REQUIRE(cudaEventRecord(stop) == cudaSuccess);
  REQUIRE(cudaEventSynchronize(stop) == cudaSuccess);
  REQUIRE(cudaEventElapsedTime(&milliseconds, start, stop) == cudaSuccess);
  CHECK(milliseconds > 0);
  CHECK(milliseconds < 10000);
  REQUIRE(cudaEventElapsedTime(&milliseconds, stop, start) == cudaSuccess);
  CHECK(milliseconds < 0);

  cudaEvent_t untimed;
  REQUIRE(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming) == cudaSuccess);
  REQUIRE(cudaEventRecord(untimed) == cudaSuccess);
  REQUIRE(cudaEventSynchronize(untimed) == cudaSuccess);
  CHECK(cudaEventElapsedTime(&milliseconds, start, untimed) == cudaErrorInvalidResourceHandle);
  static_cast<void>(cudaGetLastError());
  CHECK(cudaEventDestroy(untimed) == cudaSuccess);
}

TEST_CASE("streams: a function of the host takes its turn") {
  struct Record {
    int *pinned;
    int seen;
  };
  Stream stream;
  Pinned<int> host(n);
  DeviceArray<int> device(n);
  Record record{host.data, -1};
  fill<<<8, 128, 0, stream>>>(device.data(), 11);
  REQUIRE(cudaMemcpyAsync(host.data, device.data(), bytes, cudaMemcpyDeviceToHost, stream) ==
          cudaSuccess);
  REQUIRE(cudaLaunchHostFunc(
              stream,
              [](void *data) {
                Record &record = *static_cast<Record *>(data);
                record.seen = record.pinned[0];
              },
              &record) == cudaSuccess);
  REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(record.seen == 11);
}

__global__ void set_flag(volatile int *flag) { *flag = 1; }

// A GPU does not wait for the host's next call.
TEST_CASE("streams: work is done while the host calls nothing") {
  Stream first, second;
  Pinned<int> host(2);
  volatile int *const flags = host.data;
  Event raised;
  set_flag<<<1, 1, 0, first>>>(host.data);
  REQUIRE(cudaEventRecord(raised, first) == cudaSuccess);
  REQUIRE(cudaStreamWaitEvent(second, raised, 0) == cudaSuccess);
  REQUIRE(cudaLaunchHostFunc(
              second, [](void *flag) { *static_cast<volatile int *>(flag) = 2; }, host.data + 1) ==
          cudaSuccess);
  while (flags[1] == 0) {
  }
  CHECK(flags[0] == 1);
  set_flag<<<1, 1, 0, second>>>(host.data + 1); // also after that
  while (flags[1] != 1) {
  }
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
}

TEST_CASE("streams: one on another device") {
  skip_unless_two_devices();
  CHECK(cudaStreamSynchronize(cudaStreamPerThread) == cudaSuccess);
  REQUIRE(cudaSetDevice(1) == cudaSuccess);
  {
    Stream stream;
    DeviceArray<int> values(n);
    fill<<<8, 128, 0, cudaStreamPerThread>>>(values.data(), 3); // each device has its own
    CHECK(cudaStreamSynchronize(cudaStreamPerThread) == cudaSuccess);
    CHECK(all_equal(values.host(), 3));
    fill<<<8, 128, 0, stream>>>(values.data(), 4);
    REQUIRE(cudaSetDevice(0) == cudaSuccess);
    CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
    REQUIRE(cudaSetDevice(1) == cudaSuccess);
    CHECK(all_equal(values.host(), 4));
  }
  REQUIRE(cudaSetDevice(0) == cudaSuccess);
}

TEST_CASE("streams: what belongs to another device than the current one") {
  skip_unless_two_devices();
  {
    Stream stream;
    Event event;
    DeviceArray<int> values(n);
    REQUIRE(cudaSetDevice(1) == cudaSuccess);
    Stream here;
    DeviceArray<int> copies(n);
    fill<<<8, 128, 0, stream>>>(values.data(), 5);
    CHECK(cudaGetLastError() == cudaErrorInvalidResourceHandle);
    CHECK(cudaEventRecord(event, here) == cudaErrorInvalidResourceHandle);
    CHECK(cudaGetLastError() == cudaErrorInvalidResourceHandle);

    // A copy may be queued from anywhere, and a stream waits for an event of any device.
    REQUIRE(cudaMemsetAsync(copies.data(), 0, bytes, here) == cudaSuccess);
    REQUIRE(cudaSetDevice(0) == cudaSuccess);
    fill<<<8, 128, 0, stream>>>(values.data(), 6);
    REQUIRE(cudaEventRecord(event, stream) == cudaSuccess);
    REQUIRE(cudaStreamWaitEvent(here, event) == cudaSuccess);
    REQUIRE(cudaMemcpyPeerAsync(copies.data(), 1, values.data(), 0, bytes, here) == cudaSuccess);
    REQUIRE(cudaStreamSynchronize(here) == cudaSuccess);
    CHECK(all_equal(copies.host(), 6));
  }
}
