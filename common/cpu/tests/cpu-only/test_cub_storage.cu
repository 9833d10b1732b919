// CUB's call with too little storage: an H200 takes one byte less without a word, so nobody else
// tells the learner.
#include "cuda_test.hpp"

#include <cub/cub.cuh>

TEST_CASE("cub: too little temporary storage is refused") {
  DeviceArray<float> device(1000), out(1000);
  std::size_t bytes = 0;
  REQUIRE(cub::DeviceReduce::Sum(nullptr, bytes, device.data(), out.data(), 1000) == cudaSuccess);
  DeviceArray<char> storage(bytes);
  std::size_t less = bytes - 1;
  CHECK(cub::DeviceReduce::Sum(storage.data(), less, device.data(), out.data(), 1000) ==
        cudaErrorInvalidValue);
  static_cast<void>(cudaGetLastError());
}
