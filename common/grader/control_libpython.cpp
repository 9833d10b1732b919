// A program with Python inside and without a fault. Where it fails, too, the machine is at fault.
#include <Python.h>

#include <cstdlib>

int main() {
  setenv("OPENBLAS_NUM_THREADS", "1", 0);
  PyConfig config;
  PyConfig_InitPythonConfig(&config);
  PyConfig_SetBytesString(&config, &config.program_name, COURSE_PYTHON);
  const PyStatus status = Py_InitializeFromConfig(&config);
  PyConfig_Clear(&config);
  if (PyStatus_Exception(status))
    Py_ExitStatusException(status);
  // A folder that cannot be read is a package, too, but an empty one.
  return PyRun_SimpleString("import numpy; numpy.zeros(1)") == 0 ? 0 : 1;
}
