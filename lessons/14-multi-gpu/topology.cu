// Lesson 14, second program: which GPU reaches which, and how fast.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/14-multi-gpu/topology.cu -o topology
// Run:   ./topology
#include "common/arguments.hpp"
#include "common/device.hpp"
#include "common/figures.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"

#include <string>
#include <vector>

// A list on each GPU; list i holds the number i.
struct Lists {
  std::size_t bytes;
  std::vector<int *> on, copy;

  Lists(int gpus, std::size_t size) : bytes(size), on(gpus), copy(gpus) {
    for (int i = 0; i < gpus; ++i) {
      CUDA_CHECK(cudaSetDevice(i));
      CUDA_CHECK(cudaMalloc(&on[i], bytes));
      CUDA_CHECK(cudaMalloc(&copy[i], bytes));
      CUDA_CHECK(cudaMemset(on[i], i + 1, bytes));
      CUDA_CHECK(cudaDeviceSynchronize()); // the streams below do not wait for it
    }
  }
  ~Lists() {
    for (std::size_t i = 0; i < on.size(); ++i) {
      cudaFree(on[i]);
      cudaFree(copy[i]);
    }
  }
};

// Seconds that the first GPU's copy to the other one takes; and, `both`, while one comes back.
double copy_seconds(const Lists &lists, int from, int to, std::size_t bytes, bool both) {
  cudaStream_t there, back;
  CUDA_CHECK(cudaSetDevice(to));
  CUDA_CHECK(cudaStreamCreateWithFlags(&back, cudaStreamNonBlocking));
  CUDA_CHECK(cudaSetDevice(from));
  CUDA_CHECK(cudaStreamCreateWithFlags(&there, cudaStreamNonBlocking));
  const double seconds = course::host_seconds(course::size(9, 3), [&] {
    CUDA_CHECK(cudaMemcpyPeerAsync(lists.copy[to], to, lists.on[from], from, bytes, there));
    if (both)
      CUDA_CHECK(cudaMemcpyPeerAsync(lists.copy[from], from, lists.on[to], to, bytes, back));
    CUDA_CHECK(cudaStreamSynchronize(there));
    CUDA_CHECK(cudaStreamSynchronize(back));
  });
  CUDA_CHECK(cudaStreamDestroy(there));
  CUDA_CHECK(cudaStreamDestroy(back));
  return seconds;
}

// Whether each number of the copy on GPU `to` is that of GPU `from`.
bool verify_copy(const Lists &lists, int from, int to) {
  std::vector<unsigned char> got(lists.bytes);
  CUDA_CHECK(cudaMemcpy(got.data(), lists.copy[to], lists.bytes, cudaMemcpyDefault));
  const std::string what = "copy from " + std::to_string(from) + " to " + std::to_string(to);
  return course::verify(what.c_str(), got.data(), got.size(),
                        [&](std::size_t) { return from + 1; });
}

template <class Value> void print_matrix(const char *title, int gpus, Value value) {
  std::printf("\n%s\n\n   from \\ to", title);
  for (int to = 0; to < gpus; ++to)
    std::printf("%10d", to);
  for (int from = 0; from < gpus; ++from) {
    std::printf("\n   %9d", from);
    for (int to = 0; to < gpus; ++to)
      if (from == to)
        std::printf("%10s", "-");
      else
        std::printf("%10.4g", double(value(from, to)));
  }
  std::puts("");
}

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 0, "");
  course::print_device();
  int gpus = 0;
  CUDA_CHECK(cudaGetDeviceCount(&gpus));
  for (int i = 0; i < gpus; ++i) {
    cudaDeviceProp properties;
    CUDA_CHECK(cudaGetDeviceProperties(&properties, i));
    std::printf("   GPU %d: %s, PCI bus %02x\n", i, properties.name, properties.pciBusID);
  }
  const auto can = [](int from, int to) {
    int answer = 0;
    CUDA_CHECK(cudaDeviceCanAccessPeer(&answer, from, to));
    return answer;
  };
  print_matrix("may GPU `from` use the memory of GPU `to`?", gpus, can);

  const Lists lists(gpus, course::size(std::size_t(1) << 30, std::size_t(1) << 22));
  bool correct = true;
  const auto rate = [&](bool both) {
    return [&, both](int from, int to) {
      copy_seconds(lists, from, to, lists.bytes, both); // the first one sets up the way
      const double seconds = copy_seconds(lists, from, to, lists.bytes, both);
      correct = verify_copy(lists, from, to) && (!both || verify_copy(lists, to, from)) && correct;
      return 1e-9 * (both ? 2 : 1) * lists.bytes / seconds;
    };
  };
  const auto latency = [&](int from, int to) {
    return 1e6 * copy_seconds(lists, from, to, sizeof(int), false);
  };
  print_matrix("without peer access: GB/s", gpus, rate(false));
  print_matrix("without peer access: microseconds for 4 bytes", gpus, latency);
  for (int from = 0; from < gpus; ++from)
    for (int to = 0; to < gpus; ++to)
      if (from != to && can(from, to)) {
        CUDA_CHECK(cudaSetDevice(from));
        CUDA_CHECK(cudaDeviceEnablePeerAccess(to, 0));
      }
  print_matrix("with peer access: GB/s", gpus, rate(false));
  print_matrix("with peer access, both ways at once: GB/s", gpus, rate(true));
  print_matrix("with peer access: microseconds for 4 bytes", gpus, latency);
  std::puts("");
  return course::verdict(correct);
}
