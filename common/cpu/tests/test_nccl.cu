// NCCL between the devices of one process.
#include "cuda_test.hpp"

#include <nccl.h>

#include <thread>

template <> struct Catch::StringMaker<ncclResult_t> {
  static std::string convert(ncclResult_t result) { return ncclGetErrorString(result); }
};

namespace {

int device_count() {
  int count = 0;
  REQUIRE(cudaGetDeviceCount(&count) == cudaSuccess);
  return count;
}

// A communicator and a stream for each device; afterwards device 0 is the current one.
class Communicators {
public:
  explicit Communicators(int count = device_count()) : comms(count), streams(count) {
    REQUIRE(ncclCommInitAll(comms.data(), count, nullptr) == ncclSuccess);
    for (int rank = 0; rank < count; ++rank) {
      REQUIRE(cudaSetDevice(rank) == cudaSuccess);
      REQUIRE(cudaStreamCreate(&streams[rank]) == cudaSuccess);
    }
    cudaSetDevice(0);
  }
  Communicators(const Communicators &) = delete;
  Communicators &operator=(const Communicators &) = delete;
  ~Communicators() {
    for (ncclComm_t comm : comms)
      ncclCommDestroy(comm);
    for (cudaStream_t stream : streams)
      cudaStreamDestroy(stream);
    cudaSetDevice(0);
  }

  int count() const { return int(comms.size()); }

  // Calls f(rank) for all ranks as a group, each on its device.
  template <class F> ncclResult_t group(const F &f) const {
    REQUIRE(ncclGroupStart() == ncclSuccess);
    for (int rank = 0; rank < count(); ++rank) {
      cudaSetDevice(rank);
      REQUIRE(f(rank) == ncclSuccess);
    }
    cudaSetDevice(0);
    return ncclGroupEnd();
  }

  std::vector<ncclComm_t> comms;
  std::vector<cudaStream_t> streams;
};

// An array on each device.
template <class T> class Arrays {
public:
  template <class F> Arrays(int count, const F &values_of) : data(count), sizes_(count) {
    for (int rank = 0; rank < count; ++rank) {
      const std::vector<T> values = values_of(rank);
      sizes_[rank] = values.size();
      cudaSetDevice(rank);
      REQUIRE(cudaMalloc(&data[rank], values.size() * sizeof(T)) == cudaSuccess);
      REQUIRE(cudaMemcpy(data[rank], values.data(), values.size() * sizeof(T),
                         cudaMemcpyHostToDevice) == cudaSuccess);
    }
    cudaSetDevice(0);
  }
  Arrays(const Arrays &) = delete;
  Arrays &operator=(const Arrays &) = delete;
  ~Arrays() {
    for (std::size_t rank = 0; rank < data.size(); ++rank) {
      cudaSetDevice(int(rank));
      cudaFree(data[rank]);
    }
    cudaSetDevice(0);
  }

  // The values when the stream has done its work.
  std::vector<T> host(int rank, cudaStream_t stream) const {
    std::vector<T> values(sizes_[rank]);
    cudaSetDevice(rank);
    REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
    REQUIRE(cudaMemcpy(values.data(), data[rank], values.size() * sizeof(T),
                       cudaMemcpyDeviceToHost) == cudaSuccess);
    cudaSetDevice(0);
    return values;
  }

  std::vector<T *> data;

private:
  std::vector<std::size_t> sizes_;
};

// n values of a rank, such that no two ranks have the same.
template <class T = float> auto values_of_ranks(int n) {
  return [n](int rank) {
    std::vector<T> values(n);
    for (int i = 0; i < n; ++i)
      values[i] = T(10 * rank + i % 7 + 1);
    return values;
  };
}

template <class T = float> auto zeros(int n) {
  return [n](int) { return std::vector<T>(n); };
}

__global__ void add_to(float *values, int n, float what) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    values[i] += what;
}

} // namespace

TEST_CASE("NCCL: version, errors, and a device twice") {
  int version = 0;
  REQUIRE(ncclGetVersion(&version) == ncclSuccess);
  CHECK(version == NCCL_VERSION_CODE);
  CHECK(ncclGetErrorString(ncclSuccess) == std::string("no error"));
  const std::vector<int> twice{0, 0};
  std::vector<ncclComm_t> comms(2);
  CHECK(ncclCommInitAll(comms.data(), 2, twice.data()) == ncclInvalidUsage);
}

TEST_CASE("NCCL: allReduce, each operation, out of place and in place") {
  const Communicators all;
  const int n = 1001;
  const struct {
    ncclRedOp_t op;
    float (*combine)(float, float);
  } operations[] = {{ncclSum, [](float a, float b) { return a + b; }},
                    {ncclProd, [](float a, float b) { return a * b; }},
                    {ncclMax, [](float a, float b) { return std::max(a, b); }},
                    {ncclMin, [](float a, float b) { return std::min(a, b); }}};
  for (const auto &[op, combine] : operations)
    for (bool in_place : {false, true}) {
      const Arrays<float> from(all.count(), values_of_ranks(n)), to(all.count(), zeros(n));
      const auto &target = in_place ? from : to;
      REQUIRE(all.group([&, op = op](int rank) {
        return ncclAllReduce(from.data[rank], target.data[rank], n, ncclFloat, op, all.comms[rank],
                             all.streams[rank]);
      }) == ncclSuccess);
      auto expected = values_of_ranks(n)(0);
      for (int rank = 1; rank < all.count(); ++rank)
        for (int i = 0; i < n; ++i)
          expected[i] = combine(expected[i], values_of_ranks(n)(rank)[i]);
      for (int rank = 0; rank < all.count(); ++rank)
        CHECK(target.host(rank, all.streams[rank]) == expected);
    }
}

TEST_CASE("NCCL: types") {
  const Communicators all;
  const auto sums = [&](auto zero, ncclDataType_t type) {
    using T = decltype(zero);
    const Arrays<T> values(all.count(), values_of_ranks<T>(5));
    REQUIRE(all.group([&](int rank) {
      return ncclAllReduce(values.data[rank], values.data[rank], 5, type, ncclSum, all.comms[rank],
                           all.streams[rank]);
    }) == ncclSuccess);
    std::vector<T> expected(5);
    for (int rank = 0; rank < all.count(); ++rank)
      for (int i = 0; i < 5; ++i)
        expected[i] = T(expected[i] + values_of_ranks<T>(5)(rank)[i]);
    CHECK(values.host(all.count() - 1, all.streams.back()) == expected);
  };
  sums(static_cast<signed char>(0), ncclInt8);
  sums(static_cast<unsigned char>(0), ncclUint8);
  sums(0, ncclInt);
  sums(0u, ncclUint32);
  sums(0ll, ncclInt64);
  sums(0ull, ncclUint64);
  sums(0.0, ncclDouble);
}

TEST_CASE("NCCL: reduce") {
  const Communicators all;
  const int n = 33, ranks = all.count(), root = ranks - 1;
  const Arrays<float> from(ranks, values_of_ranks(n)), to(ranks, zeros(n));
  REQUIRE(all.group([&](int rank) {
    return ncclReduce(from.data[rank], rank == root ? to.data[rank] : nullptr, n, ncclFloat,
                      ncclMax, root, all.comms[rank], all.streams[rank]);
  }) == ncclSuccess);
  for (int rank = 0; rank < ranks; ++rank)
    CHECK(to.host(rank, all.streams[rank]) ==
          (rank == root ? values_of_ranks(n)(root) : std::vector<float>(n)));
}

TEST_CASE("NCCL: a ring of sends and receives, after kernels and before them") {
  const Communicators all;
  const int n = 1000, ranks = all.count();
  const Arrays<float> from(ranks, values_of_ranks(n)), to(ranks, zeros(n));
  const auto kernels = [&](const Arrays<float> &which) {
    for (int rank = 0; rank < ranks; ++rank) {
      cudaSetDevice(rank);
      add_to<<<(n + 127) / 128, 128, 0, all.streams[rank]>>>(which.data[rank], n, 1);
    }
  };
  kernels(from);
  REQUIRE(all.group([&](int rank) {
    const ncclResult_t sent = ncclSend(from.data[rank], n, ncclFloat, (rank + 1) % ranks,
                                       all.comms[rank], all.streams[rank]);
    return sent != ncclSuccess ? sent
                               : ncclRecv(to.data[rank], n, ncclFloat, (rank + ranks - 1) % ranks,
                                          all.comms[rank], all.streams[rank]);
  }) == ncclSuccess);
  kernels(to);
  // The sender goes on at once; what it then writes, nobody gets.
  kernels(from);
  for (int rank = 0; rank < ranks; ++rank) {
    auto expected = values_of_ranks(n)((rank + ranks - 1) % ranks);
    for (float &value : expected)
      value += 2;
    CHECK(to.host(rank, all.streams[rank]) == expected);
  }
}

TEST_CASE("NCCL: a thread for each device") {
  const int ranks = device_count(), n = 100, rounds = 20;
  ncclUniqueId id;
  REQUIRE(ncclGetUniqueId(&id) == ncclSuccess);
  std::vector<int> right(ranks);
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; ++rank)
    threads.emplace_back([&, rank] { // Catch2's macros are for one thread
      ncclComm_t comm;
      float *values;
      std::vector<float> ones(n, 1);
      bool good = cudaSetDevice(rank) == cudaSuccess &&
                  ncclCommInitRank(&comm, ranks, id, rank) == ncclSuccess &&
                  cudaMalloc(&values, n * sizeof(float)) == cudaSuccess;
      good = good && cudaMemcpy(values, ones.data(), n * sizeof(float), cudaMemcpyHostToDevice) ==
                         cudaSuccess;
      for (int round = 0; good && round < rounds; ++round)
        good = ncclAllReduce(values, values, n, ncclFloat, ncclMin, comm, nullptr) == ncclSuccess &&
               ncclAllReduce(values, values, n, ncclFloat, ncclMax, comm, nullptr) == ncclSuccess &&
               cudaStreamSynchronize(nullptr) == cudaSuccess;
      std::vector<float> result(n);
      good = good && cudaMemcpy(result.data(), values, n * sizeof(float), cudaMemcpyDeviceToHost) ==
                         cudaSuccess;
      right[rank] = good && result == ones && cudaFree(values) == cudaSuccess &&
                    ncclCommDestroy(comm) == ncclSuccess;
    });
  for (std::thread &thread : threads)
    thread.join();
  CHECK(right == std::vector<int>(ranks, 1));
}

TEST_CASE("NCCL: ranks that join as a group") {
  const int ranks = device_count();
  ncclUniqueId id;
  std::vector<ncclComm_t> comms(ranks);
  REQUIRE(ncclGetUniqueId(&id) == ncclSuccess);
  REQUIRE(ncclGroupStart() == ncclSuccess);
  for (int rank = 0; rank < ranks; ++rank) {
    cudaSetDevice(rank);
    REQUIRE(ncclCommInitRank(&comms[rank], ranks, id, rank) == ncclSuccess);
  }
  REQUIRE(ncclGroupEnd() == ncclSuccess);
  for (int rank = 0; rank < ranks; ++rank) {
    CHECK(ncclCommDestroy(comms[rank]) == ncclSuccess);
  }
  cudaSetDevice(0);
}

TEST_CASE("NCCL: a graph for each device, launched again and again") {
  const Communicators all;
  const int n = 10, ranks = all.count();
  const Arrays<float> values(ranks, zeros(n));
  std::vector<cudaGraphExec_t> graphs(ranks);
  for (int rank = 0; rank < ranks; ++rank) {
    cudaSetDevice(rank);
    REQUIRE(cudaStreamBeginCapture(all.streams[rank], cudaStreamCaptureModeThreadLocal) ==
            cudaSuccess);
  }
  for (int rank = 0; rank < ranks; ++rank) {
    cudaSetDevice(rank);
    add_to<<<1, 32, 0, all.streams[rank]>>>(values.data[rank], n, float(rank + 1));
  }
  REQUIRE(all.group([&](int rank) {
    return ncclAllReduce(values.data[rank], values.data[rank], n, ncclFloat, ncclSum,
                         all.comms[rank], all.streams[rank]);
  }) == ncclSuccess);
  for (int rank = 0; rank < ranks; ++rank) {
    cudaSetDevice(rank);
    cudaGraph_t graph;
    REQUIRE(cudaStreamEndCapture(all.streams[rank], &graph) == cudaSuccess);
    REQUIRE(cudaGraphInstantiate(&graphs[rank], graph, 0) == cudaSuccess);
    REQUIRE(cudaGraphDestroy(graph) == cudaSuccess);
  }
  float expected = 0;
  for (int round = 0; round < 3; ++round) {
    expected = float(ranks) * expected + float(ranks * (ranks + 1)) / 2;
    for (int rank = 0; rank < ranks; ++rank) {
      cudaSetDevice(rank);
      REQUIRE(cudaGraphLaunch(graphs[rank], all.streams[rank]) == cudaSuccess);
    }
  }
  for (int rank = 0; rank < ranks; ++rank) {
    CHECK(values.host(rank, all.streams[rank]) == std::vector<float>(n, expected));
    cudaSetDevice(rank);
    CHECK(cudaGraphExecDestroy(graphs[rank]) == cudaSuccess);
  }
  cudaSetDevice(0);
}

TEST_CASE("NCCL: arguments that are wrong") {
  const Communicators all(1);
  const DeviceArray<float> values(4);
  const auto reduce = [&](int type, int op, int root, ncclComm_t comm) {
    return ncclReduce(values.data(), values.data(), 4, ncclDataType_t(type), ncclRedOp_t(op), root,
                      comm, all.streams[0]);
  };
  CHECK(reduce(ncclFloat, ncclSum, 0, all.comms[0]) == ncclSuccess);
  CHECK(reduce(77, ncclSum, 0, all.comms[0]) == ncclInvalidArgument);
  CHECK(reduce(ncclFloat, ncclSum, 1, all.comms[0]) == ncclInvalidArgument);
  CHECK(reduce(ncclFloat, ncclSum, -1, all.comms[0]) == ncclInvalidArgument);
  CHECK(reduce(ncclFloat, ncclSum, 0, nullptr) == ncclInvalidArgument);
  CHECK(ncclGroupEnd() == ncclInvalidUsage);
  ncclComm_t comm;
  CHECK(ncclCommInitRank(&comm, 1, ncclUniqueId{}, 1) == ncclInvalidArgument);
}
