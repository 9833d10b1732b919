// DLPack: an array as a struct of C, handed from one library to another in a capsule of Python. The
// structs are those of the standard (github.com/dmlc/dlpack, version 0.8): its binary interface.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <memory>

namespace py = pybind11;

struct DLDevice {
  std::int32_t device_type, device_id;
};
constexpr std::int32_t dl_cuda_managed = 13; // 1: the host's memory, 2: a GPU's, 3: pinned

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

// [tensor]
// What the reader holds: the struct, its shape, and a share of the memory.
struct Shared {
  DLManagedTensor tensor{};
  std::int64_t shape[2];
  std::shared_ptr<double> memory;
};

// The reader calls this once, when it no longer uses the memory: minutes later, in any thread.
inline void delete_shared(DLManagedTensor *tensor) {
  delete static_cast<Shared *>(tensor->manager_ctx);
}
// [end]

// The capsule is named "dltensor" until a reader takes the struct out of it. One that nobody has
// read frees it itself.
inline void delete_unread(PyObject *capsule) {
  if (PyCapsule_IsValid(capsule, "dltensor"))
    delete_shared(static_cast<DLManagedTensor *>(PyCapsule_GetPointer(capsule, "dltensor")));
}

inline py::object dlpack_capsule(std::shared_ptr<double> memory, int ny, int nx) {
  auto *shared = new Shared;
  shared->shape[0] = ny;
  shared->shape[1] = nx;
  shared->tensor.dl_tensor = {
      memory.get(), {dl_cuda_managed, 0}, 2, {2, 64, 1}, shared->shape, nullptr, 0};
  shared->tensor.manager_ctx = shared;
  shared->tensor.deleter = delete_shared;
  shared->memory = std::move(memory);
  return py::reinterpret_steal<py::object>(
      PyCapsule_New(&shared->tensor, "dltensor", delete_unread));
}
