// Lesson 18, deep dive: the same library as a Python module, by pybind11.
//
// Build: nvcc -O3 -std=c++17 -I. -shared -Xcompiler=-fPIC $(python3 -m pybind11 --includes) lessons/18-python-interop/heat-module.cu -o heat_module.so
// Run:   ./course run heat-module
#include "lessons/18-python-interop/python-interop.cu"

#include <pybind11/numpy.h>

#include <stdexcept>

namespace py = pybind11;

void steps(py::array_t<double, py::array::c_style> plate, int count) {
  if (plate.ndim() != 2)
    throw py::value_error("a plate has two dimensions");
  double *values = plate.mutable_data(); // throws if the array is read-only
  const int ny = plate.shape(0), nx = plate.shape(1);
  int error;
  {
    py::gil_scoped_release released; // other Python threads run until the closing brace
    error = heat_steps(values, ny, nx, count);
  }
  if (error)
    throw std::runtime_error(heat_message(error)); // RuntimeError in Python
}

PYBIND11_MODULE(heat_module, module) {
  module.def("steps", steps, py::arg("plate").noconvert(), py::arg("count"));
}
