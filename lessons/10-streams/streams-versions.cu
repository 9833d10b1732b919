// Lesson 10, versions: copies from each kind of memory; chunks, streams and events; the default
// stream; graphs.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/10-streams/streams-versions.cu -o streams-versions
// Run:   ./streams-versions [n chunk]
#include "common/arguments.hpp"
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/figures.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
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

// One thread that computes for a while: each step needs the result of the previous one.
__global__ void busy(int steps, float *result) {
  float x = 1;
  for (int i = 0; i < steps; ++i)
    x = x * 0.999f + 0.5f;
  *result = x;
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

// Part 1: how long does one copy take, as the host's clock measures it?
void time_copies(float *pageable, float *pinned, float *d_x, std::size_t bytes) {
  const auto time = [&](const char *small, const char *large, float *to, const float *from,
                        cudaMemcpyKind kind) {
    const auto seconds = [&](int runs, std::size_t size) {
      return course::host_seconds(runs, [&] {
        CUDA_CHECK(cudaMemcpyAsync(to, from, size, kind));
        CUDA_CHECK(cudaDeviceSynchronize());
      });
    };
    seconds(1, bytes); // the first copy is not timed
    course::figure(small, 1e6 * seconds(101, sizeof(float)), "us");
    const double whole = seconds(course::problem_size(5, 1), bytes);
    course::figure(large, 1e-9 * bytes / whole, "GB/s", {.seconds = whole});
  };
  std::puts("1. copies of 4 bytes and of a whole array\n");
  time("pageable to device, 4 bytes", "pageable to device", d_x, pageable, cudaMemcpyHostToDevice);
  time("pinned to device, 4 bytes", "pinned to device", d_x, pinned, cudaMemcpyHostToDevice);
  time("device to pageable, 4 bytes", "device to pageable", pageable, d_x, cudaMemcpyDeviceToHost);
  time("device to pinned, 4 bytes", "device to pinned", pinned, d_x, cudaMemcpyDeviceToHost);
}

// Part 2: the host has written an array. How long does it take until a kernel has doubled it?
bool time_managed(float *pinned, float *d_x, int n) {
  const std::size_t bytes = n * sizeof(float);
  float *managed;
  CUDA_CHECK(cudaMallocManaged(&managed, bytes));
  bool correct = true;
  const auto time = [&](const char *what, float *host, auto work, auto back) {
    const auto once = [&] {
      for (int i = 0; i < n; ++i)
        host[i] = i % 1009;
      course::Timer timer;
      work();
      CUDA_CHECK(cudaDeviceSynchronize());
      return timer.seconds();
    };
    once(); // not timed
    const double seconds = course::median(course::problem_size(5, 1), once);
    course::figure(what, 1e-9 * bytes / seconds, "GB/s", {.seconds = seconds});
    back();
    correct &= course::verify(what, host, n, [](auto i) { return 2.0 * (i % 1009); });
  };
  std::puts("\n2. from an array that the host has written to the end of a kernel\n");
  time(
      "pinned: copy, then kernel", pinned,
      [&] {
        CUDA_CHECK(cudaMemcpyAsync(d_x, pinned, bytes, cudaMemcpyHostToDevice));
        launch_twice(d_x, n);
      },
      [&] { CUDA_CHECK(cudaMemcpy(pinned, d_x, bytes, cudaMemcpyDeviceToHost)); });
  const auto on_demand = [&] { launch_twice(managed, n); };
  const auto prefetched = [&] {
    prefetch(managed, bytes);
    launch_twice(managed, n);
  };
  time("managed: pages move on demand", managed, on_demand, [] {});
  int device, concurrent; // 0 on WSL, for example: no prefetch
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, device));
  if (concurrent)
    time("managed: prefetched", managed, prefetched, [] {});
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

// Part 3: the versions of the addition from host to host.
bool time_versions(Arrays pageable, Arrays pinned, Arrays d, int n, int chunk,
                   const cudaStream_t *streams) {
  bool correct = true;
  std::puts("\n3. add two arrays from host to host\n");
  const auto seconds = [](auto work) {
    return course::gpu_seconds(course::problem_size(11, 1), work);
  };
  CUDA_CHECK(cudaMemset(d.c, 0xFF, n * sizeof(float)));
  const double copies = seconds([&] { copies_alone(pinned, d, n, streams); });
  course::figure("copies alone, both directions", 12e-9 * n / copies, "GB/s", {.seconds = copies});
  const auto time = [&](const char *what, Arrays host, auto work) {
    std::fill_n(host.c, n, NAN);
    CUDA_CHECK(cudaMemset(d.c, 0xFF, n * sizeof(float))); // NaN
    const double taken = seconds(work);
    course::figure(what, 12e-9 * n / taken, "GB/s",
                   {.limit = 12e-9 * n / copies, .limit_is = "copies alone", .seconds = taken});
    correct &= course::verify(what, host.c, n, [](auto i) { return i % 1009 + i % 2003 / 4.0; });
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

// Part 4: how long do two kernels of one thread take, compared with one? 1 if they overlap, else 2.
void time_default_stream(Arrays d, const cudaStream_t *streams) {
  std::puts("\n4. the time of two kernels, relative to one\n");
  cudaStream_t non_blocking;
  CUDA_CHECK(cudaStreamCreateWithFlags(&non_blocking, cudaStreamNonBlocking));
  const int steps = course::problem_size(2'000'000, 200'000);
  const auto one = course::host_seconds(5, [&] {
    busy<<<1, 1, 0, streams[0]>>>(steps, d.a);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaDeviceSynchronize());
  });
  const auto time = [&](const char *what, cudaStream_t first, cudaStream_t second) {
    const double two = course::host_seconds(5, [&] {
      busy<<<1, 1, 0, first>>>(steps, d.a);
      busy<<<1, 1, 0, second>>>(steps, d.b);
      CUDA_CHECK(cudaGetLastError());
      CUDA_CHECK(cudaDeviceSynchronize());
    });
    course::figure(what, two / one, "times");
  };
  time("the same stream", streams[0], streams[0]);
  time("two streams", streams[0], streams[1]);
  time("a stream and the default stream", streams[0], nullptr);
  time("a non-blocking and the default stream", non_blocking, nullptr);
  CUDA_CHECK(cudaStreamDestroy(non_blocking));
}

// Version 4: 20 small kernels, launched one by one or as a graph.
void twenty_kernels(float *x, int n, cudaStream_t stream) {
  for (int k = 0; k < 20; ++k)
    twice<<<(n + 255) / 256, 256, 0, stream>>>(x, n);
  CUDA_CHECK(cudaGetLastError());
}

cudaGraphExec_t graph_of_twenty_kernels(float *x, int n, cudaStream_t stream) {
  // [capture]
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  twenty_kernels(x, n, stream); // recorded: no kernel runs
  CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
  CUDA_CHECK(cudaGraphInstantiate(&executable, graph, 0));
  CUDA_CHECK(cudaGraphDestroy(graph));
  // [end]
  return executable;
}

// Version 5: version 2 as a graph. Events bring the second stream into the capture and end it.
cudaGraphExec_t graph_of_chunks(Arrays host, Arrays d, int n, int chunk,
                                const cudaStream_t *streams) {
  cudaEvent_t event;
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  CUDA_CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  CUDA_CHECK(cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeGlobal));
  CUDA_CHECK(cudaEventRecord(event, streams[0]));
  CUDA_CHECK(cudaStreamWaitEvent(streams[1], event)); // fork: streams[1] is captured as well
  in_chunks(host, d, n, chunk, streams, 2);
  CUDA_CHECK(cudaEventRecord(event, streams[1]));
  CUDA_CHECK(cudaStreamWaitEvent(streams[0], event)); // join: the graph ends in streams[0]
  CUDA_CHECK(cudaStreamEndCapture(streams[0], &graph));
  CUDA_CHECK(cudaGraphInstantiate(&executable, graph, 0));
  CUDA_CHECK(cudaGraphDestroy(graph));
  CUDA_CHECK(cudaEventDestroy(event));
  return executable;
}

// Part 5: the time that the host needs to queue the work, and the time until it is done.
bool time_graphs(Arrays host, Arrays d, int n, int chunk, const cudaStream_t *streams) {
  std::puts("\n5. graphs\n");
  const auto time = [](const char *queued, const char *done, int rounds, auto work) {
    work(); // not timed
    CUDA_CHECK(cudaDeviceSynchronize());
    course::Timer timer;
    for (int i = 0; i < rounds; ++i)
      work();
    course::figure(queued, 1e6 * timer.seconds() / rounds, "us");
    CUDA_CHECK(cudaDeviceSynchronize());
    course::figure(done, 1e6 * timer.seconds() / rounds, "us");
  };
  const int small = std::min(n, 1003), rounds = course::problem_size(1000, 10),
            few = course::problem_size(10, 1);
  std::vector<float> x(small, 1);
  CUDA_CHECK(cudaMemset(d.c, 0, small * sizeof(float))); // 0 * 2 = 0: no overflow
  cudaGraphExec_t kernels = graph_of_twenty_kernels(d.c, small, streams[0]);
  time("20 launches: host", "20 launches: done", rounds,
       [&] { twenty_kernels(d.c, small, streams[0]); });
  time("4 graph of 20 kernels: host", "4 graph of 20 kernels: done", rounds,
       [&] { CUDA_CHECK(cudaGraphLaunch(kernels, streams[0])); });
  CUDA_CHECK(cudaMemcpy(d.c, x.data(), small * sizeof(float), cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaGraphLaunch(kernels, streams[0]));
  CUDA_CHECK(cudaMemcpy(x.data(), d.c, small * sizeof(float), cudaMemcpyDeviceToHost));
  bool correct = course::verify("4 graph of 20 kernels", x.data(), small,
                                [](std::size_t) { return 1 << 20; }); // doubled 20 times
  CUDA_CHECK(cudaGraphExecDestroy(kernels));

  cudaGraphExec_t chunks = graph_of_chunks(host, d, n, chunk, streams);
  time("2 two streams: host", "2 two streams: done", few,
       [&] { in_chunks(host, d, n, chunk, streams, 2); });
  std::fill_n(host.c, n, NAN);
  CUDA_CHECK(cudaMemset(d.c, 0xFF, n * sizeof(float)));
  time("5 two streams as a graph: host", "5 two streams as a graph: done", few,
       [&] { CUDA_CHECK(cudaGraphLaunch(chunks, streams[0])); });
  correct &= course::verify("5 two streams as a graph", host.c, n,
                            [](auto i) { return i % 1009 + i % 2003 / 4.0; });
  CUDA_CHECK(cudaGraphExecDestroy(chunks));
  return correct;
}

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 2, "[n chunk]");
  course::print_device();
  const int standard = course::problem_size(100'000'003, 100'003); // fewer without a GPU
  const int n = course::count_argument(argc, argv, 1, "n", standard, 250'000'000);
  const int chunk = course::count_argument(argc, argv, 2, "chunk", n / 32 + 1, n); // elements
  std::vector<float> a(n), b(n), c(n);
  Arrays pageable{a.data(), b.data(), c.data()}, pinned, d;
  course::Timer pinning;
  for (float **array : {&pinned.a, &pinned.b, &pinned.c})
    CUDA_CHECK(cudaMallocHost(array, n * sizeof(float)));
  std::printf("3 arrays of %d floats; allocating them as pinned memory took %.0f ms\n\n", n,
              1e3 * pinning.seconds());
  for (float **array : {&d.a, &d.b, &d.c})
    CUDA_CHECK(cudaMalloc(array, n * sizeof(float)));
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
  time_default_stream(d, streams);
  correct &= time_graphs(pinned, d, n, chunk, streams);
  for (cudaStream_t stream : streams)
    CUDA_CHECK(cudaStreamDestroy(stream));
  for (float *array : {d.a, d.b, d.c})
    CUDA_CHECK(cudaFree(array));
  for (float *array : {pinned.a, pinned.b, pinned.c})
    CUDA_CHECK(cudaFreeHost(array));
  return course::verdict(correct);
}
