// A Python interpreter inside a C++ program: runs a script that imports a module of this program.
#pragma once

#include "common/check.hpp"
#include "exercises/18-python-interop/answer.hpp"
#include "exercises/18-python-interop/array.hpp"

#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <set>

namespace python {

// Scripts can also import a module `course`. It allocates CUDA memory, and gives the device work
// that lasts until the script calls go_on().
namespace course_module {

inline std::mutex mutex;
inline std::condition_variable changed;
inline bool may_go_on = false, went_on = false;
inline std::set<void *> memories; // not yet freed

inline PyObject *memory(PyObject *, PyObject *arguments) { // (bytes, kind): an address
  unsigned long long bytes;
  const char *name;
  if (!PyArg_ParseTuple(arguments, "Ks", &bytes, &name))
    return nullptr;
  const std::string kind = name; // "device", "managed", "pinned"
  void *memory = nullptr;
  CUDA_CHECK(kind == "pinned"    ? cudaMallocHost(&memory, bytes)
             : kind == "managed" ? cudaMallocManaged(&memory, bytes)
                                 : cudaMalloc(&memory, bytes));
  memories.insert(memory);
  return PyLong_FromVoidPtr(memory);
}

inline void free(void *memory) {
  if (memories.erase(memory) == 0)
    return;
  cudaPointerAttributes found;
  CUDA_CHECK(cudaPointerGetAttributes(&found, memory));
  CUDA_CHECK(found.type == cudaMemoryTypeHost ? cudaFreeHost(memory) : cudaFree(memory));
}

inline PyObject *free(PyObject *, PyObject *address) {
  free(PyLong_AsVoidPtr(address));
  Py_RETURN_NONE;
}

// Makes the default stream wait for go_on(), for at most two seconds.
inline PyObject *hold_device(PyObject *, PyObject *) {
  may_go_on = went_on = false;
  CUDA_CHECK(cudaLaunchHostFunc(
      cudaStreamLegacy,
      [](void *) {
        std::unique_lock<std::mutex> lock(mutex);
        went_on = changed.wait_for(lock, std::chrono::seconds(2), [] { return may_go_on; });
      },
      nullptr));
  Py_RETURN_NONE;
}

inline PyObject *go_on(PyObject *, PyObject *) {
  const std::lock_guard<std::mutex> lock(mutex);
  may_go_on = true;
  changed.notify_all();
  Py_RETURN_NONE;
}

// Returns true if go_on() was called while the device waited.
inline PyObject *came_in_time(PyObject *, PyObject *) {
  CUDA_CHECK(cudaDeviceSynchronize());
  return PyBool_FromLong(went_on);
}

inline PyObject *create() {
  static PyMethodDef functions[] = {{"memory", memory, METH_VARARGS, nullptr},
                                    {"free", (PyCFunction)free, METH_O, nullptr},
                                    {"hold_device", hold_device, METH_NOARGS, nullptr},
                                    {"go_on", go_on, METH_NOARGS, nullptr},
                                    {"came_in_time", came_in_time, METH_NOARGS, nullptr},
                                    {nullptr, nullptr, 0, nullptr}};
  static PyModuleDef module = {
      PyModuleDef_HEAD_INIT, "course", nullptr, -1, functions, nullptr, nullptr, nullptr, nullptr};
  return PyModule_Create(&module);
}

} // namespace course_module

// Starts Python, once, with the module that `create` returns.
inline void start(const char *name, PyObject *(*create)()) {
  if (Py_IsInitialized())
    return;
  setenv("OPENBLAS_NUM_THREADS", "1", 0); // NumPy needs no threads here
  PyImport_AppendInittab(name, create);
  PyImport_AppendInittab("course", course_module::create);
  PyConfig config;
  PyConfig_InitPythonConfig(&config);
  config.install_signal_handlers = 0; // Ctrl-C ends the program
#ifdef COURSE_PYTHON
  PyConfig_SetBytesString(&config, &config.program_name, COURSE_PYTHON);
#endif
  const PyStatus status = Py_InitializeFromConfig(&config);
  PyConfig_Clear(&config);
  if (PyStatus_Exception(status))
    Py_ExitStatusException(status);
}

// Runs `script` with these variables: C++ arrays of floats, which the script sees as read-only
// NumPy arrays.
struct Variable {
  const char *name;
  const float *values;
  int count;
};
inline Answer run(const char *script, const std::vector<Variable> &variables = {}) {
  Answer answer{NAN, ""};
  const Object names(PyDict_New());
  PyDict_SetItemString(names.get(), "__builtins__", PyEval_GetBuiltins());
  for (const auto &[name, values, count] : variables) {
    char *bytes = reinterpret_cast<char *>(const_cast<float *>(values));
    const Object memory(PyMemoryView_FromMemory(bytes, count * sizeof(float), PyBUF_READ));
    PyDict_SetItemString(names.get(), name, memory.get());
    const std::string array =
        "import numpy; " + std::string(name) + " = numpy.frombuffer(" + name + ", numpy.float32)";
    Object(PyRun_String(array.c_str(), Py_file_input, names.get(), names.get()));
  }
  const Object done(PyRun_String(script, Py_file_input, names.get(), names.get()));
  PyObject *result = PyDict_GetItemString(names.get(), "result");
  if (done.get() && result)
    answer.value = PyFloat_AsDouble(result);
  if (PyErr_Occurred()) {
    Py_INCREF(names.get()); // keep its variables: freeing them could end the program
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    const Object its_type(type), its_value(value), its_traceback(traceback),
        text(PyObject_Str(value));
    std::snprintf(answer.error, sizeof answer.error, "%s: %s",
                  reinterpret_cast<PyTypeObject *>(type)->tp_name, PyUnicode_AsUTF8(text.get()));
  } else {
    PyDict_Clear(names.get()); // its functions refer to it: a cycle
  }
  PyGC_Collect();
  while (answer.error[0] && !course_module::memories.empty()) // left behind by the script
    course_module::free(*course_module::memories.begin());
  return answer;
}

} // namespace python
