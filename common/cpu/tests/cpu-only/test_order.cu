// Work that no event orders is done at the last legal moment, so a missing wait is detected.
#include "cuda_test.hpp"

#include <catch2/generators/catch_generators.hpp>

namespace {

constexpr int n = 1000;
constexpr std::size_t bytes = n * sizeof(int);

__global__ void add(const int *from, int *to, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = from[i] + value;
}

} // namespace

TEST_CASE("order: without cudaStreamWaitEvent a stream reads what was there before") {
  const bool waits = GENERATE(false, true);
  DeviceArray<int> a(n, 1), b(n);
  Pinned<int> pinned(n, 7);
  Stream copying(cudaStreamNonBlocking), working(cudaStreamNonBlocking);
  Event copied;
  REQUIRE(cudaMemcpyAsync(a.data(), pinned.data, bytes, cudaMemcpyHostToDevice, copying) ==
          cudaSuccess);
  REQUIRE(cudaEventRecord(copied, copying) == cudaSuccess);
  if (waits)
    REQUIRE(cudaStreamWaitEvent(working, copied) == cudaSuccess);
  add<<<(n + 255) / 256, 256, 0, working>>>(a.data(), b.data(), 10);
  REQUIRE(cudaStreamSynchronize(working) == cudaSuccess);
  CHECK(b.host() == std::vector<int>(n, waits ? 17 : 11));
}

TEST_CASE("order: a non-blocking stream does not wait for the default stream") {
  const bool blocking = GENERATE(false, true);
  DeviceArray<int> a(n, 1), b(n);
  require_finished();
  Stream stream(blocking ? cudaStreamDefault : cudaStreamNonBlocking);
  add<<<(n + 255) / 256, 256>>>(a.data(), a.data(), 5); // in the default stream
  add<<<(n + 255) / 256, 256, 0, stream>>>(a.data(), b.data(), 10);
  REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(b.host() == std::vector<int>(n, blocking ? 16 : 11));
}

TEST_CASE("order: the host waits for a copy where a side is pageable, and only there") {
  DeviceArray<int> a(n, 1);
  const Pinned<int> memory(n, 2);
  int *const pinned = memory.data;
  std::vector<int> pageable(n);
  Stream stream;
  REQUIRE(cudaMemcpyAsync(pageable.data(), a.data(), bytes, cudaMemcpyDeviceToHost, stream) ==
          cudaSuccess);
  CHECK(pageable == std::vector<int>(n, 1)); // it is done
  REQUIRE(cudaMemcpyAsync(a.data(), pinned, bytes, cudaMemcpyHostToDevice, stream) == cudaSuccess);
  std::fill_n(pinned, n, 3); // too early: the copy has not begun
  CHECK(a.host() == std::vector<int>(n, 3));
  std::fill_n(pinned, n, 4);
  REQUIRE(cudaMemcpyAsync(pinned, a.data(), bytes, cudaMemcpyDeviceToHost, stream) == cudaSuccess);
  CHECK(pinned[0] == 4);
  REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(pinned[0] == 3);
}
