// An array in managed memory, which host and device both reach, and how it shows itself to other
// libraries without a copy.
#pragma once

#include "lessons/18-python-interop/dlpack.hpp"
#include "lessons/18-python-interop/errors.hpp"

#include <pybind11/pybind11.h>

#include <cstdint>
#include <memory>

namespace py = pybind11;

// ny rows of nx doubles, all 0. Whoever holds a copy of `memory` keeps it alive. The last one frees
// it, and cudaFree waits for the kernels that still use it.
struct Managed {
  std::shared_ptr<double> memory;
  int ny, nx;

  Managed(int rows, int columns) : ny(rows), nx(columns) {
    if (ny < 1 || nx < 1)
      throw py::value_error("an array has at least one row and one column");
    const std::size_t cells = std::size_t(ny) * nx, bytes = sizeof(double) * cells;
    if (bytes / sizeof(double) != cells)
      throw py::value_error("that many cells have more bytes than 64 bits count");
    void *address = nullptr;
    THROW_ON_ERROR(cudaMallocManaged(&address, bytes));
    memory.reset(static_cast<double *>(address), cudaFree);
    THROW_ON_ERROR(cudaMemset(address, 0, bytes));
    THROW_ON_ERROR(cudaDeviceSynchronize()); // now the host may read it, too
  }

  // [interface]
  // Where the values are, and how they lie there. Whoever reads this keeps the Python object, and
  // so the memory.
  py::dict interface() const {
    py::dict about;
    about["version"] = 3;
    about["shape"] = py::make_tuple(ny, nx);
    about["typestr"] = "<f8";      // little-endian, floating point, 8 bytes
    about["strides"] = py::none(); // the rows lie one after the other
    const bool read_only = false;
    about["data"] = py::make_tuple(reinterpret_cast<std::uintptr_t>(memory.get()), read_only);
    return about;
  }
  // [end]

  // The same for libraries of the GPU. `stream`: which work a reader has to wait for.
  py::dict cuda_interface() const {
    py::dict about = interface();
    about["stream"] = py::none();
    return about;
  }

  py::object dlpack() const { return dlpack_capsule(memory, ny, nx); }
};
