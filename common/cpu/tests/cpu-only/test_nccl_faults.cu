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

  // Calls f(rank) for both as a group.
  template <class F> ncclResult_t group(const F &f) {
    REQUIRE(ncclGroupStart() == ncclSuccess);
    for (int rank = 0; rank < 2; ++rank)
      REQUIRE(f(rank) == ncclSuccess);
    return ncclGroupEnd();
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

TEST_CASE("NCCL: two threads, and everyone sends first", "[fault]") {
  Pair pair;
  StandardError said;
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
  Pair pair;
  REQUIRE(ncclSend(pair.data[0], 50, ncclFloat, 0, pair.comms[0], nullptr) == ncclSuccess);
  REQUIRE(ncclRecv(pair.data[0] + 50, 50, ncclFloat, 0, pair.comms[0], nullptr) == ncclSuccess);
  has(wait_for_both().text, "deadlock");
}

TEST_CASE("NCCL: more sends than receives", "[fault]") {
  Pair pair;
  REQUIRE(pair.group([&](int rank) { return rank == 0 ? pair.send(0) : pair.receive(1); }) ==
          ncclSuccess);
  REQUIRE(pair.send(0) == ncclSuccess);
  has(wait_for_both().text, "rank 0 waits in ncclSend to rank 1, 100 x ncclFloat, and rank 1 has "
                            "not called ncclRecv for it");
}

TEST_CASE("NCCL: a collective of one thread for two ranks, without a group", "[fault]") {
  Pair pair;
  REQUIRE(pair.sum(0, 100) == ncclSuccess);
  CHECK(pair.sum(1, 100) == ncclInvalidUsage);
  has(ncclGetLastError(nullptr), "ncclAllReduce: one thread calls it for ranks 0 and 1");
  has(wait_for_both().text, "rank 1 has not called ncclAllReduce");
}

TEST_CASE("NCCL: one thread has a group for each of two ranks", "[fault]") {
  Pair pair;
  const auto exchange = [&](int rank) {
    REQUIRE(ncclGroupStart() == ncclSuccess);
    REQUIRE(pair.send(rank) == ncclSuccess);
    REQUIRE(pair.receive(rank) == ncclSuccess);
    return ncclGroupEnd();
  };
  REQUIRE(exchange(0) == ncclSuccess);
  CHECK(exchange(1) == ncclInvalidUsage);
  has(ncclGetLastError(nullptr), "ncclSend: one thread calls it for ranks 0 and 1");
  wait_for_both();
}

TEST_CASE("NCCL: two threads have a group for each of two ranks") {
  Pair pair;
  for (int rank = 0; rank < 2; ++rank)
    std::thread([&] {
      REQUIRE(ncclGroupStart() == ncclSuccess);
      CHECK(ncclSend(pair.data[rank], 50, ncclFloat, 1 - rank, pair.comms[rank], nullptr) ==
            ncclSuccess);
      CHECK(ncclRecv(pair.data[rank] + 50, 50, ncclFloat, 1 - rank, pair.comms[rank], nullptr) ==
            ncclSuccess);
      CHECK(ncclGroupEnd() == ncclSuccess);
    }).join();
  CHECK(wait_for_both().errors[0] == cudaSuccess);
}

TEST_CASE("NCCL: a collective of two threads, one after the other") {
  Pair pair;
  for (int rank = 0; rank < 2; ++rank)
    std::thread([&] { CHECK(pair.sum(rank, 100) == ncclSuccess); }).join();
  CHECK(wait_for_both().errors[0] == cudaSuccess);
}

TEST_CASE("NCCL: a collective in a graph that nobody launches", "[fault]") {
  Pair pair;
  cudaGraph_t graph;
  cudaSetDevice(0);
  const Stream captured;
  REQUIRE(cudaStreamBeginCapture(captured, cudaStreamCaptureModeThreadLocal) == cudaSuccess);
  REQUIRE(pair.group([&](int rank) {
    return ncclAllReduce(pair.data[rank], pair.data[rank], 100, ncclFloat, ncclSum,
                         pair.comms[rank], rank == 0 ? cudaStream_t(captured) : nullptr);
  }) == ncclSuccess);
  REQUIRE(cudaStreamEndCapture(captured, &graph) == cudaSuccess);
  const Outcome outcome = wait_for_both();
  CHECK(outcome.errors[1] == cudaErrorLaunchTimeout);
  has(outcome.text, "rank 0 has not called ncclAllReduce");
  has(outcome.text, "A call in a graph is made when the graph is launched");
}

TEST_CASE("NCCL: a rank whose group is captured in part") {
  Pair pair;
  cudaGraph_t graph;
  cudaSetDevice(0);
  const Stream captured, other;
  REQUIRE(cudaStreamBeginCapture(captured, cudaStreamCaptureModeThreadLocal) == cudaSuccess);
  REQUIRE(ncclGroupStart() == ncclSuccess);
  REQUIRE(ncclSend(pair.data[0], 50, ncclFloat, 1, pair.comms[0], captured) == ncclSuccess);
  REQUIRE(ncclRecv(pair.data[0] + 50, 50, ncclFloat, 1, pair.comms[0], other) == ncclSuccess);
  CHECK(ncclGroupEnd() == ncclInvalidUsage);
  has(ncclGetLastError(nullptr), "captured by the same graph, or none of them is");
  CHECK(cudaStreamEndCapture(captured, &graph) == cudaSuccess);
}

TEST_CASE("NCCL: a group that does not end", "[fault]") {
  Pair pair;
  StandardError said;
  std::thread([&] {
    REQUIRE(ncclGroupStart() == ncclSuccess);
    pair.sum(0, 100);
    pair.sum(1, 100);
  }).join();
  has(said.text(), "without ncclGroupEnd: the calls since then were not executed");
}

TEST_CASE("NCCL: a communicator that has been destroyed") {
  Pair pair;
  REQUIRE(ncclCommDestroy(pair.comms[0]) == ncclSuccess);
  CHECK(pair.sum(0, 100) == ncclInvalidArgument);
  has(ncclGetLastError(nullptr), "it was destroyed, or never created");
  CHECK(ncclCommDestroy(pair.comms[0]) == ncclInvalidArgument);
}

TEST_CASE("NCCL: a root and a peer that there are not") {
  Pair pair;
  CHECK(ncclReduce(pair.data[0], pair.data[0], 100, ncclFloat, ncclSum, 2, pair.comms[0],
                   nullptr) == ncclInvalidArgument);
  has(ncclGetLastError(nullptr), "ncclReduce: there is no rank 2: there are ranks 0 to 1");
  CHECK(ncclSend(pair.data[0], 100, ncclFloat, -1, pair.comms[0], nullptr) == ncclInvalidArgument);
  has(ncclGetLastError(nullptr), "ncclSend: there is no rank -1");
}

TEST_CASE("NCCL: cudaSetDevice is missing where ranks join") {
  ncclUniqueId id;
  ncclComm_t comms[2];
  cudaSetDevice(0);
  REQUIRE(ncclGetUniqueId(&id) == ncclSuccess);
  REQUIRE(ncclGroupStart() == ncclSuccess);
  CHECK(ncclCommInitRank(&comms[0], 2, id, 0) == ncclSuccess);
  CHECK(ncclCommInitRank(&comms[1], 2, id, 1) == ncclInvalidUsage);
  CHECK(ncclGroupEnd() == ncclInvalidUsage);
  has(ncclGetLastError(nullptr), "ranks 0 and 1 both have device 0: call cudaSetDevice");
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

void check_unfit(const std::string &expected) {
  const Outcome outcome = wait_for_both();
  CHECK(outcome.errors[0] == cudaErrorLaunchFailure);
  CHECK(outcome.errors[1] == cudaErrorLaunchFailure);
  has(outcome.text, "calls that do not match");
  has(outcome.text, expected);
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
  REQUIRE(pair.group([&](int rank) { return pair.sum(rank, 100 - rank); }) == ncclSuccess);
  check_unfit("rank 0: ncclAllReduce, 100 x ncclFloat, ncclSum\n");
}

TEST_CASE("NCCL: another operation", "[fault]") {
  Pair pair;
  REQUIRE(pair.group([&](int rank) {
    return pair.sum(rank, 100, rank == 0 ? ncclSum : ncclMax);
  }) == ncclSuccess);
  check_unfit("rank 1: ncclAllReduce, 100 x ncclFloat, ncclMax\n");
}

TEST_CASE("NCCL: another collective", "[fault]") {
  Pair pair;
  REQUIRE(pair.group([&](int rank) {
    return rank == 0 ? pair.sum(rank, 100)
                     : ncclReduce(pair.data[1], pair.data[1], 100, ncclFloat, ncclSum, 1,
                                  pair.comms[1], nullptr);
  }) == ncclSuccess);
  check_unfit("rank 1: ncclReduce to rank 1, 100 x ncclFloat, ncclSum\n");
}

TEST_CASE("NCCL: another type", "[fault]") {
  Pair pair;
  REQUIRE(pair.send(0) == ncclSuccess);
  REQUIRE(ncclRecv(pair.data[1], 100, ncclInt, 0, pair.comms[1], nullptr) == ncclSuccess);
  check_unfit("rank 1: ncclRecv from rank 0, 100 x ncclInt32\n");
}

TEST_CASE("NCCL: a buffer in host memory", "[fault]") {
  Pair pair;
  const std::vector<float> host(Pair::n);
  check_buffer(pair, host.data(), Pair::n, "the send buffer is not device memory");
}

TEST_CASE("NCCL: bytes in place of elements", "[fault]") {
  Pair pair;
  check_buffer(pair, pair.data[0], Pair::n * sizeof(float),
               "the send buffer needs 1600 bytes; its array has 400");
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
  has(ncclGetLastError(nullptr), "the stream is not a stream of device 0");
}

namespace {

// The fault of both ranks, which make the call as a group.
template <class F> void check_overlap(const F &call, const std::string &expected) {
  Pair pair;
  REQUIRE(pair.group([&](int rank) { return call(pair.data[rank], rank, pair.comms[rank]); }) ==
          ncclSuccess);
  const Outcome outcome = wait_for_both();
  CHECK(outcome.errors[0] == cudaErrorIllegalAddress);
  has(outcome.text, expected);
}

} // namespace

TEST_CASE("NCCL: buffers that overlap", "[fault]") {
  check_overlap(
      [](float *data, int, ncclComm_t comm) {
        return ncclAllReduce(data, data + 10, 50, ncclFloat, ncclSum, comm, nullptr);
      },
      "the receive buffer overlaps the send buffer; in place the two are the same");
}

TEST_CASE("NCCL: what a group receives, it also sends", "[fault]") {
  check_overlap(
      [](float *data, int rank, ncclComm_t comm) {
        const ncclResult_t sent = ncclSend(data, 50, ncclFloat, 1 - rank, comm, nullptr);
        return sent != ncclSuccess ? sent
                                   : ncclRecv(data + 49, 50, ncclFloat, 1 - rank, comm, nullptr);
      },
      "ncclRecv from rank 1, 50 x ncclFloat: the receive buffer overlaps a buffer of ncclSend to "
      "rank 1");
}
