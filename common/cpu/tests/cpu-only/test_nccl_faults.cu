// Faults of programs with NCCL that a GPU would answer with a hang, or not at all.
#include "cuda_test.hpp"

#include <nccl.h>

#include <functional>
#include <thread>

namespace {

constexpr std::size_t n = 100;

// Two ranks of this process, with an array each. A fault ends their devices: nothing is freed.
struct Pair {
  Pair() {
    REQUIRE(ncclCommInitAll(comms, 2, nullptr) == ncclSuccess);
    for (int rank = 0; rank < 2; ++rank) {
      cudaSetDevice(rank);
      REQUIRE(cudaMalloc(&data[rank], n * sizeof(float)) == cudaSuccess);
      REQUIRE(cudaMemset(data[rank], 0, n * sizeof(float)) == cudaSuccess);
    }
  }

  ncclResult_t send(int rank, const float *from, std::size_t count = n) const {
    return ncclSend(from, count, ncclFloat, 1 - rank, comms[rank], nullptr);
  }
  ncclResult_t send(int rank) const { return send(rank, data[rank]); }
  ncclResult_t receive(int rank, float *to, std::size_t count = n) const {
    return ncclRecv(to, count, ncclFloat, 1 - rank, comms[rank], nullptr);
  }
  ncclResult_t receive(int rank) const { return receive(rank, data[rank]); }
  ncclResult_t sum(int rank, std::size_t count = n) const {
    return ncclAllReduce(data[rank], data[rank], count, ncclFloat, ncclSum, comms[rank], nullptr);
  }

  ncclComm_t comms[2];
  float *data[2];
};

// The errors of the devices, when the host waits for each in turn, and what is printed.
struct Outcome {
  Outcome() {
    const StandardError said;
    for (int rank = 0; rank < 2; ++rank) {
      cudaSetDevice(rank);
      errors[rank] = cudaDeviceSynchronize();
    }
    text = said.text();
  }
  cudaError_t errors[2];
  std::string text;
};

void has(const std::string &text, const std::string &part) {
  INFO(text);
  CHECK(text.find(part) != text.npos);
}

// Both ranks make calls in a group. The error of device 0, and a part of what is printed.
void check_group(cudaError_t error, const std::string &expected,
                 const std::function<void(const Pair &, int)> &calls) {
  const Pair pair;
  REQUIRE(ncclGroupStart() == ncclSuccess);
  for (int rank = 0; rank < 2; ++rank)
    calls(pair, rank);
  REQUIRE(ncclGroupEnd() == ncclSuccess);
  const Outcome outcome;
  CHECK(outcome.errors[0] == error);
  CHECK(outcome.errors[1] != cudaSuccess);
  has(outcome.text, expected);
}

} // namespace

// ---- deadlocks ----

TEST_CASE("NCCL: one sends first, the other receives first") {
  const Pair pair;
  REQUIRE(pair.send(0) == ncclSuccess);
  REQUIRE(pair.receive(0) == ncclSuccess);
  REQUIRE(pair.receive(1) == ncclSuccess);
  REQUIRE(pair.send(1) == ncclSuccess);
  const Outcome outcome;
  CHECK(outcome.errors[0] == cudaSuccess);
  CHECK(outcome.errors[1] == cudaSuccess);
  CHECK(outcome.text.empty());
}

TEST_CASE("NCCL: two threads, and everyone sends first", "[fault]") {
  const Pair pair;
  const StandardError said;
  std::vector<std::thread> threads;
  for (int rank = 0; rank < 2; ++rank)
    threads.emplace_back([&, rank] {
      cudaSetDevice(rank);
      pair.send(rank);
      pair.receive(rank);
      cudaDeviceSynchronize();
    });
  for (std::thread &thread : threads)
    thread.join();
  has(said.text(), "rank 0: ncclSend to rank 1, 100 x ncclFloat\n");
  has(said.text(), "rank 1: ncclSend to rank 0, 100 x ncclFloat\n");
}

TEST_CASE("NCCL: a rank sends to itself, without a group", "[fault]") {
  const Pair pair;
  REQUIRE(ncclSend(pair.data[0], 50, ncclFloat, 0, pair.comms[0], nullptr) == ncclSuccess);
  REQUIRE(ncclRecv(pair.data[0] + 50, 50, ncclFloat, 0, pair.comms[0], nullptr) == ncclSuccess);
  has(Outcome().text, "deadlock");
}

TEST_CASE("NCCL: a send without a receive", "[fault]") {
  const Pair pair;
  REQUIRE(pair.send(0) == ncclSuccess);
  has(Outcome().text, "rank 0 waits in ncclSend to rank 1, 100 x ncclFloat, and rank 1 has not "
                      "called ncclRecv for it");
}

TEST_CASE("NCCL: a collective of one thread for two ranks, without a group", "[fault]") {
  const Pair pair;
  REQUIRE(pair.sum(0) == ncclSuccess);
  CHECK(pair.sum(1) == ncclInvalidUsage);
  has(ncclGetLastError(nullptr), "ncclAllReduce: one thread calls it for ranks 0 and 1");
  const Outcome outcome;
  CHECK(outcome.errors[0] == cudaErrorLaunchTimeout);
  has(outcome.text, "rank 0 waits in ncclAllReduce, 100 x ncclFloat, and rank 1 has not called "
                    "ncclAllReduce");
}

TEST_CASE("NCCL: two threads, each with its group and its collective") {
  const Pair pair;
  for (int rank = 0; rank < 2; ++rank)
    std::thread([&] { // one after the other
      CHECK(ncclGroupStart() == ncclSuccess);
      CHECK(pair.send(rank, pair.data[rank], 50) == ncclSuccess);
      CHECK(pair.receive(rank, pair.data[rank] + 50, 50) == ncclSuccess);
      CHECK(ncclGroupEnd() == ncclSuccess);
      CHECK(pair.sum(rank) == ncclSuccess);
    })
        .join();
  CHECK(Outcome().errors[0] == cudaSuccess);
}

TEST_CASE("NCCL: two threads, of which one leaves out a collective", "[fault]") {
  const Pair pair;
  const StandardError said;
  cudaError_t errors[2];
  std::thread other([&] {
    cudaSetDevice(1);
    pair.sum(1);
    errors[1] = cudaDeviceSynchronize(); // rank 1 has done its part, and ends
  });
  cudaSetDevice(0);
  pair.sum(0);
  pair.sum(0);
  errors[0] = cudaDeviceSynchronize();
  other.join();
  CHECK(errors[0] == cudaErrorLaunchTimeout);
  CHECK(errors[1] == cudaSuccess);
  has(said.text(), "rank 1 has not called ncclAllReduce");
}

// ---- calls that fail ----

TEST_CASE("NCCL: a group that does not end", "[fault]") {
  const Pair pair;
  const StandardError said;
  std::thread([&] {
    ncclGroupStart();
    pair.sum(0);
    pair.sum(1);
  }).join();
  has(said.text(), "without ncclGroupEnd: the calls since then were not executed");
}

TEST_CASE("NCCL: no such communicator, rank or stream") {
  const Pair pair;
  CHECK(ncclReduce(pair.data[0], pair.data[0], n, ncclFloat, ncclSum, 2, pair.comms[0], nullptr) ==
        ncclInvalidArgument);
  has(ncclGetLastError(nullptr), "ncclReduce: there is no rank 2: there are ranks 0 to 1");
  const Stream of_device_1;
  CHECK(ncclSend(pair.data[0], n, ncclFloat, 1, pair.comms[0], of_device_1) ==
        ncclUnhandledCudaError);
  has(ncclGetLastError(nullptr), "the stream is not a stream of device 0");
  REQUIRE(ncclCommDestroy(pair.comms[0]) == ncclSuccess);
  CHECK(pair.sum(0) == ncclInvalidArgument);
  has(ncclGetLastError(nullptr), "it was destroyed, or never created");
  CHECK(ncclCommDestroy(pair.comms[0]) == ncclInvalidArgument);
}

TEST_CASE("NCCL: cudaSetDevice is missing where ranks join") {
  cudaSetDevice(0);
  ncclUniqueId id;
  ncclComm_t comms[2];
  REQUIRE(ncclGetUniqueId(&id) == ncclSuccess);
  REQUIRE(ncclGroupStart() == ncclSuccess);
  CHECK(ncclCommInitRank(&comms[0], 2, id, 0) == ncclSuccess);
  CHECK(ncclCommInitRank(&comms[1], 2, id, 1) == ncclInvalidUsage);
  CHECK(ncclGroupEnd() == ncclInvalidUsage);
  has(ncclGetLastError(nullptr), "ranks 0 and 1 both have device 0: call cudaSetDevice");
}

// ---- calls that do not match, and wrong buffers ----

TEST_CASE("NCCL: another count", "[fault]") {
  check_group(cudaErrorLaunchFailure,
              "calls that do not match\n  rank 0: ncclAllReduce, 100 x ncclFloat\n",
              [](const Pair &pair, int rank) { pair.sum(rank, n - rank); });
}

TEST_CASE("NCCL: another collective", "[fault]") {
  check_group(cudaErrorLaunchFailure, "rank 1: ncclReduce to rank 1, 100 x ncclFloat\n",
              [](const Pair &pair, int rank) {
                if (rank == 0)
                  pair.sum(rank);
                else
                  ncclReduce(pair.data[1], pair.data[1], n, ncclFloat, ncclSum, 1, pair.comms[1],
                             nullptr);
              });
}

TEST_CASE("NCCL: another type", "[fault]") {
  check_group(cudaErrorLaunchFailure, "rank 1: ncclRecv from rank 0, 50 x ncclDouble\n",
              [](const Pair &pair, int rank) {
                if (rank == 0)
                  pair.send(0);
                else
                  ncclRecv(pair.data[1], 50, ncclDouble, 0, pair.comms[1], nullptr);
              });
}

TEST_CASE("NCCL: a buffer in host memory", "[fault]") {
  const std::vector<float> host(n);
  check_group(
      cudaErrorIllegalAddress, "the send buffer is not device memory",
      [&](const Pair &pair, int rank) { rank == 0 ? pair.send(0, host.data()) : pair.receive(1); });
}

TEST_CASE("NCCL: bytes in place of elements", "[fault]") {
  check_group(cudaErrorIllegalAddress, "the send buffer needs 1600 bytes; its array has 400",
              [](const Pair &pair, int rank) {
                rank == 0 ? pair.send(0, pair.data[0], n * sizeof(float)) : pair.receive(1);
              });
}

TEST_CASE("NCCL: a buffer of another device", "[fault]") {
  check_group(
      cudaErrorIllegalAddress,
      "the send buffer is memory of device 1; the communicator has device 0",
      [](const Pair &pair, int rank) { rank == 0 ? pair.send(0, pair.data[1]) : pair.receive(1); });
}

TEST_CASE("NCCL: buffers that overlap", "[fault]") {
  check_group(cudaErrorIllegalAddress,
              "the receive buffer overlaps the send buffer; in place the two are the same",
              [](const Pair &pair, int rank) {
                ncclAllReduce(pair.data[rank], pair.data[rank] + 10, 50, ncclFloat, ncclSum,
                              pair.comms[rank], nullptr);
              });
}

TEST_CASE("NCCL: what a group receives, it also sends", "[fault]") {
  check_group(cudaErrorIllegalAddress,
              "ncclRecv from rank 1, 50 x ncclFloat: the receive buffer overlaps a buffer of "
              "ncclSend to rank 1",
              [](const Pair &pair, int rank) {
                pair.send(rank, pair.data[rank], 50);
                pair.receive(rank, pair.data[rank] + 49, 50);
              });
}
