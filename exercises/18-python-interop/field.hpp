// heat.Field: floats in managed memory. Python sees an object, other libraries read it by DLPack.
// The functions in the exercise's file decide how long the memory lives.
#pragma once

#include "common/check.hpp"
#include "common/dlpack.hpp"
#include "exercises/18-python-interop/array.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>

static __global__ void fill(float *values, int count, float value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    values[i] = value;
}

// Memory that the host and all devices can read. A read after it was freed returns NaN or crashes.
struct Memory {
  Memory(int count, float value) : count(count) {
    living.insert(this);
    CUDA_CHECK(cudaMallocManaged(&values, count * sizeof(float)));
    fill<<<(count + 255) / 256, 256>>>(values, count, value);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaDeviceSynchronize());
  }
  ~Memory() {
    if (values)
      std::fill_n(values, count, NAN);
    cudaFree(values); // unchecked: when the program ends, CUDA may have ended before
    living.erase(this);
  }
  Memory(const Memory &) = delete;
  Memory &operator=(const Memory &) = delete;

  static inline std::set<Memory *> living; // needs no lock: NumPy frees it under the GIL
  int count;
  float *values = nullptr;
};

// All elements of an allocation or a part of them. Copies of `owner` keep the memory alive; the
// last copy frees it.
struct Field {
  std::shared_ptr<Memory> owner;
  float *values;
  int count;
};

// The struct that a DLPack reader holds.
struct View {
  View() { ++living; }
  ~View() { --living; }
  View(const View &) = delete;
  View &operator=(const View &) = delete;

  static inline int living = 0;
  DLManagedTensor tensor{};
  std::shared_ptr<Memory> owner;
  std::int64_t count;
};

// Defined in the exercise's file.
Field part_of(const Field &field, int first, int count);
View *view_of(const Field &field);
void delete_capsule(PyObject *capsule);

// ---- The module heat, for Python

struct FieldObject {
  PyObject_HEAD Field field;
  static inline PyObject *type = nullptr;

  static PyObject *create(Field field) {
    auto *object = PyObject_New(FieldObject, reinterpret_cast<PyTypeObject *>(type));
    if (object)
      new (&object->field) Field(std::move(field));
    return reinterpret_cast<PyObject *>(object);
  }
  static Field &of(PyObject *object) { return reinterpret_cast<FieldObject *>(object)->field; }
};

inline PyObject *new_field(PyTypeObject *, PyObject *arguments, PyObject *) {
  return python::for_python([&] {
    int count;
    float value;
    if (!PyArg_ParseTuple(arguments, "if:Field", &count, &value))
      throw python::Raised();
    if (count < 1)
      throw python::ValueError("a field has at least one element");
    const auto owner = std::make_shared<Memory>(count, value);
    return FieldObject::create({owner, owner->values, count});
  });
}

inline void delete_field(PyObject *object) {
  PyTypeObject *const type = Py_TYPE(object);
  FieldObject::of(object).~Field();
  PyObject_Free(object);
  Py_DECREF(type);
}

inline PyObject *part_of_field(PyObject *self, PyObject *arguments) {
  return python::for_python([&] {
    int first, count;
    if (!PyArg_ParseTuple(arguments, "ii:part", &first, &count))
      throw python::Raised();
    const Field &field = FieldObject::of(self);
    if (first < 0 || count < 1 || count > field.count - first)
      throw python::ValueError("that part is not inside the field");
    return FieldObject::create(part_of(field, first, count));
  });
}

inline PyObject *dlpack(PyObject *self, PyObject *, PyObject *) {
  return python::for_python([&] {
    return PyCapsule_New(&view_of(FieldObject::of(self))->tensor, "dltensor", delete_capsule);
  });
}

inline PyObject *dlpack_device(PyObject *, PyObject *) {
  return Py_BuildValue("ii", dl_cuda_managed, 0);
}

// Returns the number of allocations and of views that are not freed.
inline PyObject *living(PyObject *, PyObject *) {
  return Py_BuildValue("ii", int(Memory::living.size()), View::living);
}

inline PyObject *create_heat() {
  static PyMethodDef methods[] = {
      {"part", part_of_field, METH_VARARGS, "part(first, count): the same memory"},
      {"__dlpack__", (PyCFunction)(void (*)())dlpack, METH_VARARGS | METH_KEYWORDS, nullptr},
      {"__dlpack_device__", dlpack_device, METH_NOARGS, nullptr},
      {nullptr, nullptr, 0, nullptr}};
  static PyType_Slot slots[] = {{Py_tp_new, (void *)new_field},
                                {Py_tp_dealloc, (void *)delete_field},
                                {Py_tp_methods, methods},
                                {0, nullptr}};
  static PyType_Spec field = {"heat.Field", sizeof(FieldObject), 0, Py_TPFLAGS_DEFAULT, slots};
  static PyMethodDef functions[] = {{"living", living, METH_NOARGS, nullptr},
                                    {nullptr, nullptr, 0, nullptr}};
  static PyModuleDef definition = {
      PyModuleDef_HEAD_INIT, "heat", nullptr, -1, functions, nullptr, nullptr, nullptr, nullptr};
  PyObject *module = PyModule_Create(&definition);
  FieldObject::type = PyType_FromSpec(&field);
  Py_XINCREF(FieldObject::type);
  PyModule_AddObject(module, "Field", FieldObject::type);
  return module;
}
