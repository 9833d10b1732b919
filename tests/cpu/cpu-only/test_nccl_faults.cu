// Faults of programs with NCCL that a GPU would answer with a hang, or not at all.
#include "cuda_test.hpp"

#include <nccl.h>

#include <thread>

namespace {

class Pair {
public:
  Pair() {
    REQUIRE(ncclCommInitAll(comms, 2, nullptr) == ncclSuccess);
    for (int rank = 0; rank < 2; ++rank) {
      cudaSetDevice(rank);
      REQUIRE(cudaMalloc(&data[rank], n * sizeof(float)) == cudaSuccess);
      REQUIRE(cudaMemset(data[rank], 0, n * sizeof(float)) == cudaSuccess);
    }
  }
  // The device has its fault now: nothing is freed.

  ncclResult_t send(int rank) {
    return ncclSend(data[rank], n, ncclFloat, 1 - rank, comms[rank], nullptr);
  }
  ncclResult_t receive(int rank) {
    return ncclRecv(data[rank], n, ncclFloat, 1 - rank, comms[rank], nullptr);
  }
  ncclResult_t sum(int rank, std::size_t count, ncclRedOp_t op = ncclSum) {
    return ncclAllReduce(data[rank], data[rank], count, ncclFloat, op, comms[rank], nullptr);
  }

  static constexpr std::size_t n = 100;
  ncclComm_t comms[2];
  float *data[2];
};

struct Outcome {
  cudaError_t errors[2]; // of the devices, when the host waits for each in turn
  std::string text;
};

Outcome wait_for_both() {
  Outcome outcome;
  StandardError said;
  for (int rank = 0; rank < 2; ++rank) {
    cudaSetDevice(rank);
    outcome.errors[rank] = cudaDeviceSynchronize();
  }
  outcome.text = said.text();
  return outcome;
}

bool has(const std::string &text, const std::string &part) {
  INFO(text);
  CHECK(text.find(part) != text.npos);
  return text.find(part) != text.npos;
}

} // namespace

TEST_CASE("NCCL: everyone sends first, without a group", "[fault]") {
  Pair pair;
  for (int rank = 0; rank < 2; ++rank) {
    REQUIRE(pair.send(rank) == ncclSuccess);
    REQUIRE(pair.receive(rank) == ncclSuccess);
  }
  const Outcome outcome = wait_for_both();
  CHECK(outcome.errors[0] != cudaSuccess);
  CHECK(outcome.errors[1] == cudaErrorLaunchTimeout);
  has(outcome.text, "deadlock");
  has(outcome.text, "rank 0: ncclSend to rank 1, 100 x ncclFloat\n");
  has(outcome.text, "rank 1: ncclSend to rank 0, 100 x ncclFloat\n");
  has(outcome.text, "ncclGroupStart");
  ncclResult_t error = ncclSuccess;
  CHECK(ncclCommGetAsyncError(pair.comms[1], &error) == ncclSuccess);
  CHECK(error != ncclSuccess);
}

TEST_CASE("NCCL: one sends first, the other receives first") {
  Pair pair;
  REQUIRE(pair.send(0) == ncclSuccess);
  REQUIRE(pair.receive(0) == ncclSuccess);
  REQUIRE(pair.receive(1) == ncclSuccess);
  REQUIRE(pair.send(1) == ncclSuccess);
  const Outcome outcome = wait_for_both();
  CHECK(outcome.errors[0] == cudaSuccess);
  CHECK(outcome.errors[1] == cudaSuccess);
  CHECK(outcome.text.empty());
}

TEST_CASE("NCCL: a collective that one rank leaves out", "[fault]") {
  Pair pair;
  REQUIRE(pair.sum(0, 100) == ncclSuccess);
  const Outcome outcome = wait_for_both();
  CHECK(outcome.errors[0] == cudaErrorLaunchTimeout);
  has(outcome.text, "rank 0 waits in ncclAllReduce, 100 x ncclFloat, ncclSum, and rank 1 has not "
                    "called ncclAllReduce");
}

TEST_CASE("NCCL: two threads, of which one leaves out a collective", "[fault]") {
  Pair pair;
  StandardError said;
  cudaError_t errors[2];
  std::thread other([&] {
    cudaSetDevice(1);
    pair.sum(1, 100);
    errors[1] = cudaDeviceSynchronize(); // rank 1 has done its part, and ends
  });
  cudaSetDevice(0);
  pair.sum(0, 100);
  pair.sum(0, 100);
  errors[0] = cudaDeviceSynchronize();
  other.join();
  CHECK(errors[0] == cudaErrorLaunchTimeout);
  CHECK(errors[1] == cudaSuccess);
  has(said.text(), "rank 1 has not called ncclAllReduce");
}

namespace {

void check_unfit(Pair &pair, const std::string &expected) {
  const Outcome outcome = wait_for_both();
  CHECK(outcome.errors[0] == cudaErrorLaunchFailure);
  CHECK(outcome.errors[1] == cudaErrorLaunchFailure);
  has(outcome.text, "calls that do not fit");
  has(outcome.text, expected);
  ncclResult_t error = ncclSuccess;
  CHECK(ncclCommGetAsyncError(pair.comms[0], &error) == ncclSuccess);
  CHECK(error == ncclInvalidUsage);
}

void check_buffer(Pair &pair, const float *buffer, std::size_t count, const std::string &expected) {
  REQUIRE(ncclSend(buffer, count, ncclFloat, 1, pair.comms[0], nullptr) == ncclSuccess);
  REQUIRE(pair.receive(1) == ncclSuccess);
  const Outcome outcome = wait_for_both();
  CHECK(outcome.errors[0] == cudaErrorIllegalAddress);
  CHECK(outcome.errors[1] == cudaErrorLaunchFailure);
  has(outcome.text, expected);
}

} // namespace

TEST_CASE("NCCL: another count", "[fault]") {
  Pair pair;
  REQUIRE(pair.sum(0, 100) == ncclSuccess);
  REQUIRE(pair.sum(1, 99) == ncclSuccess);
  check_unfit(pair, "rank 0: ncclAllReduce, 100 x ncclFloat, ncclSum\n");
}

TEST_CASE("NCCL: another operation", "[fault]") {
  Pair pair;
  REQUIRE(pair.sum(0, 100) == ncclSuccess);
  REQUIRE(pair.sum(1, 100, ncclMax) == ncclSuccess);
  check_unfit(pair, "rank 1: ncclAllReduce, 100 x ncclFloat, ncclMax\n");
}

TEST_CASE("NCCL: another collective", "[fault]") {
  Pair pair;
  REQUIRE(pair.sum(0, 100) == ncclSuccess);
  REQUIRE(ncclBroadcast(pair.data[1], pair.data[1], 100, ncclFloat, 1, pair.comms[1], nullptr) ==
          ncclSuccess);
  check_unfit(pair, "rank 1: ncclBroadcast from rank 1, 100 x ncclFloat\n");
}

TEST_CASE("NCCL: another type", "[fault]") {
  Pair pair;
  REQUIRE(pair.send(0) == ncclSuccess);
  REQUIRE(ncclRecv(pair.data[1], 100, ncclInt, 0, pair.comms[1], nullptr) == ncclSuccess);
  check_unfit(pair, "rank 1: ncclRecv from rank 0, 100 x ncclInt32\n");
}

TEST_CASE("NCCL: a buffer in host memory", "[fault]") {
  Pair pair;
  const std::vector<float> host(Pair::n);
  check_buffer(pair, host.data(), Pair::n, "the send buffer is no device memory");
}

TEST_CASE("NCCL: bytes in place of elements", "[fault]") {
  Pair pair;
  check_buffer(pair, pair.data[0], Pair::n * sizeof(float),
               "the send buffer takes 1600 bytes; its array has 400");
}

TEST_CASE("NCCL: a buffer of another device", "[fault]") {
  Pair pair;
  check_buffer(pair, pair.data[1], Pair::n,
               "the send buffer is memory of device 1; the communicator has device 0");
}

TEST_CASE("NCCL: a stream of another device") {
  Pair pair;
  cudaSetDevice(1);
  const Stream stream;
  CHECK(ncclAllReduce(pair.data[0], pair.data[0], 100, ncclFloat, ncclSum, pair.comms[0], stream) ==
        ncclUnhandledCudaError);
  has(ncclGetLastError(nullptr), "the stream is none of device 0");
}
