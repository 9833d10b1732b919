// Lesson 14: a training step of lesson 12's layer on all GPUs of the machine: each has all weights
// and some of the examples, and their gradients are summed.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/14-multi-gpu/multi-gpu.cu -o multi-gpu
// Run:   ./multi-gpu [examples [features]]
#include "common/arguments.hpp"
#include "common/device.hpp"
#include "common/figures.hpp"
#include "common/verify.hpp"
#include "lessons/14-multi-gpu/gpu.hpp"
#include "lessons/14-multi-gpu/peers.hpp"

#include <string>

// One training step.
void step(Gpus &gpus, double rate) {
  Gpu &first = gpus.front();
  // [gradients]
  for (Gpu &gpu : gpus) { // no call in here waits, so all GPUs work at the same time
    CUDA_CHECK(cudaSetDevice(gpu.device));
    gpu.find_gradient();
    CUDA_CHECK(cudaEventRecord(gpu.done));
  }
  // [end]
  // [sum]
  CUDA_CHECK(cudaSetDevice(first.device));
  for (Gpu &gpu : gpus)
    if (&gpu != &first) {
      CUDA_CHECK(cudaStreamWaitEvent(nullptr, gpu.done)); // the first GPU waits, not the host
      CUDA_CHECK(cudaMemcpyPeerAsync(first.gradient + gpu.device * gpu.count(), first.device,
                                     gpu.gradient, gpu.device, gpu.bytes()));
    }
  first.layer.update_weights(first.gradient, gpus.size(), rate);
  CUDA_CHECK(cudaEventRecord(first.done));
  // [end]
  // [spread]
  for (Gpu &gpu : gpus)
    if (&gpu != &first) {
      CUDA_CHECK(cudaSetDevice(gpu.device));
      CUDA_CHECK(cudaStreamWaitEvent(nullptr, first.done));
      CUDA_CHECK(
          cudaMemcpyPeerAsync(gpu.layer.w, gpu.device, first.layer.w, first.device, gpu.bytes()));
    }
  // [end]
}

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 2, "[examples [features]]");
  course::print_device();
  const int rows =
      course::count_argument(argc, argv, 1, "examples", course::size(10'000, 500), most_examples);
  const int features =
      course::count_argument(argc, argv, 2, "features", course::size(100'000, 2000), most_features);
  int devices = 0;
  CUDA_CHECK(cudaGetDeviceCount(&devices));
  enable_peers(devices);
  std::printf("%d examples, %d features, %d outputs\n", rows, features, outputs);
  double one = NAN; // the seconds on one GPU
  bool correct = true;
  for (int count = 1; count <= std::min(devices, rows); ++count) { // each GPU needs an example
    Gpus gpus = gpus_for(count, rows, features);
    const double seconds = seconds_of("step", gpus, step);
    if (count == 1)
      one = seconds;
    correct = correct && seconds > 0;
    const std::string name = "step, GPUs: " + std::to_string(count);
    course::figure(name.c_str(), one / seconds, "times", count, "the ideal", seconds);
  }
  return course::verdict(correct);
}
