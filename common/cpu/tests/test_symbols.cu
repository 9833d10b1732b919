// __constant__ and __device__ variables.
#include "cuda_test.hpp"

namespace {

__constant__ float coefficients[4];
__constant__ int ready_made = 42;
__device__ int counter;
__device__ int table[100];
__device__ int table_of_kernel[100];

struct Shape {
  int width, height;
};
__constant__ Shape shape;

__global__ void polynomial(const float *x, float *y) {
  const float t = x[threadIdx.x];
  y[threadIdx.x] =
      coefficients[0] + t * (coefficients[1] + t * (coefficients[2] + t * coefficients[3]));
}

__global__ void count_and_fill() {
  atomicAdd(&counter, 1);
  table[threadIdx.x] = 3 * threadIdx.x;
}

__managed__ int shared_by_both[4] = {1, 2, 3, 4};

__global__ void area(int *out) { *out = shape.width * shape.height + ready_made; }

__global__ void cached(int *out) { *out = __ldg(&table[5]); }

__global__ void tell_address(int **out) { *out = table_of_kernel; }

} // namespace

TEST_CASE("symbols: constants are set by the host and read by kernels") {
  const float host[4] = {1, 2, 3, 4};
  REQUIRE(cudaMemcpyToSymbol(coefficients, host, sizeof host) == cudaSuccess);
  DeviceArray<float> x(std::vector<float>{0, 1, 2, -1}), y(4);
  polynomial<<<1, 4>>>(x.data(), y.data());
  CHECK(y.host() == std::vector<float>{1, 10, 49, -2});

  const float last = 0; // a part of it
  REQUIRE(cudaMemcpyToSymbol(coefficients, &last, sizeof last, 3 * sizeof(float)) == cudaSuccess);
  polynomial<<<1, 4>>>(x.data(), y.data());
  CHECK(y.host() == std::vector<float>{1, 6, 17, 2});
}

TEST_CASE("symbols: structures and initial values") {
  const Shape host{6, 7};
  REQUIRE(cudaMemcpyToSymbol(shape, &host, sizeof host) == cudaSuccess);
  DeviceArray<int> out(1);
  area<<<1, 1>>>(out.data());
  CHECK(out.host()[0] == 84);
}

TEST_CASE("symbols: variables of the device") {
  const int start = 5;
  REQUIRE(cudaMemcpyToSymbol(counter, &start, sizeof start) == cudaSuccess);
  count_and_fill<<<3, 100>>>();
  require_finished();
  int found = 0;
  REQUIRE(cudaMemcpyFromSymbol(&found, counter, sizeof found) == cudaSuccess);
  CHECK(found == 305);
  REQUIRE(cudaMemcpyFromSymbol(&found, table, sizeof found, 7 * sizeof(int)) == cudaSuccess);
  CHECK(found == 21);
  DeviceArray<int> out(1);
  cached<<<1, 1>>>(out.data());
  CHECK(out.host()[0] == 15);
}

TEST_CASE("symbols: their addresses") {
  int *address = nullptr;
  REQUIRE(cudaGetSymbolAddress(reinterpret_cast<void **>(&address), table) == cudaSuccess);
  REQUIRE(cudaMemset(address, 0, 400) == cudaSuccess);
  DeviceArray<int> out(1, 1);
  cached<<<1, 1>>>(out.data());
  CHECK(out.host()[0] == 0);
}

TEST_CASE("symbols: managed variables are managed memory") {
  cudaPointerAttributes attributes{};
  REQUIRE(cudaPointerGetAttributes(&attributes, &shared_by_both[1]) == cudaSuccess);
  CHECK(attributes.type == cudaMemoryTypeManaged);
  REQUIRE(cudaMemset(shared_by_both, 0, sizeof shared_by_both) == cudaSuccess);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(shared_by_both[3] == 0);
}

TEST_CASE("symbols: a copy beyond the end is refused") {
  const float host[8] = {};
  CHECK(cudaMemcpyToSymbol(coefficients, host, sizeof host) == cudaErrorInvalidValue);
  static_cast<void>(cudaGetLastError());
}

TEST_CASE("symbols: a copy refuses the host's address of a variable") {
  float host[4] = {1, 2, 3, 4};
  REQUIRE(cudaMemcpyToSymbol(coefficients, host, sizeof host) == cudaSuccess);
  CHECK(cudaMemcpy(coefficients, host, sizeof host, cudaMemcpyHostToDevice) ==
        cudaErrorInvalidValue);
  CHECK(cudaMemcpy(host, coefficients, sizeof host, cudaMemcpyDeviceToHost) ==
        cudaErrorInvalidValue);
  static_cast<void>(cudaGetLastError());
}

TEST_CASE("symbols: a copy takes the address that a kernel keeps") {
  DeviceArray<int *> addresses(1);
  tell_address<<<1, 1>>>(addresses.data());
  int *const address = addresses.host()[0];
  std::vector<int> host(100, 1);
  const std::size_t bytes = host.size() * sizeof host[0];
  REQUIRE(cudaMemset(address, 0, bytes) == cudaSuccess);
  REQUIRE(cudaMemcpy(host.data(), address, bytes, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(host == std::vector<int>(100, 0));
}
