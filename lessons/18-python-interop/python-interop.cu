// Lesson 18: your kernel, called from Python: the extension python_interop.
//
// Build: nvcc -O3 -shared -Xcompiler=-fPIC -I. $(python3 -m pybind11 --includes) lessons/18-python-interop/python-interop.cu -o python_interop.so
// Run:   PYTHONPATH=. python3 lessons/18-python-interop/python-interop.py
//
// A field has ny rows of nx cells. A step gives each inner cell the mean of its four neighbours
// (lesson 09); the cells of the edge keep their values.
#include "lessons/18-python-interop/array.hpp"
#include "lessons/18-python-interop/errors.hpp"
#include "lessons/18-python-interop/managed.hpp"
#include "lessons/18-python-interop/streams.hpp"

#include <pybind11/stl.h>

#include <optional>

// [kernel]
__global__ void step(const double *now, double *next, int ny, int nx) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1) {
    const int i = y * nx + x;
    next[i] = 0.25 * (now[i - 1] + now[i + 1] + now[i - nx] + now[i + nx]);
  }
}
// [end]

// [c]
// For ctypes: C, whose arguments are addresses and numbers. The results are CUDA's error codes.
extern "C" int heat_step(const double *now, double *next, int ny, int nx, cudaStream_t stream) {
  const dim3 block(32, 8), grid((nx + block.x - 1) / block.x, (ny + block.y - 1) / block.y);
  step<<<grid, block, 0, stream>>>(now, next, ny, nx);
  return cudaGetLastError();
}
extern "C" int heat_wait(cudaStream_t stream) { return cudaStreamSynchronize(stream); }
// [end]

// Chooses the device of this number, of as many as there are, and returns its name.
std::string use_device(int number) {
  int devices = 0;
  cudaDeviceProp properties;
  THROW_ON_ERROR(cudaGetDeviceCount(&devices));
  THROW_ON_ERROR(cudaSetDevice(number % devices));
  THROW_ON_ERROR(cudaGetDeviceProperties(&properties, number % devices));
  return properties.name;
}

// For pybind11: takes arrays, and refuses those that the kernel could not use.

// [pybind11]
// Waits until the work on the stream is done. Meanwhile other threads of Python run.
void wait(std::uintptr_t stream) {
  const py::gil_scoped_release released;
  THROW_ON_ERROR(heat_wait(stream_of(stream)));
}

// One step, on the stream of this handle; without one on the default stream, and then it waits.
void step_arrays(const py::object &now, const py::object &next,
                 const std::optional<std::uintptr_t> &handle) {
  const cudaStream_t stream = stream_of(handle.value_or(0));
  const Array from = array_argument(now, "now", false, stream);
  const Array to = array_argument(next, "next", true, stream);
  if (from.ny != to.ny || from.nx != to.nx)
    throw py::value_error("now and next differ in shape");
  if (from.data < to.data + to.ny * to.nx && to.data < from.data + from.ny * from.nx)
    throw py::value_error("now and next overlap in memory");
  THROW_ON_ERROR(heat_step(from.data, to.data, to.ny, to.nx, stream));
  if (!handle)
    wait(0);
}

PYBIND11_MODULE(python_interop, module) {
  py::register_exception<CudaError>(module, "CudaError", PyExc_RuntimeError);
  module.def("step", step_arrays, py::arg("now"), py::arg("next"), py::arg("stream") = py::none());
  module.def("wait", wait, py::arg("stream") = 0);
  // [end]
  module.def("use_device", use_device, py::arg("number") = 0);
  py::class_<Managed>(module, "Managed")
      .def(py::init<int, int>(), py::arg("ny"), py::arg("nx"))
      .def_property_readonly("__array_interface__", &Managed::interface)
      .def_property_readonly("__cuda_array_interface__", &Managed::cuda_interface)
      .def("__dlpack__",
           [](const Managed &array, const py::kwargs &wishes) {
             if (wishes.contains("copy") && py::bool_(wishes["copy"]))
               throw py::buffer_error("Managed hands over its memory, and makes no copy");
             return array.dlpack();
           })
      .def("__dlpack_device__", [](const Managed &) { return py::make_tuple(dl_cuda_managed, 0); });
}
