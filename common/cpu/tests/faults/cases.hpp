// A family of programs in one file: PROGRAM CASE runs one of them, PROGRAM CASE fixed its corrected
// twin.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <map>
#include <string>
#include <utility>
#include <vector>

// Memory that is freed when the program ends.
template <class T> T *freed_at_the_end(T *pointer, cudaError_t (*free)(void *)) {
  struct All {
    std::vector<std::pair<void *, cudaError_t (*)(void *)>> pointers;
    All() { cudaFree(nullptr); } // so that CUDA ends after this
    ~All() {
      for (const auto &[pointer, free] : pointers)
        free(pointer);
    }
  };
  static All all;
  all.pointers.push_back({pointer, free});
  return pointer;
}

// n elements on the device.
template <class T> T *array(std::size_t n) {
  T *pointer = nullptr;
  cudaMalloc(&pointer, n * sizeof(T));
  return freed_at_the_end(pointer, cudaFree);
}

// Pinned, and managed ones.
template <class T> T *pinned(std::size_t n) {
  T *pointer = nullptr;
  cudaMallocHost(&pointer, n * sizeof(T));
  return freed_at_the_end(pointer, cudaFreeHost);
}
template <class T> T *managed(std::size_t n) {
  T *pointer = nullptr;
  cudaMallocManaged(&pointer, n * sizeof(T));
  return freed_at_the_end(pointer, cudaFree);
}

// The same with this value in each byte.
template <class T> T *array(std::size_t n, int byte) {
  T *pointer = array<T>(n);
  cudaMemset(pointer, byte, n * sizeof(T));
  return pointer;
}

// A cooperative launch: all blocks run at once.
template <class Kernel, class... Arguments>
void launch(Kernel kernel, int blocks, int threads, Arguments... arguments) {
  void *addresses[] = {&arguments...};
  cudaLaunchCooperativeKernel(kernel, blocks, threads, addresses, 0, nullptr);
}

// They destroy what they create.
class Stream {
public:
  explicit Stream(unsigned flags = cudaStreamDefault) {
    cudaStreamCreateWithFlags(&handle_, flags);
  }
  Stream(const Stream &) = delete;
  Stream &operator=(const Stream &) = delete;
  ~Stream() { cudaStreamDestroy(handle_); }
  operator cudaStream_t() const { return handle_; }

private:
  cudaStream_t handle_ = nullptr;
};

class Event {
public:
  Event() { cudaEventCreate(&handle_); }
  Event(const Event &) = delete;
  Event &operator=(const Event &) = delete;
  ~Event() { cudaEventDestroy(handle_); }
  operator cudaEvent_t() const { return handle_; }

private:
  cudaEvent_t handle_ = nullptr;
};

// A graph of the work that `queue` queues on a stream.
template <class Queue> cudaGraphExec_t captured(const Queue &queue) {
  Stream stream;
  cudaGraph_t graph;
  cudaGraphExec_t result;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  queue(stream);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&result, graph, 0);
  cudaGraphDestroy(graph);
  return result;
}

inline void finish(cudaGraphExec_t graph) {
  cudaDeviceSynchronize();
  cudaGraphExecDestroy(graph);
}

using Case = void (*)(bool fixed);

inline std::map<std::string, Case> &cases() {
  static std::map<std::string, Case> all;
  return all;
}

// CASE(name) { ... } defines a case. `fixed`: whether this run is that of the twin.
#define CASE(name)                                                                                 \
  static void name(bool fixed);                                                                    \
  static const bool registered_##name = cases().emplace(#name, name).second;                       \
  static void name([[maybe_unused]] bool fixed)

int main(int argc, char **argv) {
  const auto found = cases().find(argc > 1 ? argv[1] : "");
  if (found == cases().end()) {
    for (const auto &known : cases())
      std::printf("%s\n", known.first.c_str());
    return 2;
  }
  found->second(argc > 2);
  return cudaDeviceSynchronize();
}
