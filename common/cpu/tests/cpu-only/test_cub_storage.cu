// CUB's call with too little storage: an H200 takes one byte less without a word, so nobody else
// tells the learner.
#include "cuda_test.hpp"

#include <cub/cub.cuh>

TEST_CASE("cub: too little temporary storage is refused") {
  DeviceArray<float> device(1000), out(1000);
  const auto sum = [&](void *storage, std::size_t &bytes) {
    return cub::DeviceReduce::Sum(storage, bytes, device.data(), out.data(), 1000);
  };
  const auto sort = [&](void *storage, std::size_t &bytes) {
    return cub::DeviceRadixSort::SortKeys(storage, bytes, device.data(), out.data(), 1000);
  };
  const auto refuses_one_byte_less = [](const auto &call) {
    std::size_t bytes = 0;
    REQUIRE(call(nullptr, bytes) == cudaSuccess);
    DeviceArray<char> storage(bytes);
    std::size_t less = bytes - 1;
    CHECK(call(storage.data(), less) == cudaErrorInvalidValue);
    static_cast<void>(cudaGetLastError());
  };
  refuses_one_byte_less(sum);
  refuses_one_byte_less(sort);
}
