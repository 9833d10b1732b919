// From an argument of Python's to a pointer that a kernel may use, or a message that says why not.
#pragma once

#include "common/dlpack.hpp"
#include "lessons/18-python-interop/errors.hpp"
#include "lessons/18-python-interop/streams.hpp"

#include <pybind11/pybind11.h>

#include <climits>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace py = pybind11;

// Rows of doubles, one after the other, in memory that the device reaches.
struct Array {
  double *data;
  int ny, nx;
  std::shared_ptr<void> keeps; // what must live as long as `data` is used, with DLPack
};

// What an array says of itself, in each protocol.
struct Description {
  void *data = nullptr;
  bool read_only = false, is_double = false;
  std::string type;                           // for messages
  std::vector<std::int64_t> shape, strides{}; // strides in bytes; none: no gaps
};

// The array interface: NumPy's, for memory of the host, or CUDA's, for memory of a device.
inline Description from_interface(const py::dict &about) {
  Description found;
  const auto data = about["data"].cast<py::tuple>();
  found.data = reinterpret_cast<void *>(data[0].cast<std::uintptr_t>());
  found.read_only = data[1].cast<bool>();
  found.type = py::str(about["typestr"]);
  found.is_double = found.type == "<f8"; // little-endian, floating point, 8 bytes
  for (const auto &extent : about["shape"].cast<py::tuple>())
    found.shape.push_back(extent.cast<std::int64_t>());
  const py::object strides = about.attr("get")("strides");
  if (!strides.is_none())
    for (const auto &stride : strides.cast<py::tuple>())
      found.strides.push_back(stride.cast<std::int64_t>());
  return found;
}

inline Description from_dlpack(const DLTensor &tensor) {
  Description found;
  found.data = static_cast<char *>(tensor.data) + tensor.byte_offset;
  found.type = "code " + std::to_string(tensor.dtype.code) + ", " +
               std::to_string(tensor.dtype.bits) + " bits";
  found.is_double = tensor.dtype.code == 2 && tensor.dtype.bits == 64 && tensor.dtype.lanes == 1;
  found.shape.assign(tensor.shape, tensor.shape + tensor.ndim);
  for (int i = 0; tensor.strides != nullptr && i < tensor.ndim; ++i)
    found.strides.push_back(tensor.strides[i] * tensor.dtype.bits / 8);
  return found;
}

// [reachable]
// A NumPy array is in pageable memory, which only some machines let a device read.
inline void require_reachable(const std::string &name, const void *data) {
  int device = 0, reads_pageable = 0;
  cudaPointerAttributes found{};
  THROW_ON_ERROR(cudaGetDevice(&device));
  THROW_ON_ERROR(cudaPointerGetAttributes(&found, data));
  if (found.type == cudaMemoryTypeDevice && found.device != device)
    throw py::value_error(name + " is on device " + std::to_string(found.device) +
                          ", and the current device is " + std::to_string(device));
  if (found.type != cudaMemoryTypeUnregistered)
    return;
  THROW_ON_ERROR(cudaDeviceGetAttribute(&reads_pageable, cudaDevAttrPageableMemoryAccess, device));
  if (!reads_pageable)
    throw py::value_error(name + " is in pageable memory, which the device does not reach: copy "
                                 "it into a Managed array, or to the device");
}
// [end]

// The array that `object` shows, for work on `stream`; `name` is for messages.
// [argument]
inline Array array_argument(const py::object &object, const std::string &name, bool writes,
                            cudaStream_t stream) {
  Description found;
  std::shared_ptr<void> keeps;
  if (py::hasattr(object, "__cuda_array_interface__")) {
    const py::dict about = object.attr("__cuda_array_interface__");
    found = from_interface(about);
    const py::object writer = about.attr("get")("stream"); // may still write to it
    if (!writer.is_none())
      order(stream_of(writer.cast<std::uintptr_t>()), stream);
  } else if (py::hasattr(object, "__array_interface__")) {
    found = from_interface(object.attr("__array_interface__"));
  } else if (py::hasattr(object, "__dlpack__")) {
    py::object reader = py::int_(stream == nullptr ? 1 : reinterpret_cast<std::uintptr_t>(stream));
    const int memory = py::tuple(object.attr("__dlpack_device__")())[0].cast<int>();
    if (memory != dl_cuda && memory != dl_cuda_managed)
      reader = py::none(); // memory of the host has no streams, also if it is pinned
    const py::capsule capsule = object.attr("__dlpack__")(py::arg("stream") = reader);
    if (!PyCapsule_IsValid(capsule.ptr(), "dltensor"))
      throw py::value_error(name + "'s capsule holds no tensor, or another reader has taken it");
    found = from_dlpack(capsule.get_pointer<DLManagedTensor>()->dl_tensor);
    keeps = std::make_shared<py::object>(capsule); // which frees the struct: nobody takes it out
  } else {
    throw py::type_error(name + " is no array, but " + std::string(py::str(py::type::of(object))));
  }
  // [end]
  if (!found.is_double)
    throw py::type_error(name + " has the type " + found.type + ", and the kernel needs float64");
  if (found.shape.size() != 2)
    throw py::value_error(name + " has " + std::to_string(found.shape.size()) +
                          " dimensions, and the kernel needs 2");
  const std::int64_t ny = found.shape[0], nx = found.shape[1];
  if (ny < 1 || nx < 1)
    throw py::value_error(name + " has no cells");
  if (ny > INT_MAX / 8 || nx > INT_MAX / 8 || ny * nx > INT_MAX)
    throw py::value_error(name + " has more cells than an int counts");
  if (!found.strides.empty() && found.strides != std::vector<std::int64_t>{8 * nx, 8})
    throw py::value_error(name + " is not contiguous: its rows have gaps, or another order");
  if (writes && found.read_only)
    throw py::value_error(name + " is read-only, and the kernel writes to it");
  if (reinterpret_cast<std::uintptr_t>(found.data) % sizeof(double) != 0)
    throw py::value_error(name + " does not begin at a multiple of 8 bytes, where a device reads "
                                 "doubles: copy it");
  require_reachable(name, found.data);
  return {static_cast<double *>(found.data), static_cast<int>(ny), static_cast<int>(nx), keeps};
}
