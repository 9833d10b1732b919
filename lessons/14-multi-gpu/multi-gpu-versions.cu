// Lesson 14, the ladder: five ways to make a training step on all GPUs; strong and weak scaling.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/14-multi-gpu/multi-gpu-versions.cu -o multi-gpu-versions
// Run:   ./multi-gpu-versions [examples [features]]
#include "common/arguments.hpp"
#include "common/device.hpp"
#include "common/figures.hpp"
#include "lessons/14-multi-gpu/columns.hpp"
#include "lessons/14-multi-gpu/gpu.hpp"
#include "lessons/14-multi-gpu/peers.hpp"

constexpr int most_gpus = 16;

// ---- data parallel steps: from the gradients of all GPUs to their new weights ----

void find_gradients(Gpus &gpus) {
  for (Gpu &gpu : gpus) {
    CUDA_CHECK(cudaSetDevice(gpu.device));
    gpu.find_gradient();
    CUDA_CHECK(cudaEventRecord(gpu.done));
  }
}
void wait_for(const Gpu &gpu) { CUDA_CHECK(cudaStreamWaitEvent(nullptr, gpu.done)); }

// Each gradient to the host and from there to the first GPU; the weights back the same way. `host`
// is pinned, with room for a gradient of each GPU, and then for the weights.
void step_by_the_host(Gpus &gpus, double rate, float *host) {
  find_gradients(gpus);
  Gpu &first = gpus.front();
  const std::size_t count = first.count(), bytes = first.bytes();
  float *const weights = host + gpus.size() * count;
  for (Gpu &gpu : gpus)
    if (&gpu != &first) {
      CUDA_CHECK(cudaSetDevice(gpu.device));
      CUDA_CHECK(
          cudaMemcpyAsync(host + gpu.device * count, gpu.gradient, bytes, cudaMemcpyDeviceToHost));
      CUDA_CHECK(cudaEventRecord(gpu.done));
    }
  CUDA_CHECK(cudaSetDevice(first.device));
  for (const Gpu &gpu : gpus)
    if (&gpu != &first) {
      wait_for(gpu);
      CUDA_CHECK(cudaMemcpyAsync(first.gradient + gpu.device * count, host + gpu.device * count,
                                 bytes, cudaMemcpyHostToDevice));
    }
  first.layer.update_weights(first.gradient, gpus.size(), rate);
  CUDA_CHECK(cudaMemcpyAsync(weights, first.layer.w, bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaEventRecord(first.done));
  for (Gpu &gpu : gpus)
    if (&gpu != &first) {
      CUDA_CHECK(cudaSetDevice(gpu.device));
      wait_for(first);
      CUDA_CHECK(cudaMemcpyAsync(gpu.layer.w, weights, bytes, cudaMemcpyHostToDevice));
    }
}

// As multi-gpu.cu does.
void step_by_copies(Gpus &gpus, double rate) {
  find_gradients(gpus);
  Gpu &first = gpus.front();
  CUDA_CHECK(cudaSetDevice(first.device));
  for (const Gpu &gpu : gpus)
    if (&gpu != &first) {
      wait_for(gpu);
      CUDA_CHECK(cudaMemcpyPeerAsync(first.gradient + gpu.device * gpu.count(), first.device,
                                     gpu.gradient, gpu.device, gpu.bytes()));
    }
  first.layer.update_weights(first.gradient, gpus.size(), rate);
  CUDA_CHECK(cudaEventRecord(first.done));
  for (Gpu &gpu : gpus)
    if (&gpu != &first) {
      CUDA_CHECK(cudaSetDevice(gpu.device));
      wait_for(first);
      CUDA_CHECK(
          cudaMemcpyPeerAsync(gpu.layer.w, gpu.device, first.layer.w, first.device, gpu.bytes()));
    }
}

struct Addresses {
  float *gradient[most_gpus], *w[most_gpus];
};
Addresses addresses_of(const Gpus &gpus) {
  Addresses of{};
  for (const Gpu &gpu : gpus) {
    of.gradient[gpu.device] = gpu.gradient;
    of.w[gpu.device] = gpu.layer.w;
  }
  return of;
}

// The weights from `first` to `end` - 1 of all GPUs. Loads their gradients from where they are, and
// stores the new weights to where they have to be. No copy is left.
__global__ void descend_on_all(Addresses of, int gpus, int mine, double factor, int first,
                               int end) {
  const int i = first + blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= end)
    return;
  double sum = 0;
  for (int gpu = 0; gpu < gpus; ++gpu)
    sum += of.gradient[gpu][i];
  const float w = of.w[mine][i] - factor * sum;
  for (int gpu = 0; gpu < gpus; ++gpu)
    of.w[gpu][i] = w;
}
void launch_descend_on_all(const Gpus &gpus, const Gpu &mine, double rate, int first, int end) {
  descend_on_all<<<blocks_for(end - first, 256), 256>>>(
      addresses_of(gpus), gpus.size(), mine.device, mine.layer.factor(rate), first, end);
  CUDA_CHECK(cudaGetLastError());
}

// The first GPU updates all weights, by the kernel above.
void step_by_one_kernel(Gpus &gpus, double rate) {
  find_gradients(gpus);
  Gpu &first = gpus.front();
  CUDA_CHECK(cudaSetDevice(first.device));
  for (const Gpu &gpu : gpus)
    wait_for(gpu);
  launch_descend_on_all(gpus, first, rate, 0, first.count());
  CUDA_CHECK(cudaEventRecord(first.done));
  for (const Gpu &gpu : gpus) {
    CUDA_CHECK(cudaSetDevice(gpu.device));
    wait_for(first);
  }
}

// Each GPU updates its share of all weights: a reduce-scatter and an all-gather in one kernel.
void step_by_shares(Gpus &gpus, double rate) {
  find_gradients(gpus);
  const auto all_wait_for_all = [&] {
    for (const Gpu &gpu : gpus) {
      CUDA_CHECK(cudaSetDevice(gpu.device));
      for (const Gpu &other : gpus)
        wait_for(other);
    }
  };
  all_wait_for_all();
  const int count = gpus.front().count(), share = blocks_for(count, gpus.size());
  for (Gpu &gpu : gpus) {
    CUDA_CHECK(cudaSetDevice(gpu.device));
    const int first = gpu.device * share; // below count: each GPU has 40 weights or more
    launch_descend_on_all(gpus, gpu, rate, first, std::min(first + share, count));
    CUDA_CHECK(cudaEventRecord(gpu.done));
  }
  all_wait_for_all();
}

// ---- the ways: seconds of a step on the first `count` GPUs; NaN where it is wrong ----

double through_the_host(const char *name, int count, int rows, int features) {
  Gpus gpus = gpus_for(count, rows, features);
  float *host;
  CUDA_CHECK(cudaMallocHost(&host, (count + 1) * gpus.front().bytes()));
  const double seconds =
      seconds_of(name, gpus, [host](Gpus &all, double rate) { step_by_the_host(all, rate, host); });
  CUDA_CHECK(cudaFreeHost(host));
  return seconds;
}
template <void step(Gpus &, double rate)>
double data_parallel(const char *name, int count, int rows, int features) {
  Gpus gpus = gpus_for(count, rows, features);
  return seconds_of(name, gpus, step);
}
double model_parallel(const char *name, int count, int rows, int features) {
  ColumnGpus gpus = column_gpus_for(count, rows, features);
  return seconds_of(name, gpus, step_by_columns);
}

struct Way {
  const char *name;
  double (*seconds)(const char *name, int count, int rows, int features);
  bool needs_peers;
};
constexpr Way ways[] = {{"copies through the host", through_the_host, false},
                        {"copies to GPU 0", data_parallel<step_by_copies>, false},
                        {"GPU 0 reads peers", data_parallel<step_by_one_kernel>, true},
                        {"each updates its share", data_parallel<step_by_shares>, true},
                        {"columns divided", model_parallel, false}};

// All ways on 2 to `gpus` GPUs, beside one GPU. weak: as many rows for each GPU.
bool measure(bool weak, int gpus, bool peers, int rows, int features) {
  const double one = data_parallel<step_by_copies>("1 GPU", 1, rows, features);
  bool correct = one > 0;
  const std::string kind = weak ? "weak, " : "strong, ";
  course::figure((kind + "1 GPU").c_str(), 1, "times", 1, "the ideal", one);
  for (int count = 2; count <= gpus; ++count) {
    const int all_rows = weak ? rows * count : rows;
    for (const Way &way : ways) {
      if (way.needs_peers && !peers)
        continue;
      const double seconds = way.seconds(way.name, count, all_rows, features);
      correct = correct && seconds > 0;
      course::figure((kind + std::to_string(count) + " GPUs: " + way.name).c_str(),
                     (weak ? count : 1) * one / seconds, "times", count, "the ideal", seconds);
    }
  }
  return correct;
}

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 2, "[examples [features]]");
  course::print_device();
  const int rows =
      course::count_argument(argc, argv, 1, "examples", course::size(10'000, 200), most_examples);
  const int features =
      course::count_argument(argc, argv, 2, "features", course::size(100'000, 1000), most_features);
  int gpus = 0;
  CUDA_CHECK(cudaGetDeviceCount(&gpus));
  gpus = std::min(gpus, most_gpus);
  const bool peers = enable_peers(gpus);
  // Each GPU needs an example and four columns.
  gpus = std::min({gpus, rows, columns_for(features) / 4});
  if (gpus > 1 && !peers)
    std::puts("not all GPUs reach each other: two ways are left out");
  std::printf("%d examples, %d features, %d outputs\n", rows, features, outputs);
  std::puts("\nstrong scaling: the same examples");
  bool correct = measure(false, gpus, peers, rows, features);
  std::puts("\nweak scaling: as many examples for each GPU");
  correct = measure(true, std::min(gpus, most_examples / rows), peers, rows, features) && correct;
  return course::verdict(correct);
}
