// From an argument of Python's to a pointer that a kernel may use, or a message that says why not.
#pragma once

#include "lessons/18-python-interop/errors.hpp"

#include <pybind11/pybind11.h>

#include <cstdint>
#include <limits>
#include <string>

namespace py = pybind11;

struct Array {
  double *data;
  int ny, nx;
};

inline std::string text(const py::handle &object) { return py::str(object); }

// The device must reach the memory. A NumPy array of its own is in pageable memory, which only some
// machines let a GPU read.
inline void require_reachable(const std::string &name, const void *data) {
  int device = 0, reads_pageable = 0;
  cudaPointerAttributes found{};
  THROW_ON_ERROR(cudaGetDevice(&device));
  THROW_ON_ERROR(cudaPointerGetAttributes(&found, data));
  THROW_ON_ERROR(cudaDeviceGetAttribute(&reads_pageable, cudaDevAttrPageableMemoryAccess, device));
  if (found.type == cudaMemoryTypeUnregistered && !reads_pageable)
    throw py::value_error(name + " is in pageable memory of the host, which the device does not "
                                 "reach: copy it into a Managed array, or to the device");
  if (found.type == cudaMemoryTypeDevice && found.device != device)
    throw py::value_error(name + " is on device " + std::to_string(found.device) +
                          ", and the current device is " + std::to_string(device));
}

// [argument]
// The array that `object` shows; `name` is for messages. `write`: the kernel writes to it.
inline Array array_argument(const py::object &object, const std::string &name, bool write) {
  py::object about = py::getattr(object, "__cuda_array_interface__", py::none());
  if (about.is_none())
    about = py::getattr(object, "__array_interface__", py::none());
  if (about.is_none())
    throw py::type_error(name + " is no array, but " + text(py::type::of(object)));
  const auto shape = about["shape"].cast<py::tuple>(), data = about["data"].cast<py::tuple>();
  if (text(about["typestr"]) != "<f8")
    throw py::type_error(name + " has the type " + text(about["typestr"]) +
                         ", and the kernel needs float64 (<f8)");
  if (shape.size() != 2)
    throw py::value_error(name + " has " + std::to_string(shape.size()) + " dimensions, not 2");
  const auto ny = shape[0].cast<std::int64_t>(), nx = shape[1].cast<std::int64_t>();
  // [end]
  if (ny > std::numeric_limits<int>::max() || nx > std::numeric_limits<int>::max())
    throw py::value_error(name + " has more rows or columns than an int counts");
  const py::object strides = about.attr("get")("strides");
  if (!strides.is_none() && !strides.equal(py::make_tuple(8 * nx, 8)))
    throw py::value_error(name + " has gaps or another order of its values (strides " +
                          text(strides) + " bytes): make it contiguous");
  if (write && data[1].cast<bool>())
    throw py::value_error(name + " is read-only, and the kernel writes to it");
  auto *const address = reinterpret_cast<double *>(data[0].cast<std::uintptr_t>());
  require_reachable(name, address);
  return {address, static_cast<int>(ny), static_cast<int>(nx)};
}
