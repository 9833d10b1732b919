// Exercise 10-streams/traffic-jam: a bug hunt. Four streams that are no faster than one.
//
// Build: nvcc -O3 -std=c++17 -I. exercises/10-streams/traffic-jam.cu -o traffic-jam
// Run:   ./traffic-jam
//
// The result is right, but three bugs make everything wait. This command prints the longest chain
// of copies and kernels, in which each waits for the previous one:
//   ./course --backend cpu run --tool count traffic-jam

#include "common/check.hpp"
#include "common/device.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"
#include "exercises/10-streams/traffic-jam.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int STREAMS = 4;

__global__ void amplify(float *x, int n, float gain, float offset) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = gain * x[i] + offset;
}

// TODO 1: find the bug: which host memory can the device copy without the host?
float *take_buffer(size_t bytes) { return static_cast<float *>(std::malloc(bytes)); }
void free_buffer(float *buffer) { std::free(buffer); }
// TODO end

void traffic_jam(int n, int parts, float gain, float offset, const float *in, float *out) {
  float *const buffer = take_buffer(n * sizeof(float));
  std::copy(in, in + n, buffer);
  float *d_x;
  CUDA_CHECK(cudaMalloc(&d_x, n * sizeof(float)));
  cudaStream_t streams[STREAMS];
  for (cudaStream_t &stream : streams)
    CUDA_CHECK(cudaStreamCreate(&stream));

  const int length = (n + parts - 1) / parts;
  for (int first = 0, k = 0; first < n; first += length, ++k) {
    const int count = std::min(length, n - first);
    const size_t bytes = count * sizeof(float);
    const cudaStream_t stream = streams[k % STREAMS];
    CUDA_CHECK(cudaMemcpyAsync(d_x + first, buffer + first, bytes, cudaMemcpyHostToDevice, stream));

    // TODO 2: find the bug: in which stream is the kernel?
    amplify<<<(count + 255) / 256, 256>>>(d_x + first, count, gain, offset);
    // TODO end
    CUDA_CHECK(cudaGetLastError());

    CUDA_CHECK(cudaMemcpyAsync(buffer + first, d_x + first, bytes, cudaMemcpyDeviceToHost, stream));
    // TODO 3: find the bug: what does the host wait for here, and when must it wait?
    CUDA_CHECK(cudaStreamSynchronize(stream));
  }
  // TODO end
  std::copy(buffer, buffer + n, out);

  for (cudaStream_t stream : streams)
    CUDA_CHECK(cudaStreamDestroy(stream));
  CUDA_CHECK(cudaFree(d_x));
  free_buffer(buffer);
}

int main() {
  course::print_device();
  const int n = course::problem_size(19'000'003, 1'000'003), parts = 16;
  std::vector<float> in(n), out(n);
  for (int i = 0; i < n; ++i)
    in[i] = i % 4001;
  const double seconds =
      course::host_seconds(1, [&] { traffic_jam(n, parts, 0.5f, 3, in.data(), out.data()); });
  std::printf("%d samples in %d parts: %.3f s\n", n, parts, seconds);
  return course::verdict(
      course::verify("out", out.data(), n, [&](size_t i) { return 0.5f * in[i] + 3; }));
}
