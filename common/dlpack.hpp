// DLPack: an array as a C struct, which one library passes to another without a copy. The structs
// are the binary interface of the standard (github.com/dmlc/dlpack, version 0.8).
#pragma once

#include <cstdint>

struct DLDevice {
  std::int32_t device_type, device_id;
};
constexpr int dl_cuda = 2, dl_cuda_managed = 13; // 1: host memory, 3: pinned

struct DLDataType {
  std::uint8_t code, bits; // code 2: floating point
  std::uint16_t lanes;
};

struct DLTensor {
  void *data;
  DLDevice device;
  std::int32_t ndim;
  DLDataType dtype;
  std::int64_t *shape, *strides; // strides in elements; null: without gaps
  std::uint64_t byte_offset;
};

struct DLManagedTensor {
  DLTensor dl_tensor;
  void *manager_ctx;
  void (*deleter)(DLManagedTensor *);
};
