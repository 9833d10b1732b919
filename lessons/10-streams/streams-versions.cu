// Lesson 10, further: what a copy costs, by size and kind of memory; how many chunks and streams;
// the rules of the default stream; graphs.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/10-streams/streams-versions.cu -o streams-versions
// Run:   ./streams-versions [n chunks streams]   (of the graph)
#include "common/arguments.hpp"
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/figures.hpp"
#include "common/timer.hpp"
#include "lessons/10-streams/lists.hpp"

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

// The kernel of streams.cu.
__global__ void add(const float *a, const float *b, float *c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}

// Reads n bytes, so that managed memory comes to the device.
__global__ void read_all(const unsigned char *data, std::size_t n, unsigned *sink) {
  const std::size_t step = std::size_t(gridDim.x) * blockDim.x;
  unsigned sum = 0;
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
    sum += data[i];
  if (sum == ~0u) // never: a sum that nobody uses would not be computed
    *sink = sum;
}

// One thread that is busy for a while: each step needs the result of the one before it.
__global__ void busy(int steps, float *sink) {
  float x = 1;
  for (int i = 0; i < steps; ++i)
    x = x * 0.999f + 0.5f;
  *sink = x;
}

// ---- 1. latency and rate ----

struct Line {
  double latency, rate; // seconds; bytes per second
};

// The line seconds = latency + bytes / rate through the measured points; each counts by its
// relative error, so that small copies decide the latency and large ones the rate. [fit]
Line fit(const std::vector<double> &bytes, const std::vector<double> &seconds) {
  double w = 0, ws = 0, wss = 0, wt = 0, wst = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const double s = bytes[i], t = seconds[i], weight = 1 / (t * t);
    w += weight;
    ws += weight * s;
    wss += weight * s * s;
    wt += weight * t;
    wst += weight * s * t;
  }
  const double slope = (w * wst - ws * wt) / (w * wss - ws * ws);
  return {(wt - slope * ws) / w, 1 / slope};
}
// [end]

// Copies of 1 byte to the largest size, each until it is done, as the host sees it.
template <class Copy> void time_sizes(const char *what, std::size_t largest, Copy copy) {
  std::vector<double> bytes, seconds;
  for (std::size_t size = 1; size <= largest; size *= 8) {
    copy(size); // once before it is timed
    bytes.push_back(size);
    seconds.push_back(course::host_seconds(size < (1 << 20) ? 21 : 5, [&] { copy(size); }));
  }
  std::printf("   %s\n", what);
  for (std::size_t i = 0; i < bytes.size(); ++i)
    std::printf("      %11.0f bytes %12.2f us %10.3f GB/s\n", bytes[i], 1e6 * seconds[i],
                1e-9 * bytes[i] / seconds[i]);
  const Line line = fit(bytes, seconds);
  course::figure((std::string(what) + ": latency").c_str(), 1e6 * line.latency, "us");
  course::figure((std::string(what) + ": rate").c_str(), 1e-9 * line.rate, "GB/s");
}

void time_memories(std::size_t largest) {
  std::puts("1. a copy takes latency + size / rate\n");
  std::vector<unsigned char> pageable(largest, 1);
  unsigned char *pinned, *managed, *device;
  unsigned *sink;
  CUDA_CHECK(cudaMallocHost(&pinned, largest));
  CUDA_CHECK(cudaMallocManaged(&managed, largest));
  CUDA_CHECK(cudaMalloc(&device, largest));
  CUDA_CHECK(cudaMalloc(&sink, sizeof *sink));
  std::fill_n(pinned, largest, 1);
  const auto copy = [](void *to, const void *from, cudaMemcpyKind kind) {
    return [=](std::size_t size) {
      CUDA_CHECK(cudaMemcpyAsync(to, from, size, kind));
      CUDA_CHECK(cudaStreamSynchronize(nullptr));
    };
  };
  time_sizes("pageable, to the device", largest,
             copy(device, pageable.data(), cudaMemcpyHostToDevice));
  time_sizes("pinned, to the device", largest, copy(device, pinned, cudaMemcpyHostToDevice));
  time_sizes("pageable, to the host", largest,
             copy(pageable.data(), device, cudaMemcpyDeviceToHost));
  time_sizes("pinned, to the host", largest, copy(pinned, device, cudaMemcpyDeviceToHost));
  // No copy: the host writes, a kernel reads, and the pages move in between. Both are timed.
  time_sizes("managed, written by the host, read by a kernel", largest, [&](std::size_t size) {
    std::fill_n(managed, size, 2);
    read_all<<<1024, 256>>>(managed, size, sink);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaStreamSynchronize(nullptr));
  });
  CUDA_CHECK(cudaFreeHost(pinned));
  CUDA_CHECK(cudaFree(managed));
  CUDA_CHECK(cudaFree(device));
  CUDA_CHECK(cudaFree(sink));
}

// ---- 2. chunks and streams ----

struct Lists {
  float *a, *b, *c;
};

// All that the pipeline needs. Its streams do not wait for the default stream.
struct Pipeline {
  int n;
  Lists host{}, device{};
  std::vector<cudaStream_t> streams;

  Pipeline(int n, int most_streams) : n(n), streams(most_streams) {
    for (float **list : {&host.a, &host.b, &host.c})
      CUDA_CHECK(cudaMallocHost(list, n * sizeof(float)));
    for (float **list : {&device.a, &device.b, &device.c})
      CUDA_CHECK(cudaMalloc(list, n * sizeof(float)));
    for (cudaStream_t &stream : streams)
      CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    for (int i = 0; i < n; ++i) {
      host.a[i] = value_a(i);
      host.b[i] = value_b(i);
    }
  }
  Pipeline(const Pipeline &) = delete;
  Pipeline &operator=(const Pipeline &) = delete;
  ~Pipeline() {
    for (cudaStream_t stream : streams)
      cudaStreamDestroy(stream);
    for (float *list : {device.a, device.b, device.c})
      cudaFree(list);
    for (float *list : {host.a, host.b, host.c})
      cudaFreeHost(list);
  }

  // As in streams.cu.
  void run(int chunks, int stream_count) const {
    const int chunk = (n + chunks - 1) / chunks;
    for (int first = 0, k = 0; first < n; first += chunk, k = (k + 1) % stream_count) {
      const int count = std::min(chunk, n - first);
      const std::size_t bytes = count * sizeof(float);
      float *const d_a = device.a + first, *const d_b = device.b + first;
      CUDA_CHECK(cudaMemcpyAsync(d_a, host.a + first, bytes, cudaMemcpyHostToDevice, streams[k]));
      CUDA_CHECK(cudaMemcpyAsync(d_b, host.b + first, bytes, cudaMemcpyHostToDevice, streams[k]));
      add<<<(count + 255) / 256, 256, 0, streams[k]>>>(d_a, d_b, device.c + first, count);
      CUDA_CHECK(cudaGetLastError());
      CUDA_CHECK(cudaMemcpyAsync(host.c + first, device.c + first, bytes, cudaMemcpyDeviceToHost,
                                 streams[k]));
    }
  }
};

void time_chunks(const Pipeline &pipeline) {
  std::puts(
      "\n2. GB/s from host to host, by the number of chunks (down) and of streams (across)\n");
  const std::vector<int> counts = {1, 2, 3, 4, 8};
  std::printf("   %8s", "");
  for (int streams : counts)
    std::printf(" %8d", streams);
  std::puts("");
  for (int chunks = 1; chunks <= course::size(2048, 128); chunks *= chunks == 1 ? 8 : 4) {
    std::printf("   %8d", chunks);
    for (int streams : counts) {
      const double seconds = course::host_seconds(course::size(5, 1), [&] {
        pipeline.run(chunks, streams);
        CUDA_CHECK(cudaDeviceSynchronize());
      });
      std::printf(" %8.2f", 12e-9 * pipeline.n / seconds);
    }
    std::puts("");
  }
}

// ---- 3. the default stream ----

// How long two kernels of one thread each take, beside one of them: 1 where they overlap, else 2.
void time_default_stream() {
  std::puts("\n3. two kernels of one thread each: how many times as long as one?\n");
  float *sink;
  CUDA_CHECK(cudaMalloc(&sink, 2 * sizeof(float)));
  cudaStream_t blocking[2], free_running[2];
  for (int k = 0; k < 2; ++k) {
    CUDA_CHECK(cudaStreamCreate(&blocking[k]));
    CUDA_CHECK(cudaStreamCreateWithFlags(&free_running[k], cudaStreamNonBlocking));
  }
  const int steps = course::size(2'000'000, 200'000);
  const auto seconds = [&](const std::vector<cudaStream_t> &streams) {
    return course::host_seconds(5, [&] {
      for (std::size_t k = 0; k < streams.size(); ++k)
        busy<<<1, 1, 0, streams[k]>>>(steps, sink + k);
      CUDA_CHECK(cudaGetLastError());
      CUDA_CHECK(cudaDeviceSynchronize());
    });
  };
  seconds({blocking[0]}); // loads the kernel
  const double one = seconds({blocking[0]});
  const auto report = [&](const char *what, const std::vector<cudaStream_t> &streams) {
    course::figure(what, seconds(streams) / one, "times");
  };
  report("in one stream", {blocking[0], blocking[0]});
  report("in two streams", {blocking[0], blocking[1]});
  report("one of them in the default stream", {blocking[0], nullptr});
  report("the same, the other one non-blocking", {free_running[0], nullptr});
  for (int k = 0; k < 2; ++k) {
    CUDA_CHECK(cudaStreamDestroy(blocking[k]));
    CUDA_CHECK(cudaStreamDestroy(free_running[k]));
  }
  CUDA_CHECK(cudaFree(sink));
}

// ---- 4. graphs ----

// What `queue` puts into `streams`, as a graph that can be launched. The first stream is captured;
// an event brings the others into the capture, and one of each of them ends it.
template <class Queue>
cudaGraphExec_t graph_of(const std::vector<cudaStream_t> &streams, const Queue &queue) {
  cudaEvent_t event;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  CUDA_CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  // [capture]
  CUDA_CHECK(cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeGlobal));
  CUDA_CHECK(cudaEventRecord(event, streams[0]));
  for (std::size_t k = 1; k < streams.size(); ++k)
    CUDA_CHECK(cudaStreamWaitEvent(streams[k], event)); // fork: from here on it is captured, too
  queue();                                              // records; nothing runs yet
  for (std::size_t k = 1; k < streams.size(); ++k) {
    CUDA_CHECK(cudaEventRecord(event, streams[k]));
    CUDA_CHECK(cudaStreamWaitEvent(streams[0], event)); // join: each stream ends before the graph
  }
  CUDA_CHECK(cudaStreamEndCapture(streams[0], &graph));
  CUDA_CHECK(cudaGraphInstantiate(&exec, graph, 0));
  // [end]
  CUDA_CHECK(cudaGraphDestroy(graph));
  CUDA_CHECK(cudaEventDestroy(event));
  return exec;
}

// The same work many times, queued step by step and as a graph: what the host pays for a round, and
// how long a round takes.
template <class Queue>
void time_graph(const char *what, int rounds, const std::vector<cudaStream_t> &streams,
                const Queue &queue) {
  const cudaGraphExec_t exec = graph_of(streams, queue);
  const auto report = [&](const char *how, const auto &round) {
    round(); // once before it is timed
    CUDA_CHECK(cudaDeviceSynchronize());
    course::Timer timer;
    for (int i = 0; i < rounds; ++i)
      round();
    const double host = timer.seconds() / rounds;
    CUDA_CHECK(cudaDeviceSynchronize());
    const double all = timer.seconds() / rounds;
    const std::string name = std::string(what) + ", " + how;
    course::figure((name + ": host").c_str(), 1e6 * host, "us");
    course::figure((name + ": done").c_str(), 1e6 * all, "us");
  };
  report("queued", queue);
  report("graph", [&] { CUDA_CHECK(cudaGraphLaunch(exec, streams[0])); });
  CUDA_CHECK(cudaGraphExecDestroy(exec));
}

bool time_graphs(const Pipeline &pipeline, int chunks, int stream_count) {
  std::puts("\n4. the same work queued step by step, and as a graph: microseconds for a round\n");
  const Lists d = pipeline.device;
  const cudaStream_t stream = pipeline.streams[0];
  time_graph("20 small kernels", course::size(1000, 100), {stream}, [&] {
    for (int k = 0; k < 20; ++k)
      add<<<1, 256, 0, stream>>>(d.a, d.b, d.c, std::min(256, pipeline.n));
    CUDA_CHECK(cudaGetLastError());
  });
  std::fill_n(pipeline.host.c, pipeline.n, 0.0f);
  const auto begin = pipeline.streams.begin();
  time_graph("the pipeline", course::size(10, 2), {begin, begin + stream_count},
             [&] { pipeline.run(chunks, stream_count); });
  return verify_and_clear("the pipeline as a graph", pipeline.host.c, pipeline.n);
}

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 3, "[n chunks streams]");
  course::print_device();
  const int n = course::count_argument(argc, argv, 1, "n", course::size(100'000'000, 1'000'000),
                                       1'000'000'000);
  const int chunks = course::count_argument(argc, argv, 2, "chunks", 24, 10'000);
  const int stream_count = course::count_argument(argc, argv, 3, "streams", 3, 64);
  expect_room(argv[0], n);
  time_memories(std::size_t(1) << course::size(30, 21));
  const Pipeline pipeline(n, std::max(8, stream_count));
  time_chunks(pipeline);
  bool correct = verify_and_clear("chunks", pipeline.host.c, n);
  time_default_stream();
  correct = time_graphs(pipeline, chunks, stream_count) && correct;
  std::puts("");
  return course::verdict(correct);
}
