// Lesson 18: a kernel in a shared library, which Python calls with ctypes.
//
// Build: nvcc -O3 -std=c++17 -I. -shared -Xcompiler=-fPIC lessons/18-python-interop/python-interop.cu -o python_interop.so
// Run:   LD_LIBRARY_PATH=. python3 lessons/18-python-interop/python-interop.py
#include "common/device.hpp"

#include <cstddef>
#include <cstdio>
#include <utility>

// One Jacobi step (lesson 09): every inner cell becomes the mean of its four neighbours.
// [kernel]
__global__ void step(const double *now, double *next, int ny, int nx) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1) {
    const long long i = y * (long long)nx + x;
    next[i] = 0.25 * (now[i - 1] + now[i + 1] + now[i - nx] + now[i + nx]);
  }
}
// [end]

// Device arrays: launches one step in the stream, and returns before the kernel has ended.
// [device]
extern "C" int heat_step(const double *d_now, double *d_next, int ny, int nx, cudaStream_t stream) {
  const dim3 block(32, 8), grid((nx + 31) / 32, (ny + 7) / 8);
  step<<<grid, block, 0, stream>>>(d_now, d_next, ny, nx);
  return cudaGetLastError();
}
// [end]

// Host array: copies it to the device, takes `steps` steps there, and copies the result back.
extern "C" int heat_steps(double *plate, int ny, int nx, int steps) {
  const std::size_t bytes = sizeof(double) * ny * nx;
  double *d_now = nullptr, *d_next = nullptr;
  int error = cudaMalloc(&d_now, bytes);
  if (!error)
    error = cudaMalloc(&d_next, bytes);
  if (!error)
    error = cudaMemcpy(d_now, plate, bytes, cudaMemcpyHostToDevice);
  if (!error) // a step does not write the edge
    error = cudaMemcpy(d_next, d_now, bytes, cudaMemcpyDeviceToDevice);
  for (int i = 0; i < steps && !error; ++i) {
    error = heat_step(d_now, d_next, ny, nx, nullptr); // in the default stream
    std::swap(d_now, d_next);
  }
  if (!error)
    error = cudaMemcpy(plate, d_now, bytes, cudaMemcpyDeviceToHost); // waits for the kernels
  cudaFree(d_now);
  cudaFree(d_next);
  return error;
}

// Returns CUDA's text for an error code.
extern "C" const char *heat_message(int error) {
  return cudaGetErrorString(static_cast<cudaError_t>(error));
}

// For DeviceArray in heat.py: device memory that Python allocates, fills and frees.
extern "C" int heat_allocate(void **address, std::size_t bytes) {
  return cudaMalloc(address, bytes);
}
extern "C" int heat_free(void *address) { return cudaFree(address); }
extern "C" int heat_copy(void *to, const void *from, std::size_t bytes) {
  return cudaMemcpy(to, from, bytes, cudaMemcpyDefault);
}
extern "C" int heat_wait(cudaStream_t stream) { return cudaStreamSynchronize(stream); }

// For mpi-heat.py: the device of a rank. With fewer devices than ranks, some ranks share a device.
extern "C" int heat_use_device(int number) {
  int devices = 0;
  const int error = cudaGetDeviceCount(&devices);
  return error ? error : cudaSetDevice(number % devices);
}

extern "C" void heat_print_device() {
  course::print_device();
  std::fflush(stdout); // Python has an output buffer of its own
}
