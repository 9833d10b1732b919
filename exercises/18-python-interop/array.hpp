// The parts of Python's C API that these exercises need: arrays, exceptions, the GIL. pybind11 has
// all of them, but takes several times as long to compile. Its names are in the comments.
#pragma once

#include <Python.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace python {

// A C++ exception becomes a Python exception: these two become TypeError and ValueError
// (py::type_error, py::value_error), every other std::exception becomes RuntimeError.
struct TypeError : std::invalid_argument {
  using invalid_argument::invalid_argument;
};
struct ValueError : std::invalid_argument {
  using invalid_argument::invalid_argument;
};
struct Raised {}; // a Python exception is already set (py::error_already_set)

// Runs `work`, which returns a new reference, for a Python caller.
template <class Work> PyObject *for_python(Work work) {
  try {
    return work();
  } catch (const Raised &) {
  } catch (const TypeError &error) {
    PyErr_SetString(PyExc_TypeError, error.what());
  } catch (const ValueError &error) {
    PyErr_SetString(PyExc_ValueError, error.what());
  } catch (const std::exception &error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
  return nullptr;
}

// While an object of this class exists, this thread does not hold the GIL. Other Python threads
// run, and this thread must not use any Python object (py::gil_scoped_release).
class WithoutGil {
public:
  WithoutGil() : state_(PyEval_SaveThread()) {}
  ~WithoutGil() { PyEval_RestoreThread(state_); }
  WithoutGil(const WithoutGil &) = delete;
  WithoutGil &operator=(const WithoutGil &) = delete;

private:
  PyThreadState *state_;
};

// A reference that its destructor releases (py::object).
class Object {
public:
  explicit Object(PyObject *its) : its_(its) {}
  ~Object() { Py_XDECREF(its_); }
  Object(const Object &) = delete;
  Object &operator=(const Object &) = delete;
  PyObject *get() const { return its_; }

private:
  PyObject *its_;
};

// The description of an array's memory, from its attribute __array_interface__ (NumPy) or
// __cuda_array_interface__ (CuPy, Numba, PyTorch): a dict with address, shape, type and strides.
// Nothing is copied. The caller must keep the array alive.
struct Array {
  std::string type;              // "<f4": a float of 4 bytes; "<f8", "<i4", ...
  std::vector<Py_ssize_t> shape; // elements in each dimension
  bool contiguous;               // row by row, without gaps
  bool read_only;
  const void *data;

  explicit Array(PyObject *object) {
    const bool says_cuda = PyObject_HasAttrString(object, "__cuda_array_interface__");
    if (!says_cuda && !PyObject_HasAttrString(object, "__array_interface__"))
      throw TypeError(std::string("an array is expected, not a ") + Py_TYPE(object)->tp_name);
    const Object interface(PyObject_GetAttrString(object, says_cuda ? "__cuda_array_interface__"
                                                                    : "__array_interface__"));
    const auto item = [&](const char *key) {
      PyObject *value = interface.get() ? PyMapping_GetItemString(interface.get(), key) : nullptr;
      if (!value)
        throw Raised();
      return value;
    };
    const Object its_type(item("typestr")), its_shape(item("shape")), its_data(item("data"));
    const bool says_strides = PyMapping_HasKeyString(interface.get(), "strides");
    const Object its_strides(says_strides ? item("strides") : nullptr);
    const char *text = PyUnicode_AsUTF8(its_type.get());
    PyObject *address;
    int is_read_only;
    if (!text || !PyArg_ParseTuple(its_data.get(), "Op", &address, &is_read_only))
      throw Raised();
    type = text;
    read_only = is_read_only;
    data = PyLong_AsVoidPtr(address);
    shape = numbers(its_shape.get());
    contiguous = !says_strides || its_strides.get() == Py_None;
    if (!contiguous) { // explicit strides, in bytes, may still describe a contiguous array
      const std::vector<Py_ssize_t> strides = numbers(its_strides.get());
      Py_ssize_t stride = std::stoi(type.substr(2));
      contiguous = true;
      for (std::size_t i = shape.size(); i-- > 0; stride *= shape[i])
        contiguous = contiguous && (strides.at(i) == stride || shape[i] == 1);
    }
    if (PyErr_Occurred())
      throw Raised();
  }

  Py_ssize_t size() const {
    Py_ssize_t product = 1;
    for (const Py_ssize_t elements : shape)
      product *= elements;
    return product;
  }

private:
  static std::vector<Py_ssize_t> numbers(PyObject *tuple) {
    std::vector<Py_ssize_t> values;
    for (Py_ssize_t i = 0, count = PySequence_Size(tuple); i < count; ++i)
      values.push_back(PyLong_AsSsize_t(Object(PySequence_GetItem(tuple, i)).get()));
    return values;
  }
};

} // namespace python
