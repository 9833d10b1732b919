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

// Checks the error of a launch whose kernel fails, and that the report has these texts. Returns it.
template <class Launch>
std::string check_fault(cudaError_t error, const Launch &launch,
                        const std::vector<std::string> &texts) {
  const StandardError captured;
  launch();
  CHECK(cudaGetLastError() == cudaSuccess); // the launch itself is fine
  CHECK(cudaDeviceSynchronize() == error);
  const std::string report = captured.text();
  INFO(report);
  for (const std::string &text : texts)
    CHECK(report.find(text) != report.npos);
  return report;
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
  check_fault(cudaErrorLaunchFailure, [] { different_barriers<<<2, 64>>>(); },
              {"different_barriers", line(divergent_line + 3), line(divergent_line + 5),
               "(39, 0, 0)", "(40, 0, 0)"});
  check_sticky(cudaErrorLaunchFailure);
}

TEST_CASE("fault: a barrier that a part of a block waits at for good", "[fault]") {
  DeviceArray<int> out(32);
  check_fault(cudaErrorLaunchFailure, [&] { lane_stays_away<<<1, 32>>>(out.data()); },
              {"__shfl_sync", "0xffffffff", line(mask_line + 3), line(mask_line + 5), "(3, 0, 0)"});
}

TEST_CASE("fault: a null pointer", "[fault]") {
  check_fault(cudaErrorIllegalAddress, [] { write_to<<<1, 32>>>(nullptr); },
              {"write_to", "test_faults.cu:", "null pointer", "block (0, 0, 0)"});
  check_sticky(cudaErrorIllegalAddress);
}

TEST_CASE("fault: a wild pointer", "[fault]") {
  int *const wild = reinterpret_cast<int *>(std::size_t{1} << 45);
  check_fault(cudaErrorIllegalAddress, [&] { write_to<<<1, 32>>>(wild); }, {"0x2000000000"});
  check_sticky(cudaErrorIllegalAddress);
}

TEST_CASE("fault: a failed assertion in a kernel", "[fault]") {
  check_fault(cudaErrorAssert, [] { failed_assertion<<<1, 32>>>(7); },
              {"test_faults.cu:", "< n", "(7, 0, 0)"});
  check_sticky(cudaErrorAssert);
}

TEST_CASE("fault: a trap", "[fault]") {
  check_fault(cudaErrorLaunchFailure, [] { trap<<<1, 32>>>(); }, {"(5, 0, 0)"});
  check_sticky(cudaErrorLaunchFailure);
}

TEST_CASE("fault: a recursion that does not end", "[fault]") {
  DeviceArray<int> out(1);
  check_fault(cudaErrorIllegalAddress, [&] { endless_recursion<<<1, 1>>>(out.data()); },
              {"stack overflow"});
  check_sticky(cudaErrorIllegalAddress);
}

TEST_CASE("fault: an index past a local array", "[fault]") {
  const std::string report =
      check_fault(cudaErrorIllegalAddress, [] { past_local_array<<<1, 32>>>(); },
                  {"past the end of the thread's stack"});
  CHECK(report.find("overflow") == report.npos);
  check_sticky(cudaErrorIllegalAddress);
}

TEST_CASE("fault: the other device goes on", "[fault]") {
  skip_unless_two_devices();
  const Stream stream;
  const Event event;
  REQUIRE(cudaEventRecord(event, stream) == cudaSuccess);
  check_fault(cudaErrorIllegalAddress, [] { write_to<<<1, 32>>>(nullptr); }, {});
  REQUIRE(cudaSetDevice(1) == cudaSuccess);
  static_cast<void>(cudaGetLastError()); // that of the first device
  DeviceArray<int> out(32);
  write_to<<<1, 32>>>(out.data());
  CHECK(out.host() == std::vector<int>(32, 1));
  CHECK(cudaStreamSynchronize(stream) == cudaErrorIllegalAddress); // these are of the first one
  CHECK(cudaEventSynchronize(event) == cudaErrorIllegalAddress);
}

static void check_tile(cudaError_t error, unsigned threads, int first, int step, unsigned stride,
                       const char *words) {
  const DeviceArray<__half> tile(2048, __half(0.0f));
  check_fault(error, [&] { load_tile<<<1, threads>>>(tile.data() + first, step, stride); },
              {words});
}
TEST_CASE("fault: a part of a warp loads a wmma tile", "[fault]") {
  check_tile(cudaErrorLaunchFailure, 31, 0, 0, 16, "without all 32 lanes");
}
TEST_CASE("fault: lanes load different wmma tiles", "[fault]") {
  check_tile(cudaErrorLaunchFailure, 32, 0, 16, 16, "different addresses");
}
TEST_CASE("fault: a wmma tile at an address that is not aligned", "[fault]") {
  check_tile(cudaErrorMisalignedAddress, 32, 8, 0, 16, "not a multiple of 32 bytes");
}
TEST_CASE("fault: a wmma tile whose stride is not aligned", "[fault]") {
  check_tile(cudaErrorMisalignedAddress, 32, 0, 0, 20, "not a multiple of 16 bytes");
}
