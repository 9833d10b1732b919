// Lesson 10: add two lists from host to host, in chunks: one chunk is on its way to the device,
// while another is added and a third comes back.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/10-streams/streams.cu -o streams
// Run:   ./streams [n chunks streams]
#include "common/arguments.hpp"
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/figures.hpp"
#include "common/timer.hpp"
#include "lessons/10-streams/lists.hpp"

#include <algorithm>
#include <cstdio>
#include <vector>

// The kernel of lesson 03.
__global__ void add(const float *a, const float *b, float *c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}

// Three lists of n floats, in the memory of the host or of the device.
struct Lists {
  float *a, *b, *c;
};

// Chunk after chunk, in the streams in turn. Returns before anything is done.
void add_in_chunks(Lists host, Lists device, int n, int chunk,
                   const std::vector<cudaStream_t> &streams) {
  int k = 0;
  // [pipeline]
  for (int first = 0; first < n; first += chunk) {
    const int count = std::min(chunk, n - first); // the last chunk may be a smaller one
    const std::size_t bytes = count * sizeof(float);
    const cudaStream_t stream = streams[k++ % streams.size()];
    float *const d_a = device.a + first, *const d_b = device.b + first,
                 *const d_c = device.c + first;
    CUDA_CHECK(cudaMemcpyAsync(d_a, host.a + first, bytes, cudaMemcpyHostToDevice, stream));
    CUDA_CHECK(cudaMemcpyAsync(d_b, host.b + first, bytes, cudaMemcpyHostToDevice, stream));
    add<<<(count + 255) / 256, 256, 0, stream>>>(d_a, d_b, d_c, count);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpyAsync(host.c + first, d_c, bytes, cudaMemcpyDeviceToHost, stream));
  }
  // [end]
}

// The plain way of lesson 03: one step after the other, in the default stream.
void add_in_one_piece(Lists host, Lists device, int n) {
  const std::size_t bytes = n * sizeof(float);
  CUDA_CHECK(cudaMemcpy(device.a, host.a, bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(device.b, host.b, bytes, cudaMemcpyHostToDevice));
  add<<<(n + 255) / 256, 256>>>(device.a, device.b, device.c, n);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(host.c, device.c, bytes, cudaMemcpyDeviceToHost));
}

// The yardstick: the same bytes, both ways at the same time, and nothing is added.
void copy_both_ways(Lists host, Lists device, int n, cudaStream_t up, cudaStream_t down) {
  const std::size_t bytes = n * sizeof(float);
  CUDA_CHECK(cudaMemcpyAsync(device.a, host.a, bytes, cudaMemcpyHostToDevice, up));
  CUDA_CHECK(cudaMemcpyAsync(device.b, host.b, bytes, cudaMemcpyHostToDevice, up));
  CUDA_CHECK(cudaMemcpyAsync(host.c, device.c, bytes, cudaMemcpyDeviceToHost, down));
}

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 3, "[n chunks streams]");
  course::print_device();
  const int standard = course::size(100'000'000, 4'000'000);
  const int n = course::count_argument(argc, argv, 1, "n", standard, 1'000'000'000);
  const int chunks = course::count_argument(argc, argv, 2, "chunks", 32, 10'000);
  std::vector<cudaStream_t> streams(course::count_argument(argc, argv, 3, "streams", 2, 64)),
      two(2);
  expect_room(argv[0], n);
  const std::size_t bytes = n * sizeof(float);
  Lists pinned, device;
  course::Timer pinning;
  for (float **list : {&pinned.a, &pinned.b, &pinned.c})
    CUDA_CHECK(cudaMallocHost(list, bytes));
  std::printf("   pinning the three lists took %.3f s\n", pinning.seconds());
  for (int i = 0; i < n; ++i) {
    pinned.a[i] = value_a(i);
    pinned.b[i] = value_b(i);
  }
  std::vector<float> a(pinned.a, pinned.a + n), b(pinned.b, pinned.b + n), c(n);
  const Lists pageable{a.data(), b.data(), c.data()};
  for (float **list : {&device.a, &device.b, &device.c})
    CUDA_CHECK(cudaMalloc(list, bytes));
  CUDA_CHECK(cudaMemset(device.c, 0xFF, bytes)); // NaN: what the yardstick copies back is no result
  for (auto *all : {&streams, &two})
    for (cudaStream_t &stream : *all)
      CUDA_CHECK(cudaStreamCreate(&stream));

  // The timer's events are in the default stream: they wait for the work of all these streams.
  const int runs = course::size(11, 3);
  const auto rate = [&](auto work) { return 3e-9 * bytes / course::gpu_seconds(runs, work); };
  const double link = rate([&] { copy_both_ways(pinned, device, n, two[0], two[1]); });
  course::figure("copies alone, both ways at once", link, "GB/s", 0, "", 3e-9 * bytes / link);
  const auto report = [&](const char *what, double its_rate) {
    course::figure(what, its_rate, "GB/s", link, "the copies'", 3e-9 * bytes / its_rate);
  };
  report("plain: pageable, default stream", rate([&] { add_in_one_piece(pageable, device, n); }));
  bool correct = verify_and_clear("plain", pageable.c, n);
  CUDA_CHECK(cudaMemset(device.c, 0xFF, bytes)); // a stale sum cannot pass
  const int chunk = (n + chunks - 1) / chunks;
  report("chunks: pinned, several streams",
         rate([&] { add_in_chunks(pinned, device, n, chunk, streams); }));
  correct = verify_and_clear("chunks", pinned.c, n) && correct;

  for (const auto *all : {&streams, &two})
    for (cudaStream_t stream : *all)
      CUDA_CHECK(cudaStreamDestroy(stream));
  for (float *list : {device.a, device.b, device.c})
    CUDA_CHECK(cudaFree(list));
  for (float *list : {pinned.a, pinned.b, pinned.c})
    CUDA_CHECK(cudaFreeHost(list));
  std::puts("");
  return course::verdict(correct);
}
