// NCCL between the devices of one process.
#include "cuda_test.hpp"

#include <nccl.h>

#include <thread>

template <> struct Catch::StringMaker<ncclResult_t> {
  static std::string convert(ncclResult_t result) { return ncclGetErrorString(result); }
};

namespace {

// A communicator, a stream, an input of n elements and an output of zeros for each device.
// Afterwards device 0 is the current one.
template <class T = float> class Ranks {
public:
  explicit Ranks(int n) : n(n), comms(count), streams(count), from(count), to(count) {
    REQUIRE(ncclCommInitAll(comms.data(), count, nullptr) == ncclSuccess);
    for_each([&](int rank) {
      const std::vector<T> values = input(rank);
      REQUIRE(cudaStreamCreate(&streams[rank]) == cudaSuccess);
      REQUIRE(cudaMalloc(&from[rank], n * sizeof(T)) == cudaSuccess);
      REQUIRE(cudaMalloc(&to[rank], n * sizeof(T)) == cudaSuccess);
      REQUIRE(cudaMemcpy(from[rank], values.data(), n * sizeof(T), cudaMemcpyHostToDevice) ==
              cudaSuccess);
      REQUIRE(cudaMemset(to[rank], 0, n * sizeof(T)) == cudaSuccess);
    });
  }
  Ranks(const Ranks &) = delete;
  Ranks &operator=(const Ranks &) = delete;
  ~Ranks() {
    for_each([&](int rank) {
      ncclCommDestroy(comms[rank]);
      cudaStreamDestroy(streams[rank]);
      cudaFree(from[rank]);
      cudaFree(to[rank]);
    });
  }

  // No two ranks have the same values.
  std::vector<T> input(int rank) const {
    std::vector<T> values(n);
    for (int i = 0; i < n; ++i)
      values[i] = T(10 * rank + i % 7 + 1);
    return values;
  }

  std::vector<T> sums() const {
    std::vector<T> values(n);
    for (int rank = 0; rank < count; ++rank)
      for (int i = 0; i < n; ++i)
        values[i] += input(rank)[i];
    return values;
  }

  // Calls f(rank) for all ranks, each on its device.
  template <class F> void for_each(const F &f) const {
    for (int rank = 0; rank < count; ++rank) {
      cudaSetDevice(rank);
      f(rank);
    }
    cudaSetDevice(0);
  }
  template <class F> void group(const F &f) const {
    REQUIRE(ncclGroupStart() == ncclSuccess);
    for_each([&](int rank) { REQUIRE(f(rank) == ncclSuccess); });
    REQUIRE(ncclGroupEnd() == ncclSuccess);
  }

  // The values when the stream has done its work.
  std::vector<T> host(int rank, const T *device) const {
    std::vector<T> values(n);
    REQUIRE(cudaStreamSynchronize(streams[rank]) == cudaSuccess);
    REQUIRE(cudaMemcpy(values.data(), device, n * sizeof(T), cudaMemcpyDeviceToHost) ==
            cudaSuccess);
    return values;
  }

  const int n, count = device_count();
  std::vector<ncclComm_t> comms;
  std::vector<cudaStream_t> streams;
  std::vector<T *> from, to;
};

template <class T> void check_sums(ncclDataType_t type) {
  const Ranks<T> ranks(1001);
  const auto sum = [&](const std::vector<T *> &to) {
    ranks.group([&](int rank) {
      return ncclAllReduce(ranks.from[rank], to[rank], ranks.n, type, ncclSum, ranks.comms[rank],
                           ranks.streams[rank]);
    });
    ranks.for_each([&](int rank) { CHECK(ranks.host(rank, to[rank]) == ranks.sums()); });
  };
  sum(ranks.to);
  sum(ranks.from); // in place
}

__global__ void add_to(float *values, int n, float what) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    values[i] += what;
}

} // namespace

TEST_CASE("NCCL: sums for all ranks, out of place and in place") {
  check_sums<float>(ncclFloat);
  check_sums<double>(ncclDouble);
}

TEST_CASE("NCCL: a sum for one rank") {
  const Ranks<> ranks(33);
  const int root = ranks.count - 1;
  ranks.group([&](int rank) {
    return ncclReduce(ranks.from[rank], rank == root ? ranks.to[rank] : nullptr, ranks.n, ncclFloat,
                      ncclSum, root, ranks.comms[rank], ranks.streams[rank]);
  });
  ranks.for_each([&](int rank) {
    CHECK(ranks.host(rank, ranks.to[rank]) ==
          (rank == root ? ranks.sums() : std::vector<float>(ranks.n)));
  });
}

TEST_CASE("NCCL: a ring of sends and receives, after kernels and before them") {
  const Ranks<> ranks(1000);
  const int n = ranks.n, count = ranks.count;
  const auto add_one = [&](const std::vector<float *> &values) {
    ranks.for_each([&](int rank) {
      add_to<<<(n + 127) / 128, 128, 0, ranks.streams[rank]>>>(values[rank], n, 1);
    });
  };
  add_one(ranks.from);
  ranks.group([&](int rank) {
    const ncclResult_t sent = ncclSend(ranks.from[rank], n, ncclFloat, (rank + 1) % count,
                                       ranks.comms[rank], ranks.streams[rank]);
    return sent != ncclSuccess ? sent
                               : ncclRecv(ranks.to[rank], n, ncclFloat, (rank + count - 1) % count,
                                          ranks.comms[rank], ranks.streams[rank]);
  });
  add_one(ranks.to);
  // The sender goes on at once; what it then writes, nobody gets.
  add_one(ranks.from);
  ranks.for_each([&](int rank) {
    auto expected = ranks.input((rank + count - 1) % count);
    for (float &value : expected)
      value += 2;
    CHECK(ranks.host(rank, ranks.to[rank]) == expected);
  });
}

TEST_CASE("NCCL: a thread for each device") {
  const int ranks = device_count(), n = 100, rounds = 20;
  ncclUniqueId id;
  REQUIRE(ncclGetUniqueId(&id) == ncclSuccess);
  std::vector<float> sums(ranks);
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; ++rank)
    threads.emplace_back([&, rank] { // Catch2's macros are for one thread
      ncclComm_t comm;
      float *values;
      const std::vector<float> ones(n, 1);
      bool good = cudaSetDevice(rank) == cudaSuccess &&
                  ncclCommInitRank(&comm, ranks, id, rank) == ncclSuccess &&
                  cudaMalloc(&values, n * sizeof(float)) == cudaSuccess;
      for (int round = 0; good && round < rounds; ++round)
        good = cudaMemcpy(values, ones.data(), n * sizeof(float), cudaMemcpyHostToDevice) ==
                   cudaSuccess &&
               ncclAllReduce(values, values, n, ncclFloat, ncclSum, comm, nullptr) == ncclSuccess &&
               ncclAllReduce(values, values, n, ncclFloat, ncclSum, comm, nullptr) == ncclSuccess &&
               cudaStreamSynchronize(nullptr) == cudaSuccess;
      if (good)
        cudaMemcpy(&sums[rank], values + n - 1, sizeof(float), cudaMemcpyDeviceToHost);
      cudaFree(values);
      ncclCommDestroy(comm);
    });
  for (std::thread &thread : threads)
    thread.join();
  CHECK(sums == std::vector<float>(ranks, float(ranks * ranks)));
}

TEST_CASE("NCCL: a graph for each device, launched again and again") {
  const Ranks<> ranks(10);
  const int n = ranks.n, count = ranks.count;
  std::vector<cudaGraphExec_t> graphs(count);
  ranks.for_each([&](int rank) {
    REQUIRE(cudaStreamBeginCapture(ranks.streams[rank], cudaStreamCaptureModeThreadLocal) ==
            cudaSuccess);
    add_to<<<1, 32, 0, ranks.streams[rank]>>>(ranks.to[rank], n, float(rank + 1));
  });
  ranks.group([&](int rank) {
    return ncclAllReduce(ranks.to[rank], ranks.to[rank], n, ncclFloat, ncclSum, ranks.comms[rank],
                         ranks.streams[rank]);
  });
  ranks.for_each([&](int rank) {
    cudaGraph_t graph;
    REQUIRE(cudaStreamEndCapture(ranks.streams[rank], &graph) == cudaSuccess);
    REQUIRE(cudaGraphInstantiate(&graphs[rank], graph, 0) == cudaSuccess);
    REQUIRE(cudaGraphDestroy(graph) == cudaSuccess);
  });
  float expected = 0;
  for (int round = 0; round < 3; ++round) {
    expected = float(count) * expected + float(count * (count + 1)) / 2;
    ranks.for_each([&](int rank) {
      REQUIRE(cudaGraphLaunch(graphs[rank], ranks.streams[rank]) == cudaSuccess);
    });
  }
  ranks.for_each([&](int rank) {
    CHECK(ranks.host(rank, ranks.to[rank]) == std::vector<float>(n, expected));
    CHECK(cudaGraphExecDestroy(graphs[rank]) == cudaSuccess);
  });
}

TEST_CASE("NCCL: arguments that are wrong") {
  const Ranks<> ranks(4);
  const auto reduce = [&](int type, int root, ncclComm_t comm) {
    return ncclReduce(ranks.from[0], ranks.to[0], 4, ncclDataType_t(type), ncclSum, root, comm,
                      ranks.streams[0]);
  };
  CHECK(reduce(77, 0, ranks.comms[0]) == ncclInvalidArgument);
  CHECK(reduce(ncclFloat, ranks.count, ranks.comms[0]) == ncclInvalidArgument);
  CHECK(reduce(ncclFloat, -1, ranks.comms[0]) == ncclInvalidArgument);
  CHECK(reduce(ncclFloat, 0, nullptr) == ncclInvalidArgument);
  CHECK(ncclGroupEnd() == ncclInvalidUsage);
  ncclComm_t comms[2];
  CHECK(ncclCommInitRank(comms, 1, ncclUniqueId{}, 1) == ncclInvalidArgument);
  const int twice[] = {0, 0};
  CHECK(ncclCommInitAll(comms, 2, twice) == ncclInvalidUsage);
}
