// Exercise 18-python-interop/wrap-norm: your norm of lesson 07, called from Python.
//
// Build: nvcc -O3 -std=c++17 -I. exercises/18-python-interop/wrap-norm.cu exercises/07-reduction/norm.cu $(python3 common/python_flags.py) -o wrap-norm
// Run:   ./wrap-norm
//
// The program has Python in it, so that one file shows both sides: the module, and a script that
// uses it. Your norm is linked in: an error in norm.cu belongs to that exercise.

#include "exercises/18-python-interop/array.hpp"

#include "common/check.hpp"
#include "common/verify.hpp"
#include "exercises/07-reduction/norm.hpp"
#include "exercises/18-python-interop/interpreter.hpp"
#include "exercises/18-python-interop/wrap-norm.hpp"

#include <climits>
#include <cmath>
#include <cstdio>

// In place of CUDA_CHECK, which ends the program: with it all that its user has in Python is lost.
void check_or_throw(cudaError_t status) {
  if (status != cudaSuccess)
    throw std::runtime_error(cudaGetErrorString(status));
}

// What Python's heat.norm(a, b) computes.
double norm_of(const python::Array &a, const python::Array &b) {
  // TODO 1: TypeError or ValueError for what norm() cannot read: another type, memory of a device
  for (const python::Array &array : {a, b}) {
    if (array.type != "<f4")
      throw python::TypeError("norm() takes arrays of float32, not of " + array.type);
    cudaPointerAttributes memory;
    check_or_throw(cudaPointerGetAttributes(&memory, array.data));
    if (memory.type == cudaMemoryTypeDevice)
      throw python::ValueError("norm() takes memory of the host, not of a device: copy it first");
  }
  // TODO end

  // TODO 2: ValueError for what it would read wrongly: gaps, other shapes, too many elements
  if (!a.contiguous || !b.contiguous)
    throw python::ValueError("the elements do not lie side by side: numpy.ascontiguousarray");
  if (a.shape != b.shape)
    throw python::ValueError("norm() takes two arrays of the same shape");
  if (a.size() > INT_MAX)
    throw python::ValueError("norm() counts with an int");
  // TODO end

  double result = NAN;
  // TODO 3: the norm, also of empty arrays, while other threads of Python run
  const python::WithoutGil released;
  result = a.size() == 0 ? 0 : norm((const float *)a.data, (const float *)b.data, int(a.size()));
  // TODO end
  return result;
}

// The module: a function that takes Python's arguments apart, and two tables.
PyObject *norm_for_python(PyObject *, PyObject *arguments) {
  return python::for_python([&] {
    PyObject *a, *b;
    if (!PyArg_ParseTuple(arguments, "OO:norm", &a, &b))
      throw python::Raised();
    return PyFloat_FromDouble(norm_of(python::Array(a), python::Array(b)));
  });
}
PyMethodDef functions[] = {{"norm", norm_for_python, METH_VARARGS, "norm(a, b): how far apart"},
                           {nullptr, nullptr, 0, nullptr}};
PyModuleDef heat = {
    PyModuleDef_HEAD_INIT, "heat", nullptr, -1, functions, nullptr, nullptr, nullptr, nullptr};
PyMODINIT_FUNC PyInit_heat() { return PyModule_Create(&heat); }

Answer wrap_norm(const char *script, const float *a, const float *b, int n) {
  python::start("heat", PyInit_heat);
  return python::run(script, {{"a", a, n}, {"b", b, n}});
}

const char *script = R"(
import math
import numpy as np
import heat

a = np.linspace(0, 1, 1_000_003, dtype=np.float32)
b = np.sqrt(a)
norm = heat.norm(a, b)
print(f"norm of {a.size} differences: {norm:.12g}")
result = 0 if math.isclose(norm, np.linalg.norm(a.astype(float) - b), rel_tol=1e-10) else 1

for what, error, x in [("float64", TypeError, b.astype(float)),
                       ("every second element", ValueError, np.repeat(b, 2)[::2]),
                       ("another shape", ValueError, b.reshape(-1, 1))]:
    try:
        heat.norm(a, x)
        print(f"  {what} is not refused, it should be: {error.__name__}")
        result += 1
    except error as reason:
        print(f"  {what} is refused: {reason}")
result = math.nan if math.isnan(norm) else result
)";

// No course::print_device(): without a device heat.norm() has to say so.
int main() {
  const float unused = 0;
  const Answer answer = wrap_norm(script, &unused, &unused, 1);
  if (answer.error[0])
    std::printf("  %s\n", answer.error);
  else if (std::isnan(answer.value)) {
    std::puts("no norm: fill in TODO 1 to TODO 3; norm.cu, too: ./course check reduction/norm");
    return EXIT_FAILURE;
  }
  return course::verdict(answer.value == 0);
}
