// DLPack (common/dlpack.hpp) in Python: the struct travels in a capsule, an object that holds a
// pointer and a function that is called when the object goes.
#pragma once

#include "common/dlpack.hpp"

#include <pybind11/pybind11.h>

#include <cstdint>
#include <memory>

namespace py = pybind11;

// [tensor]
// What the reader gets: the struct, its shape, and a share of the memory.
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
// taken frees it itself.
inline void delete_capsule(PyObject *capsule) {
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
      PyCapsule_New(&shared->tensor, "dltensor", delete_capsule));
}
