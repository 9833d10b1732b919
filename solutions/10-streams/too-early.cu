// Exercise 10-streams/too-early: a bug hunt. A film passes through two buffers, and some frames of
// the result are wrong.
//
// Build: nvcc -O3 -std=c++17 -I. exercises/10-streams/too-early.cu -o too-early
// Run:   ./too-early
//
// On a GPU the result may be right by luck. This command finds the bugs without luck:
//   ./course --backend cpu run --tool racecheck too-early

#include "common/check.hpp"
#include "common/device.hpp"
#include "common/verify.hpp"
#include "exercises/10-streams/too-early.hpp"

#include <algorithm>
#include <vector>

__global__ void invert(const float *frame, float *negative, int pixels) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < pixels)
    negative[i] = 1 - frame[i];
}

void too_early(int frames, int pixels, const float *film, float *negative) {
  const size_t bytes = pixels * sizeof(float), all = size_t(frames) * pixels;
  float *h_film, *h_negative, *d_frame[2], *d_negative;
  CUDA_CHECK(cudaMallocHost(&h_film, frames * bytes)); // pinned
  CUDA_CHECK(cudaMallocHost(&h_negative, frames * bytes));
  CUDA_CHECK(cudaMalloc(&d_negative, bytes));
  std::copy(film, film + all, h_film);
  cudaStream_t loading, working;
  cudaEvent_t loaded[2], used[2]; // per buffer: it is full; it may be overwritten
  CUDA_CHECK(cudaStreamCreateWithFlags(&loading, cudaStreamNonBlocking));
  CUDA_CHECK(cudaStreamCreateWithFlags(&working, cudaStreamNonBlocking));
  for (int k = 0; k < 2; ++k) {
    CUDA_CHECK(cudaMalloc(&d_frame[k], bytes));
    CUDA_CHECK(cudaEventCreate(&loaded[k]));
    CUDA_CHECK(cudaEventCreate(&used[k]));
  }

  for (int frame = 0; frame < frames; ++frame) {
    const int k = frame % 2; // the buffer of this frame
    const float *from = h_film + size_t(frame) * pixels;

    // TODO 1: find the bug: which stream must wait until this buffer may be overwritten?
    CUDA_CHECK(cudaStreamWaitEvent(loading, used[k]));
    // TODO end

    // TODO 2: find the bug: what has been done when this event is reached?
    CUDA_CHECK(cudaMemcpyAsync(d_frame[k], from, bytes, cudaMemcpyHostToDevice, loading));
    CUDA_CHECK(cudaEventRecord(loaded[k], loading));
    // TODO end

    CUDA_CHECK(cudaStreamWaitEvent(working, loaded[k]));
    invert<<<(pixels + 255) / 256, 256, 0, working>>>(d_frame[k], d_negative, pixels);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaEventRecord(used[k], working));
    CUDA_CHECK(cudaMemcpyAsync(h_negative + size_t(frame) * pixels, d_negative, bytes,
                               cudaMemcpyDeviceToHost, working));
  }
  CUDA_CHECK(cudaDeviceSynchronize());
  std::copy(h_negative, h_negative + all, negative);

  for (int k = 0; k < 2; ++k) {
    CUDA_CHECK(cudaEventDestroy(loaded[k]));
    CUDA_CHECK(cudaEventDestroy(used[k]));
    CUDA_CHECK(cudaFree(d_frame[k]));
  }
  CUDA_CHECK(cudaStreamDestroy(loading));
  CUDA_CHECK(cudaStreamDestroy(working));
  CUDA_CHECK(cudaFree(d_negative));
  CUDA_CHECK(cudaFreeHost(h_film));
  CUDA_CHECK(cudaFreeHost(h_negative));
}

int main() {
  course::print_device();
  const int frames = 20, pixels = course::problem_size(1920 * 1080, 320 * 180);
  std::vector<float> film(size_t(frames) * pixels), negative(film.size());
  for (size_t i = 0; i < film.size(); ++i)
    film[i] = i % 251 * 0x1p-8f;
  too_early(frames, pixels, film.data(), negative.data());
  return course::verdict(course::verify("negative", negative.data(), negative.size(),
                                        [&](size_t i) { return 1 - film[i]; }));
}
