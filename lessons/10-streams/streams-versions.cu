// Lesson 10, versions: copies from each kind of memory; chunks, streams and events; graphs.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/10-streams/streams-versions.cu -o streams-versions
// Run:   ./streams-versions [n chunk]
#include "common/arguments.hpp"
#include "common/buffer.hpp"
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/figures.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

struct Arrays {
  float *a, *b, *c; // n elements each, in host memory or in device memory
};

__global__ void add(const float *a, const float *b, float *c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}

__global__ void twice(float *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] *= 2;
}

void launch_twice(float *x, int n) {
  twice<<<(n + 255) / 256, 256>>>(x, n);
  CUDA_CHECK(cudaGetLastError());
}

// Moves the pages of managed memory to the device. CUDA 13 changed the arguments.
void prefetch(const float *x, std::size_t bytes) {
  int device;
  CUDA_CHECK(cudaGetDevice(&device));
#if CUDART_VERSION >= 13000
  CUDA_CHECK(cudaMemPrefetchAsync(x, bytes, {cudaMemLocationTypeDevice, device}, 0, 0));
#else
  CUDA_CHECK(cudaMemPrefetchAsync(x, bytes, device, 0));
#endif
}

// Part 1: the time of one copy, by the host's clock.
void time_copies(float *pageable, float *pinned, float *d_x, std::size_t bytes) {
  const auto time = [&](const std::string &what, float *to, const float *from,
                        cudaMemcpyKind kind) {
    const auto seconds = [&](int runs, std::size_t size) {
      return course::host_seconds(runs, [&] {
        CUDA_CHECK(cudaMemcpyAsync(to, from, size, kind));
        CUDA_CHECK(cudaDeviceSynchronize());
      });
    };
    seconds(1, bytes); // the first copy is not timed
    course::figure((what + ", 4 bytes").c_str(), 1e6 * seconds(101, sizeof(float)), "us");
    const double whole = seconds(course::problem_size(5, 1), bytes);
    course::figure(what.c_str(), 1e-9 * bytes / whole, "GB/s", {.seconds = whole});
  };
  std::puts("1. copies of 4 bytes and of a whole array\n");
  time("pageable to device", d_x, pageable, cudaMemcpyHostToDevice);
  time("pinned to device", d_x, pinned, cudaMemcpyHostToDevice);
  time("device to pageable", pageable, d_x, cudaMemcpyDeviceToHost);
  time("device to pinned", pinned, d_x, cudaMemcpyDeviceToHost);
}

// Part 2: from an array that the host has written to the end of a kernel that doubles it.
bool time_managed(float *pinned, float *d_x, int n) {
  const std::size_t bytes = n * sizeof(float);
  float *managed;
  CUDA_CHECK(cudaMallocManaged(&managed, bytes));
  bool correct = true;
  // The host writes `written`; after `work`, `doubled` has the result.
  const auto time = [&](const char *what, float *written, const float *doubled, auto work) {
    const auto once = [&] {
      for (int i = 0; i < n; ++i)
        written[i] = i % 1009;
      course::Timer timer;
      work();
      CUDA_CHECK(cudaDeviceSynchronize());
      return timer.seconds();
    };
    once(); // not timed
    const double seconds = course::median(course::problem_size(5, 1), once);
    course::figure(what, 1e-9 * bytes / seconds, "GB/s", {.seconds = seconds});
    std::vector<float> result(n);
    CUDA_CHECK(cudaMemcpy(result.data(), doubled, bytes, cudaMemcpyDefault));
    correct &= course::verify(what, result.data(), n, [](auto i) { return 2.0 * (i % 1009); });
  };
  std::puts("\n2. from an array that the host has written to the end of a kernel\n");
  time("pinned: copy, then kernel", pinned, d_x, [&] {
    CUDA_CHECK(cudaMemcpyAsync(d_x, pinned, bytes, cudaMemcpyHostToDevice));
    launch_twice(d_x, n);
  });
  time("managed: pages move on demand", managed, managed, [&] { launch_twice(managed, n); });
  if (course::attribute(cudaDevAttrConcurrentManagedAccess)) // not on WSL, for example
    time("managed: prefetched", managed, managed, [&] {
      prefetch(managed, bytes);
      launch_twice(managed, n);
    });
  CUDA_CHECK(cudaFree(managed));
  return correct;
}

// Version 1: one step after the other.
void one_by_one(Arrays host, Arrays d, int n) {
  const std::size_t bytes = n * sizeof(float);
  CUDA_CHECK(cudaMemcpy(d.a, host.a, bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d.b, host.b, bytes, cudaMemcpyHostToDevice));
  add<<<(n + 255) / 256, 256>>>(d.a, d.b, d.c, n);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(host.c, d.c, bytes, cudaMemcpyDeviceToHost));
}

// Version 2: the chunks take turns in `stream_count` streams.
void in_chunks(Arrays host, Arrays d, int n, int chunk, const cudaStream_t *streams,
               int stream_count) {
  for (int first = 0, k = 0; first < n; first += chunk, ++k) {
    const cudaStream_t stream = streams[k % stream_count];
    const int count = std::min(chunk, n - first);
    const std::size_t bytes = count * sizeof(float);
    float *d_a = d.a + first, *d_b = d.b + first, *d_c = d.c + first;
    CUDA_CHECK(cudaMemcpyAsync(d_a, host.a + first, bytes, cudaMemcpyHostToDevice, stream));
    CUDA_CHECK(cudaMemcpyAsync(d_b, host.b + first, bytes, cudaMemcpyHostToDevice, stream));
    add<<<(count + 255) / 256, 256, 0, stream>>>(d_a, d_b, d_c, count);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpyAsync(host.c + first, d_c, bytes, cudaMemcpyDeviceToHost, stream));
  }
}

// Version 3: one stream copies to the device, one computes, one copies back. Two events order them.
void one_stream_per_step(Arrays host, Arrays d, int n, int chunk, const cudaStream_t *streams) {
  const cudaStream_t up = streams[0], computing = streams[1], down = streams[2];
  cudaEvent_t arrived, added;
  CUDA_CHECK(cudaEventCreateWithFlags(&arrived, cudaEventDisableTiming));
  CUDA_CHECK(cudaEventCreateWithFlags(&added, cudaEventDisableTiming));
  for (int first = 0; first < n; first += chunk) {
    const int count = std::min(chunk, n - first);
    const std::size_t bytes = count * sizeof(float);
    float *d_a = d.a + first, *d_b = d.b + first, *d_c = d.c + first;
    CUDA_CHECK(cudaMemcpyAsync(d_a, host.a + first, bytes, cudaMemcpyHostToDevice, up));
    CUDA_CHECK(cudaMemcpyAsync(d_b, host.b + first, bytes, cudaMemcpyHostToDevice, up));
    CUDA_CHECK(cudaEventRecord(arrived, up));
    CUDA_CHECK(cudaStreamWaitEvent(computing, arrived));
    // [events]
    add<<<(count + 255) / 256, 256, 0, computing>>>(d_a, d_b, d_c, count);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaEventRecord(added, computing)); // reached when the kernel has ended
    CUDA_CHECK(cudaStreamWaitEvent(down, added));  // `down` waits, the host does not
    CUDA_CHECK(cudaMemcpyAsync(host.c + first, d_c, bytes, cudaMemcpyDeviceToHost, down));
    // [end]
  }
  CUDA_CHECK(cudaEventDestroy(arrived)); // takes effect when the event has been reached
  CUDA_CHECK(cudaEventDestroy(added));
}

// The limit: the same bytes in both directions at once, and no kernel.
void copies_alone(Arrays host, Arrays d, int n, const cudaStream_t *streams) {
  const std::size_t bytes = n * sizeof(float);
  CUDA_CHECK(cudaMemcpyAsync(d.a, host.a, bytes, cudaMemcpyHostToDevice, streams[0]));
  CUDA_CHECK(cudaMemcpyAsync(d.b, host.b, bytes, cudaMemcpyHostToDevice, streams[0]));
  CUDA_CHECK(cudaMemcpyAsync(host.c, d.c, bytes, cudaMemcpyDeviceToHost, streams[1]));
}

// The sum of element i of a and of b, as main fills them.
double sum_of(std::size_t i) { return i % 1009 + i % 2003 / 4.0; }

// Writes NaN over all sums, so an old sum is detected.
void erase_sums(Arrays host, Arrays d, int n) {
  std::fill_n(host.c, n, NAN);
  CUDA_CHECK(cudaMemset(d.c, 0xFF, n * sizeof(float)));
}

// Part 3: the versions of the addition from host to host.
bool time_versions(Arrays pageable, Arrays pinned, Arrays d, int n, int chunk,
                   const cudaStream_t *streams) {
  bool correct = true;
  std::puts("\n3. add two arrays from host to host\n");
  const auto seconds = [](auto work) {
    return course::gpu_seconds(course::problem_size(11, 1), work);
  };
  const double copies = seconds([&] { copies_alone(pinned, d, n, streams); });
  course::figure("copies alone, both directions", 12e-9 * n / copies, "GB/s", {.seconds = copies});
  const auto time = [&](const char *what, Arrays host, auto work) {
    erase_sums(host, d, n);
    const double taken = seconds(work);
    course::figure(what, 12e-9 * n / taken, "GB/s",
                   {.limit = 12e-9 * n / copies, .limit_is = "copies alone", .seconds = taken});
    correct &= course::verify(what, host.c, n, sum_of);
  };
  time("1 one by one, pageable", pageable, [&] { one_by_one(pageable, d, n); });
  time("1 one by one, pinned", pinned, [&] { one_by_one(pinned, d, n); });
  time("2 one stream, pinned", pinned, [&] { in_chunks(pinned, d, n, chunk, streams, 1); });
  time("2 two streams, pinned", pinned, [&] { in_chunks(pinned, d, n, chunk, streams, 2); });
  time("2 two streams, pageable", pageable, [&] { in_chunks(pageable, d, n, chunk, streams, 2); });
  time("3 one stream per step, pinned", pinned,
       [&] { one_stream_per_step(pinned, d, n, chunk, streams); });

  std::puts("\n   version 2 in GB/s, by the number of chunks and of streams\n");
  std::printf("   %8s %8d %8d %8d %8d\n", "chunks", 1, 2, 4, 8);
  for (int chunks : {1, 8, 32, 128, 512, 2048}) {
    std::printf("   %8d", chunks);
    for (int count : {1, 2, 4, 8})
      std::printf(" %8.2f", 12e-9 * n / course::gpu_seconds(course::problem_size(5, 1), [&] {
                              in_chunks(pinned, d, n, (n - 1) / chunks + 1, streams, count);
                            }));
    std::puts("");
  }
  return correct;
}

// Queues 20 short kernels.
void twenty_kernels(float *x, int n, cudaStream_t stream) {
  for (int k = 0; k < 20; ++k)
    twice<<<(n + 255) / 256, 256, 0, stream>>>(x, n);
  CUDA_CHECK(cudaGetLastError());
}

// A graph of the work that queue_work() queues in `stream`.
template <class Work> cudaGraphExec_t graph_of(cudaStream_t stream, Work queue_work) {
  // [capture]
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  queue_work(); // launches and copies in `stream`: recorded, nothing runs
  CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
  CUDA_CHECK(cudaGraphInstantiate(&executable, graph, 0));
  CUDA_CHECK(cudaGraphDestroy(graph));
  // [end]
  return executable;
}

// The time that the host needs to queue the work, and the time until it is done.
template <class Work> void time_host_and_device(const std::string &what, int rounds, Work work) {
  work(); // not timed
  CUDA_CHECK(cudaDeviceSynchronize());
  course::Timer timer;
  for (int i = 0; i < rounds; ++i)
    work();
  course::figure((what + ": host").c_str(), 1e6 * timer.seconds() / rounds, "us");
  CUDA_CHECK(cudaDeviceSynchronize());
  course::figure((what + ": done").c_str(), 1e6 * timer.seconds() / rounds, "us");
}

// Part 4, version 4: short kernels, launched one by one or as a graph.
bool time_graph_of_kernels(float *d_x, int n, cudaStream_t stream) {
  const int rounds = course::problem_size(1000, 10);
  const std::size_t bytes = n * sizeof(float);
  const auto kernels = [&] { twenty_kernels(d_x, n, stream); };
  const cudaGraphExec_t graph = graph_of(stream, kernels);
  const auto launch = [&] { CUDA_CHECK(cudaGraphLaunch(graph, stream)); };

  CUDA_CHECK(cudaMemset(d_x, 0, bytes)); // 0 * 2 = 0: no overflow
  time_host_and_device("20 launches", rounds, kernels);
  time_host_and_device("4 graph of 20 kernels", rounds, launch);

  std::vector<float> x(n, 1);
  CUDA_CHECK(cudaMemcpy(d_x, x.data(), bytes, cudaMemcpyHostToDevice));
  launch();
  CUDA_CHECK(cudaMemcpy(x.data(), d_x, bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaGraphExecDestroy(graph));
  return course::verify("4 graph of 20 kernels", x.data(), n,
                        [](std::size_t) { return 1 << 20; }); // doubled 20 times
}

// Part 4, version 5: version 2 as a graph. Events bring the second stream into the capture and
// end it.
bool time_graph_of_chunks(Arrays host, Arrays d, int n, int chunk, const cudaStream_t *streams) {
  const int rounds = course::problem_size(10, 1);
  const auto chunks = [&] { in_chunks(host, d, n, chunk, streams, 2); };
  cudaEvent_t event;
  CUDA_CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  const cudaGraphExec_t graph = graph_of(streams[0], [&] {
    CUDA_CHECK(cudaEventRecord(event, streams[0]));
    CUDA_CHECK(cudaStreamWaitEvent(streams[1], event)); // fork: streams[1] is captured as well
    chunks();
    CUDA_CHECK(cudaEventRecord(event, streams[1]));
    CUDA_CHECK(cudaStreamWaitEvent(streams[0], event)); // join: the graph ends in streams[0]
  });
  CUDA_CHECK(cudaEventDestroy(event));

  time_host_and_device("2 two streams", rounds, chunks);
  erase_sums(host, d, n);
  time_host_and_device("5 two streams as a graph", rounds,
                       [&] { CUDA_CHECK(cudaGraphLaunch(graph, streams[0])); });
  CUDA_CHECK(cudaGraphExecDestroy(graph));
  return course::verify("5 two streams as a graph", host.c, n, sum_of);
}

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 2, "[n chunk]");
  course::print_device();
  const int standard = course::problem_size(100'000'003, 100'003); // fewer without a GPU
  const int n = course::count_argument(argc, argv, 1, "n", standard, 250'000'000);
  const int chunk = course::count_argument(argc, argv, 2, "chunk", n / 32 + 1, n); // elements

  std::vector<float> a(n), b(n), c(n);
  const course::Buffer<float> d_a(n), d_b(n), d_c(n);
  const Arrays pageable{a.data(), b.data(), c.data()}, d{d_a.data(), d_b.data(), d_c.data()};
  Arrays pinned;
  course::Timer pinning;
  for (float **array : {&pinned.a, &pinned.b, &pinned.c})
    CUDA_CHECK(cudaMallocHost(array, n * sizeof(float)));
  std::printf("3 arrays of %d floats; allocating them as pinned memory took %.0f ms\n\n", n,
              1e3 * pinning.seconds());
  cudaStream_t streams[8];
  for (cudaStream_t &stream : streams)
    CUDA_CHECK(cudaStreamCreate(&stream));

  std::fill_n(pinned.c, n, 0.0f);
  time_copies(c.data(), pinned.c, d.c, n * sizeof(float));
  bool correct = time_managed(pinned.c, d.c, n);
  for (int i = 0; i < n; ++i) {
    a[i] = pinned.a[i] = i % 1009;
    b[i] = pinned.b[i] = i % 2003 / 4.0f;
  }
  correct &= time_versions(pageable, pinned, d, n, chunk, streams);
  std::puts("\n4. graphs\n");
  correct &= time_graph_of_kernels(d.c, std::min(n, 1003), streams[0]);
  correct &= time_graph_of_chunks(pinned, d, n, chunk, streams);

  for (cudaStream_t stream : streams)
    CUDA_CHECK(cudaStreamDestroy(stream));
  for (float *array : {pinned.a, pinned.b, pinned.c})
    CUDA_CHECK(cudaFreeHost(array));
  return course::verdict(correct);
}
