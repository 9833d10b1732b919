// Lesson 14: a training step of lesson 12's layer on all GPUs of the machine: each has all weights
// and some of the examples, and their gradients are summed.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/14-multi-gpu/multi-gpu.cu -o multi-gpu
// Run:   ./multi-gpu [examples [features]]
#include "common/arguments.hpp"
#include "common/device.hpp"
#include "common/figures.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"
#include "lessons/14-multi-gpu/gpu.hpp"

#include <string>

// Lets each GPU use the memory of the others, where the machine can; else copies go by the host.
// [peers]
void connect(int gpus) {
  for (int from = 0; from < gpus; ++from)
    for (int to = 0; to < gpus; ++to) {
      int can = 0;
      if (from != to)
        CUDA_CHECK(cudaDeviceCanAccessPeer(&can, from, to));
      CUDA_CHECK(cudaSetDevice(from));
      if (can)
        CUDA_CHECK(cudaDeviceEnablePeerAccess(to, 0));
    }
}
// [end]

// One training step.
void step(std::list<Gpu> &gpus, double rate) {
  Gpu &first = gpus.front();
  // [sum]
  for (Gpu &gpu : gpus) { // no call in here waits, so all GPUs work at the same time
    CUDA_CHECK(cudaSetDevice(gpu.device));
    gpu.find_gradient();
    CUDA_CHECK(cudaEventRecord(gpu.done));
  }
  CUDA_CHECK(cudaSetDevice(first.device));
  float *to = first.gradient;
  for (Gpu &gpu : gpus) {
    if (&gpu != &first) {
      CUDA_CHECK(cudaStreamWaitEvent(nullptr, gpu.done)); // the first GPU waits, not the host
      CUDA_CHECK(cudaMemcpyPeerAsync(to, first.device, gpu.gradient, gpu.device, gpu.bytes()));
    }
    to += gpu.count();
  }
  // [end]
  descend<<<blocks_for(first.count(), 256), 256>>>(first.layer.w, first.gradient, gpus.size(),
                                                   rate * 2 / (first.layer.all_rows * outputs),
                                                   first.count());
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaEventRecord(first.done));
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

// Trains on the first `count` GPUs for one step, and proves it. Returns the seconds of a step; NaN
// where it is wrong.
double train(int count, int rows, int features) {
  std::list<Gpu> gpus;
  for (int device = 0, row = 0; device < count; ++device) {
    CUDA_CHECK(cudaSetDevice(device));
    const int share = rows / count + (device < rows % count);
    gpus.emplace_back(device, Rows{row, share, rows}, features, device == 0 ? count : 1);
    row += share;
  }
  const double rate = 1;
  step(gpus, rate);
  wait_for(gpus);
  std::vector<float> errors;
  double loss = 0;
  bool correct = true;
  for (Gpu &gpu : gpus) {
    CUDA_CHECK(cudaSetDevice(gpu.device));
    const std::vector<float> its = gpu.layer.errors();
    errors.insert(errors.end(), its.begin(), its.end());
    loss += gpu.layer.last_loss();
    correct = gpu.layer.weights() == gpus.front().layer.weights() && correct;
  }
  correct =
      verify_step("step", rate, features, errors, gpus.front().layer.weights(), loss) && correct;
  const int steps = 10;
  const double seconds = course::host_seconds(course::size(5, 1),
                                              [&] {
                                                for (int i = 0; i < steps; ++i)
                                                  step(gpus, rate);
                                                wait_for(gpus);
                                              }) /
                         steps;
  return correct ? seconds : NAN;
}

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 2, "[examples [features]]");
  course::print_device();
  const int rows =
      course::count_argument(argc, argv, 1, "examples", course::size(10'000, 500), most_examples);
  const int features =
      course::count_argument(argc, argv, 2, "features", course::size(100'000, 2000), most_features);
  int gpus = 0;
  CUDA_CHECK(cudaGetDeviceCount(&gpus));
  gpus = std::min(gpus, rows); // each needs an example
  connect(gpus);
  std::printf("%d examples, %d features, %d outputs\n", rows, features, outputs);
  bool correct = true;
  double one = 0;
  for (int count = 1; count <= gpus; ++count) {
    const double seconds = train(count, rows, features);
    correct = correct && seconds > 0;
    one = count == 1 ? seconds : one;
    const std::string name = "step, GPUs: " + std::to_string(count);
    course::figure(name.c_str(), one / seconds, "times", count, "the ideal", seconds);
  }
  return course::verdict(correct);
}
