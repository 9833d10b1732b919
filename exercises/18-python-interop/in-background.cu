// The library of exercise 18-python-interop/in-background: steps of a plate, in a stream.
//
// Build: nvcc -O3 -std=c++17 -I. -shared -Xcompiler=-fPIC exercises/18-python-interop/in-background.cu -o in_background.so
#include <cuda_runtime.h>

#include <cstddef>
#include <utility>

// Every inner cell moves towards the mean of its four neighbours: by all of the difference if the
// rate is 1, by half of it if the rate is 0.5.
__global__ void step(const float *now, float *next, int ny, int nx, double rate) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1) {
    const long long i = y * (long long)nx + x;
    const double mean = 0.25 * (now[i - 1] + now[i + 1] + now[i - nx] + now[i + nx]);
    next[i] = now[i] + rate * (mean - now[i]);
  }
}

// Starts `steps` steps of a plate with ny rows of nx floats, and returns an error code. The plate
// is in host memory, row after row. The library may read and write it until heat_wait has returned.
extern "C" int heat_start(float *plate, int ny, int nx, double rate, int steps,
                          cudaStream_t stream) {
  const std::size_t bytes = sizeof(float) * ny * nx;
  float *d_now = nullptr, *d_next = nullptr;
  // cudaMallocAsync, cudaFreeAsync: allocate and free as work in the stream.
  int error = cudaMallocAsync(&d_now, bytes, stream);
  if (!error)
    error = cudaMallocAsync(&d_next, bytes, stream);
  if (!error)
    error = cudaMemcpyAsync(d_now, plate, bytes, cudaMemcpyHostToDevice, stream);
  if (!error) // a step does not write the edge
    error = cudaMemcpyAsync(d_next, d_now, bytes, cudaMemcpyDeviceToDevice, stream);
  const dim3 block(32, 8), grid((nx + 31) / 32, (ny + 7) / 8);
  for (int i = 0; i < steps && !error; ++i) {
    step<<<grid, block, 0, stream>>>(d_now, d_next, ny, nx, rate);
    error = cudaGetLastError();
    std::swap(d_now, d_next);
  }
  if (!error)
    error = cudaMemcpyAsync(plate, d_now, bytes, cudaMemcpyDeviceToHost, stream);
  for (float *memory : {d_now, d_next})
    if (memory)
      cudaFreeAsync(memory, stream);
  return error;
}

// Waits until all work in the stream has ended.
extern "C" int heat_wait(cudaStream_t stream) { return cudaStreamSynchronize(stream); }

// Returns CUDA's text for an error code.
extern "C" const char *heat_message(int error) {
  return cudaGetErrorString(static_cast<cudaError_t>(error));
}
