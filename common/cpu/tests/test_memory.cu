// Allocation, copies, and where memory is.
#include "cuda_test.hpp"

#include <cstdint>
#include <cstring>

namespace {

__global__ void add_one(int *values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    ++values[i];
}

__global__ void fill_rows(char *data, std::size_t pitch, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height)
    reinterpret_cast<int *>(data + y * pitch)[x] = 1000 * y + x;
}

cudaMemoryType type_of(const void *pointer) {
  cudaPointerAttributes attributes;
  REQUIRE(cudaPointerGetAttributes(&attributes, pointer) == cudaSuccess);
  return attributes.type;
}

// The last error as an answer to `call`, which must fail; it is forgotten then.
cudaError_t failure(cudaError_t call) {
  CHECK(cudaGetLastError() == call);
  return call;
}

constexpr int n = 1000;
constexpr std::size_t bytes = n * sizeof(int);

} // namespace

TEST_CASE("memory: copies in every direction") {
  const std::vector<int> in = counting<int>(n);
  std::vector<int> out(n);
  DeviceArray<int> a(n), b(n);
  REQUIRE(cudaMemcpy(a.data(), in.data(), bytes, cudaMemcpyHostToDevice) == cudaSuccess);
  REQUIRE(cudaMemcpy(b.data(), a.data(), bytes, cudaMemcpyDeviceToDevice) == cudaSuccess);
  REQUIRE(cudaMemcpy(out.data(), b.data(), bytes, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(out == in);
  std::vector<int> twin(n);
  REQUIRE(cudaMemcpy(twin.data(), in.data(), bytes, cudaMemcpyHostToHost) == cudaSuccess);
  CHECK(twin == in);
  std::fill(out.begin(), out.end(), 0);
  REQUIRE(cudaMemset(b.data(), 0, bytes) == cudaSuccess);
  REQUIRE(cudaMemcpy(b.data(), in.data(), bytes, cudaMemcpyDefault) == cudaSuccess);
  REQUIRE(cudaMemcpy(out.data(), b.data(), bytes, cudaMemcpyDefault) == cudaSuccess);
  CHECK(out == in);
  REQUIRE(cudaMemcpy(out.data(), b.data() + 10, 5 * sizeof(int), cudaMemcpyDeviceToHost) ==
          cudaSuccess);
  CHECK(out[0] == 10);
  CHECK(out[5] == 5);
  CHECK(cudaMemcpy(a.data(), in.data(), 0, cudaMemcpyHostToDevice) == cudaSuccess);
}

TEST_CASE("memory: a kind of copy that does not fit the pointers is refused") {
  std::vector<int> host(n);
  DeviceArray<int> device(n);
  CHECK(failure(cudaMemcpy(host.data(), device.data(), bytes, cudaMemcpyHostToDevice)) ==
        cudaErrorInvalidValue);
  CHECK(failure(cudaMemcpy(device.data(), host.data(), bytes, cudaMemcpyDeviceToHost)) ==
        cudaErrorInvalidValue);
  CHECK(failure(cudaMemcpy(host.data(), host.data(), bytes, static_cast<cudaMemcpyKind>(77))) ==
        cudaErrorInvalidMemcpyDirection);
  CHECK(failure(cudaMemset(nullptr, 0, bytes)) == cudaErrorInvalidValue);
}

TEST_CASE("memory: a copy beyond the end of an allocation is refused") {
  std::vector<int> host(4 * 1024 * 1024);
  DeviceArray<int> device(256);
  CHECK(failure(cudaMemcpy(device.data(), host.data(), host.size() * sizeof(int),
                           cudaMemcpyHostToDevice)) == cudaErrorInvalidValue);
}

TEST_CASE("memory: a copy that begins in pinned memory and ends behind it is refused") {
  constexpr std::size_t page = 64 << 10, part = 16 * page, all = 4 * part;
  std::vector<char> host(all + page);
  char *const start = host.data() + page - reinterpret_cast<std::uintptr_t>(host.data()) % page;
  DeviceArray<char> device(all);
  REQUIRE(cudaHostRegister(start + part, part, cudaHostRegisterDefault) == cudaSuccess);
  const auto copy = [&](std::size_t first, std::size_t count, cudaMemcpyKind kind) {
    return cudaMemcpy(device.data(), start + first, count, kind);
  };
  for (auto kind : {cudaMemcpyHostToDevice, cudaMemcpyDefault}) {
    CHECK(copy(0, all, kind) == cudaSuccess); // begins in pageable memory
    CHECK(failure(copy(part, 2 * part, kind)) == cudaErrorInvalidValue);
    CHECK(copy(part, part, kind) == cudaSuccess);
    CHECK(copy(2 * part, 2 * part, kind) == cudaSuccess);
  }
  CHECK(failure(cudaMemcpyAsync(start + part, device.data(), 2 * part, cudaMemcpyDeviceToHost)) ==
        cudaErrorInvalidValue);
  CHECK(failure(cudaHostRegister(start, all, cudaHostRegisterDefault)) ==
        cudaErrorHostMemoryAlreadyRegistered);
  CHECK(cudaHostUnregister(start + part) == cudaSuccess);
  CHECK(copy(0, all, cudaMemcpyHostToDevice) == cudaSuccess);
}

TEST_CASE("memory: memset sets bytes") {
  DeviceArray<int> values(n);
  REQUIRE(cudaMemset(values.data(), 1, bytes - 4) == cudaSuccess);
  const std::vector<int> found = values.host();
  CHECK(found[0] == 0x01010101);
  CHECK(found[n - 2] == 0x01010101);
  CHECK(found[n - 1] == 0);
}

TEST_CASE("memory: two-dimensional copies") {
  constexpr int width = 50, height = 20;
  constexpr std::size_t row = width * sizeof(int);
  char *device = nullptr;
  std::size_t pitch = 0;
  REQUIRE(cudaMallocPitch(&device, &pitch, row, height) == cudaSuccess);
  CHECK(pitch >= row);
  CHECK(pitch % 32 == 0);
  REQUIRE(cudaMemset(device, 0, pitch * height) == cudaSuccess);
  fill_rows<<<dim3(2, 3), dim3(32, 8)>>>(device, pitch, width, height);
  std::vector<int> host(width * height);
  REQUIRE(cudaMemcpy2D(host.data(), row, device, pitch, row, height, cudaMemcpyDeviceToHost) ==
          cudaSuccess);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      CHECK(host[y * width + x] == 1000 * y + x);

  // A part of 3 rows and 2 columns, back to another place.
  REQUIRE(cudaMemcpy2D(device + 5 * pitch, pitch, host.data(), row, 2 * sizeof(int), 3,
                       cudaMemcpyHostToDevice) == cudaSuccess);
  int found = 0;
  REQUIRE(cudaMemcpy(&found, device + 7 * pitch + sizeof(int), sizeof(int),
                     cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(found == 2001);
  CHECK(failure(cudaMemcpy2D(device, row - 1, host.data(), row, row, height,
                             cudaMemcpyHostToDevice)) == cudaErrorInvalidPitchValue);
  CHECK(cudaFree(device) == cudaSuccess);
}

TEST_CASE("memory: managed memory is read and written by both sides") {
  int *values = nullptr;
  REQUIRE(cudaMallocManaged(&values, bytes) == cudaSuccess);
  for (int i = 0; i < n; ++i)
    values[i] = i;
  add_one<<<4, 256>>>(values, n);
  require_finished();
  CHECK(values[0] == 1);
  CHECK(values[n - 1] == n);
  CHECK(type_of(values) == cudaMemoryTypeManaged);
  CHECK(cudaFree(values) == cudaSuccess);
}

TEST_CASE("memory: pinned host memory") {
  int *pinned = nullptr, *mapped = nullptr, *seen_by_device = nullptr;
  REQUIRE(cudaMallocHost(&pinned, bytes) == cudaSuccess);
  REQUIRE(cudaHostAlloc(&mapped, bytes, cudaHostAllocMapped) == cudaSuccess);
  CHECK(type_of(pinned) == cudaMemoryTypeHost);
  std::fill(mapped, mapped + n, 41);
  REQUIRE(cudaHostGetDevicePointer(&seen_by_device, mapped, 0) == cudaSuccess);
  add_one<<<4, 256>>>(seen_by_device, n);
  require_finished();
  CHECK(mapped[n - 1] == 42);
  CHECK(cudaFreeHost(pinned) == cudaSuccess);
  CHECK(cudaFreeHost(mapped) == cudaSuccess);

  std::vector<int> own(4096);
  REQUIRE(cudaHostRegister(own.data(), own.size() * sizeof(int), cudaHostRegisterDefault) ==
          cudaSuccess);
  CHECK(type_of(own.data()) == cudaMemoryTypeHost);
  CHECK(cudaHostUnregister(own.data()) == cudaSuccess);
  CHECK(type_of(own.data()) == cudaMemoryTypeUnregistered);
}

TEST_CASE("memory: allocation in a stream") {
  const Stream stream;
  std::vector<int> found(n);
  for (int round = 0; round < 3; ++round) {
    int *a = nullptr, *b = nullptr;
    REQUIRE(cudaMallocAsync(&a, bytes, stream) == cudaSuccess);
    REQUIRE(cudaMallocAsync(&b, bytes, stream) == cudaSuccess);
    CHECK(cudaMemsetAsync(a, 0, bytes, stream) == cudaSuccess);
    add_one<<<4, 256, 0, stream>>>(a, n);
    CHECK(cudaMemcpyAsync(b, a, bytes, cudaMemcpyDeviceToDevice, stream) == cudaSuccess);
    CHECK(cudaFreeAsync(a, stream) == cudaSuccess);
    add_one<<<4, 256, 0, stream>>>(b, n);
    CHECK(cudaMemcpyAsync(found.data(), b, bytes, cudaMemcpyDeviceToHost, stream) == cudaSuccess);
    CHECK(cudaFreeAsync(b, stream) == cudaSuccess);
    REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
    CHECK(found == std::vector<int>(n, 2));
  }
}

TEST_CASE("memory: managed memory is moved before it is needed") {
  int *values = nullptr;
  REQUIRE(cudaMallocManaged(&values, bytes) == cudaSuccess);
  std::fill(values, values + n, 4);
#if CUDART_VERSION >= 13000
  const cudaMemLocation device{cudaMemLocationTypeDevice, 0}, host{cudaMemLocationTypeHost, 0};
  const cudaError_t there = cudaMemPrefetchAsync(values, bytes, device, 0, nullptr);
#else
  const int device = 0, host = cudaCpuDeviceId;
  const cudaError_t there = cudaMemPrefetchAsync(values, bytes, device, nullptr);
#endif
  REQUIRE(there == cudaSuccess);
  add_one<<<4, 256>>>(values, n);
#if CUDART_VERSION >= 13000
  REQUIRE(cudaMemPrefetchAsync(values, bytes, host, 0, nullptr) == cudaSuccess);
#else
  REQUIRE(cudaMemPrefetchAsync(values, bytes, host, nullptr) == cudaSuccess);
#endif
  require_finished();
  CHECK(std::vector<int>(values, values + n) == std::vector<int>(n, 5));
  CHECK(cudaFree(values) == cudaSuccess);
}

__global__ void with_hints(const float4 *in, float4 *out, float *constant) {
  __stcs(out, __ldg(in));
  __stcs(out + 1, __ldcs(in + 1));
  __stcs(constant, 1.5); // the place gives the type
}

TEST_CASE("memory: hints to the caches change no values") {
  DeviceArray<float4> in({make_float4(1, 2, 3, 4), make_float4(5, 6, 7, 8)}), out(2);
  DeviceArray<float> constant(1);
  with_hints<<<1, 1>>>(in.data(), out.data(), constant.data());
  const std::vector<float4> found = out.host();
  CHECK((found[0].x == 1 && found[0].w == 4 && found[1].x == 5 && found[1].w == 8));
  CHECK(constant.host()[0] == 1.5f);
}

TEST_CASE("memory: where a pointer leads") {
  int on_stack = 0;
  DeviceArray<int> device(n);
  CHECK(type_of(&on_stack) == cudaMemoryTypeUnregistered);
  CHECK(type_of(device.data()) == cudaMemoryTypeDevice);
  CHECK(type_of(device.data() + n - 1) == cudaMemoryTypeDevice);
  cudaPointerAttributes attributes;
  REQUIRE(cudaPointerGetAttributes(&attributes, device.data()) == cudaSuccess);
  CHECK(attributes.device == 0);
  CHECK(attributes.devicePointer == device.data());
  CHECK(attributes.hostPointer == nullptr);
}

TEST_CASE("memory: allocations are aligned to 256 bytes") {
  for (std::size_t size : {1, 100, 4097}) {
    char *pointer = nullptr;
    REQUIRE(cudaMalloc(&pointer, size) == cudaSuccess);
    CHECK(reinterpret_cast<std::uintptr_t>(pointer) % 256 == 0);
    CHECK(cudaFree(pointer) == cudaSuccess);
  }
}

TEST_CASE("memory: free") {
  int on_stack = 0;
  int *pointer = nullptr;
  CHECK(cudaFree(nullptr) == cudaSuccess);
  REQUIRE(cudaMalloc(&pointer, bytes) == cudaSuccess);
  CHECK(failure(cudaFree(pointer + 1)) == cudaErrorInvalidValue);
  CHECK(cudaFree(pointer) == cudaSuccess);
  CHECK(failure(cudaFree(pointer)) == cudaErrorInvalidValue); // a second time
  CHECK(failure(cudaFree(&on_stack)) == cudaErrorInvalidValue);
  CHECK(failure(cudaFreeHost(&on_stack)) == cudaErrorInvalidValue);
}

TEST_CASE("memory: more than there is") {
  std::size_t free_before = 0, total = 0;
  REQUIRE(cudaMemGetInfo(&free_before, &total) == cudaSuccess);
  CHECK(free_before > 0);
  CHECK(free_before <= total);
  int *pointer = nullptr;
  CHECK(failure(cudaMalloc(&pointer, total + (std::size_t{1} << 30))) == cudaErrorMemoryAllocation);
  CHECK(failure(cudaMalloc(&pointer, std::size_t{1} << 62)) == cudaErrorMemoryAllocation);
  // It does not last.
  REQUIRE(cudaMalloc(&pointer, 64 << 20) == cudaSuccess);
  CHECK(cudaFree(pointer) == cudaSuccess);
}

TEST_CASE("memory: several devices") {
  skip_unless_two_devices();
  int device = -1;
  std::vector<int> values = counting<int>(n);
  DeviceArray<int> first(values);
  REQUIRE(cudaSetDevice(1) == cudaSuccess);
  {
    CHECK(cudaGetDevice(&device) == cudaSuccess);
    CHECK(device == 1);
    DeviceArray<int> second(n);
    cudaPointerAttributes attributes;
    REQUIRE(cudaPointerGetAttributes(&attributes, second.data()) == cudaSuccess);
    CHECK(attributes.device == 1);
    REQUIRE(cudaPointerGetAttributes(&attributes, first.data()) == cudaSuccess);
    CHECK(attributes.device == 0);
    REQUIRE(cudaMemcpyPeerAsync(second.data(), 1, first.data(), 0, bytes) == cudaSuccess);
    add_one<<<4, 256>>>(second.data(), n);
    const std::vector<int> found = second.host();
    CHECK(found[0] == 1);
    CHECK(found[n - 1] == n);
  }
  REQUIRE(cudaSetDevice(0) == cudaSuccess);
  CHECK(first.host() == values);
}

TEST_CASE("memory: what another device than the current one has") {
  skip_unless_two_devices();
  const auto free_of = [](int device) {
    std::size_t free = 0, total = 0;
    REQUIRE(cudaSetDevice(device) == cudaSuccess);
    REQUIRE(cudaMemGetInfo(&free, &total) == cudaSuccess);
    return static_cast<long long>(free);
  };
  constexpr long long unit = 32 << 20; // less than that others may take from a GPU, or give back
  const long long before[] = {free_of(0), free_of(1)};
  int *values = nullptr; // of device 1
  REQUIRE(cudaMalloc(&values, 80 << 20) == cudaSuccess);
  CHECK((before[1] - free_of(1)) / unit == 2);
  add_one<<<4, 256>>>(values, n);
  CHECK((before[0] - free_of(0)) / unit == 0);
  const DeviceArray<int> here(counting<int>(n));
  CHECK(cudaFree(values) == cudaSuccess); // waits for the kernel
  CHECK((before[0] - free_of(0)) / unit == 0);
  CHECK((before[1] - free_of(1)) / unit == 0);
  CHECK(cudaDeviceReset() == cudaSuccess);
  REQUIRE(cudaSetDevice(0) == cudaSuccess);
  CHECK(here.host() == counting<int>(n));
}
