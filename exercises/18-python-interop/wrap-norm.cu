// Exercise 18-python-interop/wrap-norm: call your norm from lesson 07 from Python.
//
// Build: nvcc -O3 -std=c++17 -I. exercises/18-python-interop/wrap-norm.cu exercises/07-reduction/norm.cu $(python3 common/python_flags.py) -o wrap-norm
// Run:   ./wrap-norm
//
// The program contains a Python interpreter, so one file has both the module and a script that uses
// it. Your norm.cu from lesson 07 is linked in. If the norm is wrong, fix it there.

#include "exercises/18-python-interop/array.hpp"

#include "common/check.hpp"
#include "common/verify.hpp"
#include "exercises/07-reduction/norm.hpp"
#include "exercises/18-python-interop/interpreter.hpp"
#include "exercises/18-python-interop/wrap-norm.hpp"

#include <climits>
#include <cmath>
#include <cstdio>

// Use this instead of CUDA_CHECK, which would end the process and with it the user's session.
void check_or_throw(cudaError_t status) {
  if (status != cudaSuccess)
    throw std::runtime_error(cudaGetErrorString(status));
}

// Computes heat.norm(a, b) for Python.
double norm_of(const python::Array &a, const python::Array &b) {
  // TODO 1: TypeError for another type; ValueError for device memory
  // TODO end

  // TODO 2: ValueError for gaps, different shapes, or more elements than an int can count
  // TODO end

  double result = NAN;
  // TODO 3: compute the norm, also of empty arrays, while other Python threads run
  // TODO end
  return result;
}

// The module: a function that unpacks the Python arguments, and two tables.
PyObject *norm_for_python(PyObject *, PyObject *arguments) {
  return python::for_python([&] {
    PyObject *a, *b;
    if (!PyArg_ParseTuple(arguments, "OO:norm", &a, &b))
      throw python::Raised();
    return PyFloat_FromDouble(norm_of(python::Array(a), python::Array(b)));
  });
}
PyMethodDef functions[] = {{"norm", norm_for_python, METH_VARARGS, "norm(a, b): the norm of a - b"},
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
        print(f"  {what}: accepted, expected a {error.__name__}")
        result += 1
    except error as reason:
        print(f"  {what}: {error.__name__}: {reason}")
result = math.nan if math.isnan(norm) else result
)";

// There is no course::print_device() here: without a device, heat.norm() must raise the exception.
int main() {
  const float unused = 0;
  const Answer answer = wrap_norm(script, &unused, &unused, 1);
  if (answer.error[0])
    std::printf("  %s\n", answer.error);
  else if (std::isnan(answer.value)) {
    std::puts("no norm: complete TODO 1 to 3, and norm.cu (./course check reduction/norm)");
    return EXIT_FAILURE;
  }
  return course::verdict(answer.value == 0);
}
