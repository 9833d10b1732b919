// Faults in kernels: a report in CUDA's terms, and an error that lasts to the end of the process.
#include "cuda_test.hpp"

#include <cassert>
#include <mma.h>

namespace {

constexpr int divergent_line = __LINE__;
__global__ void different_barriers() {
  if (threadIdx.x < 40)
    __syncthreads();
  else
    __syncthreads();
}

constexpr int mask_line = __LINE__;
__global__ void lane_stays_away(int *out) {
  if (threadIdx.x != 3)
    out[threadIdx.x] = __shfl_sync(0xffffffffu, 1, 0);
  else
    __syncthreads();
}

__global__ void write_to(int *pointer) { pointer[threadIdx.x] = 1; }

__global__ void trap() {
  if (threadIdx.x == 5)
    __trap();
}

__global__ void failed_assertion(int n) { assert(static_cast<int>(threadIdx.x) < n); }

__device__ int descend(int depth) {
  volatile int local[256];
  local[depth % 256] = depth;
  return depth < 0 ? 0 : descend(depth + 1) + local[depth % 256];
}
__global__ void endless_recursion(int *out) { *out = descend(1); }

// By thread 1: thread 0 is on another stack. That of thread 2 stands above.
__global__ void past_local_array() {
  volatile int local[4] = {};
  __syncthreads();
  if (threadIdx.x == 1)
    for (volatile int *next = local;; ++next)
      *next = 1;
}

// A lane loads a tile from an address of its own, or all from one that is not aligned.
__global__ void load_tile(const __half *tile, int step, unsigned stride) {
  namespace wmma = nvcuda::wmma;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> part;
  wmma::load_matrix_sync(part, tile + step * threadIdx.x, stride);
}

std::string line(int number) { return "test_faults.cu:" + std::to_string(number); }

struct Outcome {
  cudaError_t error;
  std::string report;

  bool says(const std::string &text) const { return report.find(text) != std::string::npos; }
};

template <class Launch> Outcome outcome_of(Launch launch) {
  StandardError captured;
  launch();
  CHECK(cudaGetLastError() == cudaSuccess); // the launch itself is fine
  const cudaError_t error = cudaDeviceSynchronize();
  return {error, captured.text()};
}

// Every later call that needs the device fails; as on a GPU, cudaGetLastError returns an error
// once.
void check_sticky(cudaError_t error) {
  int *pointer = nullptr;
  CHECK(cudaMalloc(&pointer, 4) == error);
  CHECK(cudaDeviceSynchronize() == error);
  CHECK(cudaGetLastError() == error);
  int number = 0;
  cudaDeviceProp properties;
  CHECK(cudaGetDevice(&number) == cudaSuccess);
  CHECK(cudaSetDevice(number) == cudaSuccess);
  CHECK(cudaGetDeviceProperties(&properties, 0) == cudaSuccess);
  CHECK(cudaDeviceGetAttribute(&number, cudaDevAttrWarpSize, 0) == cudaSuccess);
  CHECK(cudaGetLastError() == cudaSuccess);
}

} // namespace

TEST_CASE("fault: threads of a block at different barriers", "[fault]") {
  const Outcome outcome = outcome_of([] { different_barriers<<<2, 64>>>(); });
  INFO(outcome.report);
  CHECK(outcome.error == cudaErrorLaunchFailure);
  CHECK(outcome.says("different_barriers"));
  CHECK(outcome.says(line(divergent_line + 3)));
  CHECK(outcome.says(line(divergent_line + 5)));
  CHECK(outcome.says("(39, 0, 0)"));
  CHECK(outcome.says("(40, 0, 0)"));
  check_sticky(cudaErrorLaunchFailure);
}

TEST_CASE("fault: a barrier that a part of a block waits at for good", "[fault]") {
  DeviceArray<int> out(32);
  const Outcome outcome = outcome_of([&] { lane_stays_away<<<1, 32>>>(out.data()); });
  INFO(outcome.report);
  CHECK(outcome.error == cudaErrorLaunchFailure);
  CHECK(outcome.says("__shfl_sync"));
  CHECK(outcome.says("0xffffffff"));
  CHECK(outcome.says(line(mask_line + 3)));
  CHECK(outcome.says(line(mask_line + 5)));
  CHECK(outcome.says("(3, 0, 0)"));
}

TEST_CASE("fault: a null pointer", "[fault]") {
  const Outcome outcome = outcome_of([] { write_to<<<1, 32>>>(nullptr); });
  INFO(outcome.report);
  CHECK(outcome.error == cudaErrorIllegalAddress);
  CHECK(outcome.says("write_to"));
  CHECK(outcome.says("test_faults.cu:"));
  CHECK(outcome.says("null pointer"));
  CHECK(outcome.says("block (0, 0, 0)"));
  check_sticky(cudaErrorIllegalAddress);
}

TEST_CASE("fault: a wild pointer", "[fault]") {
  int *const wild = reinterpret_cast<int *>(std::size_t{1} << 45);
  const Outcome outcome = outcome_of([&] { write_to<<<1, 32>>>(wild); });
  INFO(outcome.report);
  CHECK(outcome.error == cudaErrorIllegalAddress);
  CHECK(outcome.says("0x2000000000"));
  check_sticky(cudaErrorIllegalAddress);
}

TEST_CASE("fault: a failed assertion in a kernel", "[fault]") {
  const Outcome outcome = outcome_of([] { failed_assertion<<<1, 32>>>(7); });
  INFO(outcome.report);
  CHECK(outcome.error == cudaErrorAssert);
  CHECK(outcome.says("test_faults.cu:"));
  CHECK(outcome.says("< n"));
  CHECK(outcome.says("(7, 0, 0)"));
  check_sticky(cudaErrorAssert);
}

TEST_CASE("fault: a trap", "[fault]") {
  const Outcome outcome = outcome_of([] { trap<<<1, 32>>>(); });
  INFO(outcome.report);
  CHECK(outcome.error == cudaErrorLaunchFailure);
  CHECK(outcome.says("(5, 0, 0)"));
  check_sticky(cudaErrorLaunchFailure);
}

TEST_CASE("fault: a recursion that does not end", "[fault]") {
  DeviceArray<int> out(1);
  const Outcome outcome = outcome_of([&] { endless_recursion<<<1, 1>>>(out.data()); });
  INFO(outcome.report);
  CHECK(outcome.error == cudaErrorIllegalAddress);
  CHECK(outcome.says("stack overflow"));
  check_sticky(cudaErrorIllegalAddress);
}

TEST_CASE("fault: an index past a local array", "[fault]") {
  const Outcome outcome = outcome_of([] { past_local_array<<<1, 32>>>(); });
  INFO(outcome.report);
  CHECK(outcome.error == cudaErrorIllegalAddress);
  CHECK(outcome.says("past the end of the thread's stack"));
  CHECK(!outcome.says("overflow"));
  check_sticky(cudaErrorIllegalAddress);
}

TEST_CASE("fault: the other device goes on", "[fault]") {
  int count = 0;
  REQUIRE(cudaGetDeviceCount(&count) == cudaSuccess);
  if (count < 2)
    SKIP("needs two devices");
  const Stream stream;
  const Event event;
  REQUIRE(cudaEventRecord(event, stream) == cudaSuccess);
  outcome_of([] { write_to<<<1, 32>>>(nullptr); });
  REQUIRE(cudaSetDevice(1) == cudaSuccess);
  static_cast<void>(cudaGetLastError()); // that of the first device
  DeviceArray<int> out(32);
  write_to<<<1, 32>>>(out.data());
  CHECK(out.host() == std::vector<int>(32, 1));
  CHECK(cudaStreamSynchronize(stream) == cudaErrorIllegalAddress); // these are of the first one
  CHECK(cudaEventSynchronize(event) == cudaErrorIllegalAddress);
}

static void check_tile(unsigned threads, int first, int step, unsigned stride, const char *words) {
  const DeviceArray<__half> tile(2048, __half(0.0f));
  const Outcome outcome =
      outcome_of([&] { load_tile<<<1, threads>>>(tile.data() + first, step, stride); });
  INFO(outcome.report);
  CHECK(outcome.error != cudaSuccess);
  CHECK(outcome.says(words));
}
TEST_CASE("fault: a part of a warp loads a wmma tile", "[fault]") {
  check_tile(31, 0, 0, 16, "without all 32 lanes");
}
TEST_CASE("fault: lanes load different wmma tiles", "[fault]") {
  check_tile(32, 0, 16, 16, "different addresses");
}
TEST_CASE("fault: a wmma tile at an address that is not aligned", "[fault]") {
  check_tile(32, 8, 0, 16, "not a multiple of 32 bytes");
}
TEST_CASE("fault: a wmma tile whose stride is not aligned", "[fault]") {
  check_tile(32, 0, 0, 20, "not a multiple of 16 bytes");
}
