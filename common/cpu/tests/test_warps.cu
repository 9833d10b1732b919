// Warps: shuffles, votes, matches and reductions of 32 lanes.
#include "cuda_test.hpp"

namespace {

constexpr unsigned all_lanes = 0xffffffffu;

struct Shuffled {
  int from, up, down, with;
};

__global__ void shuffles(Shuffled *out, int width) {
  const int value = 100 + threadIdx.x;
  Shuffled &mine = out[threadIdx.x];
  mine.from = __shfl_sync(all_lanes, value, 5, width);
  mine.up = __shfl_up_sync(all_lanes, value, 3, width);
  mine.down = __shfl_down_sync(all_lanes, value, 3, width);
  mine.with = __shfl_xor_sync(all_lanes, value, 3, width);
}

template <class T> __global__ void warp_sums(const T *values, T *sums) {
  T sum = values[blockIdx.x * blockDim.x + threadIdx.x];
  for (int offset = 16; offset > 0; offset /= 2)
    sum += __shfl_down_sync(all_lanes, sum, offset);
  if (threadIdx.x % 32 == 0)
    sums[(blockIdx.x * blockDim.x + threadIdx.x) / 32] = sum;
}

struct Votes {
  unsigned ballot, all, any;
};

__global__ void votes(const int *predicates, Votes *out) {
  const int predicate = predicates[threadIdx.x];
  out[threadIdx.x] = {__ballot_sync(all_lanes, predicate),
                      static_cast<unsigned>(__all_sync(all_lanes, predicate) != 0),
                      static_cast<unsigned>(__any_sync(all_lanes, predicate) != 0)};
}

// The two halves of each warp exchange at different places, each with its own mask.
__global__ void halves(int *out) {
  const int lane = threadIdx.x % 32;
  int value = threadIdx.x;
  if (lane < 16) {
    for (int offset = 8; offset > 0; offset /= 2)
      value += __shfl_xor_sync(0x0000ffffu, value, offset);
  } else {
    for (int offset = 1; offset < 16; offset *= 2)
      value = max(value, __shfl_xor_sync(0xffff0000u, value, offset));
  }
  out[threadIdx.x] = value;
}

// Lanes 0 to 23 exchange at one place and lanes 8 to 31 at the next: the masks overlap.
__global__ void overlapping(int *first, int *second) {
  const int lane = threadIdx.x;
  if (lane < 24)
    first[lane] = __shfl_sync(0x00ffffffu, lane, (lane + 1) % 24);
  if (lane >= 8)
    second[lane] = __shfl_sync(0xffffff00u, lane, lane == 31 ? 8 : lane + 1);
}

__global__ void interleaved(int *out) {
  const int lane = threadIdx.x;
  const unsigned mask = lane % 2 == 0 ? 0x55555555u : 0xaaaaaaaau;
  int value = lane;
  for (int offset = 2; offset < 32; offset *= 2)
    value += __shfl_xor_sync(mask, value, offset);
  out[lane] = value;
}

__global__ void partial_warp(unsigned *ballots, int *down) {
  ballots[threadIdx.x] = __ballot_sync(all_lanes, 1);
  const unsigned mask = threadIdx.x < 32 ? all_lanes : 0xffu;
  int sum = 1;
  for (int offset = 4; offset > 0; offset /= 2)
    sum += __shfl_down_sync(mask, sum, offset, 8);
  down[threadIdx.x] = sum;
}

__global__ void returned_lanes(unsigned *ballots) {
  if (threadIdx.x >= 20)
    return;
  ballots[threadIdx.x] = __ballot_sync(all_lanes, threadIdx.x % 2);
}

__global__ void active(unsigned *straight, unsigned *branch) {
  straight[threadIdx.x] = __activemask();
  if (threadIdx.x < 5)
    branch[threadIdx.x] = __activemask();
}

// Lanes talk through shared memory; __syncwarp orders them.
__global__ void through_shared_memory(int *out) {
  __shared__ int cells[64];
  const int warp_start = threadIdx.x / 32 * 32;
  int value = threadIdx.x;
  for (int turn = 0; turn < 3; ++turn) {
    cells[threadIdx.x] = value;
    __syncwarp();
    value = cells[warp_start + (threadIdx.x + 1) % 32];
    __syncwarp();
  }
  out[threadIdx.x] = value;
}

struct Matches {
  unsigned any, all_different, all_same;
  int same, different;
};

__global__ void matches(Matches *out) {
  Matches &mine = out[threadIdx.x];
  mine.any = __match_any_sync(all_lanes, threadIdx.x / 4);
  mine.all_same = __match_all_sync(all_lanes, 7, &mine.same);
  mine.all_different = __match_all_sync(all_lanes, threadIdx.x, &mine.different);
}

struct Reduced {
  unsigned add, low, high, both, either, odd;
  int negative;
};

__global__ void reductions([[maybe_unused]] Reduced *out) {
#if __CUDA_ARCH__ >= 800
  const unsigned value = threadIdx.x + 1;
  out[threadIdx.x] = {__reduce_add_sync(all_lanes, value),
                      __reduce_min_sync(all_lanes, value),
                      __reduce_max_sync(all_lanes, value),
                      __reduce_and_sync(all_lanes, value | 64),
                      __reduce_or_sync(all_lanes, value),
                      __reduce_xor_sync(all_lanes, value),
                      __reduce_min_sync(all_lanes, -static_cast<int>(value))};
#endif
}

template <class T> void check_warp_sums() {
  constexpr int n = 4 * 96;
  DeviceArray<T> values(counting<T>(n)), sums(n / 32);
  warp_sums<<<4, 96>>>(values.data(), sums.data());
  CHECK(sums.host() == values_of<T>(n / 32, [](int warp) { return 32 * 32 * warp + 31 * 16; }));
}

} // namespace

TEST_CASE("warp: shuffles of every width") {
  for (int width : {32, 16, 8, 4}) {
    DeviceArray<Shuffled> out(64);
    shuffles<<<1, 64>>>(out.data(), width);
    const std::vector<Shuffled> found = out.host();
    for (int i = 0; i < 64; ++i) {
      const int segment = i / width * width, lane = i % width;
      CHECK(found[i].from == 100 + segment + 5 % width);
      CHECK(found[i].up == 100 + (lane >= 3 ? i - 3 : i));
      CHECK(found[i].down == 100 + (lane + 3 < width ? i + 3 : i));
      CHECK(found[i].with == 100 + (i ^ 3));
    }
  }
}

TEST_CASE("warp: shuffles of every type") {
  check_warp_sums<int>();
  check_warp_sums<unsigned>();
  check_warp_sums<long long>();
  check_warp_sums<unsigned long long>();
  check_warp_sums<float>();
  check_warp_sums<double>();
}

TEST_CASE("warp: votes") {
  std::vector<int> predicates(96, 0); // warp 0: none; 1: lanes 3 and 31; 2: all
  predicates[35] = 1;
  predicates[63] = -4;
  std::fill(predicates.begin() + 64, predicates.end(), 9);
  DeviceArray<int> in(predicates);
  DeviceArray<Votes> out(96);
  votes<<<1, 96>>>(in.data(), out.data());
  const std::vector<Votes> found = out.host();
  for (int i = 0; i < 96; ++i) {
    const int warp = i / 32;
    CHECK(found[i].ballot == (warp == 0 ? 0u : warp == 1 ? 0x80000008u : all_lanes));
    CHECK(found[i].all == (warp == 2));
    CHECK(found[i].any == (warp > 0));
  }
}

TEST_CASE("warp: its halves exchange at different places") {
  DeviceArray<int> out(96);
  halves<<<1, 96>>>(out.data());
  const std::vector<int> found = out.host();
  for (int i = 0; i < 96; ++i) {
    const int start = i / 16 * 16;
    CHECK(found[i] == (i % 32 < 16 ? 16 * start + 120 : start + 15));
  }
}

TEST_CASE("warp: exchanges whose masks overlap") {
  DeviceArray<int> first(32, -1), second(32, -1);
  overlapping<<<1, 32>>>(first.data(), second.data());
  const std::vector<int> a = first.host(), b = second.host();
  for (int lane = 0; lane < 32; ++lane) {
    CHECK(a[lane] == (lane < 24 ? (lane + 1) % 24 : -1));
    CHECK(b[lane] == (lane < 8 ? -1 : lane == 31 ? 8 : lane + 1));
  }
}

TEST_CASE("warp: one place, two masks") {
  DeviceArray<int> out(32);
  interleaved<<<1, 32>>>(out.data());
  CHECK(out.host() == values_of<int>(32, [](int lane) { return lane % 2 == 0 ? 240 : 256; }));
}

TEST_CASE("warp: the last warp of a block may have fewer lanes") {
  DeviceArray<unsigned> ballots(40);
  DeviceArray<int> down(40);
  partial_warp<<<1, 40>>>(ballots.data(), down.data());
  const std::vector<unsigned> found = ballots.host();
  const std::vector<int> sums = down.host();
  for (int i = 0; i < 40; ++i)
    CHECK(found[i] == (i < 32 ? all_lanes : 0xffu));
  for (int i = 0; i < 40; i += 8)
    CHECK(sums[i] == 8);
}

TEST_CASE("warp: lanes that have returned are not waited for") {
  DeviceArray<unsigned> ballots(32);
  returned_lanes<<<1, 32>>>(ballots.data());
  CHECK(ballots.host() == values_of<unsigned>(32, [](int i) { return i < 20 ? 0x000aaaaau : 0u; }));
}

TEST_CASE("warp: active lanes") {
  DeviceArray<unsigned> straight(40), branch(40);
  active<<<1, 40>>>(straight.data(), branch.data());
  const std::vector<unsigned> a = straight.host(), b = branch.host();
  for (int i = 0; i < 40; ++i) {
    CHECK((a[i] >> (i % 32) & 1u) == 1);
    CHECK((i < 32 || a[i] <= 0xffu));
    CHECK((i >= 5 || ((b[i] >> i & 1u) == 1 && b[i] <= 0x1fu)));
  }
}

TEST_CASE("warp: __syncwarp orders accesses to shared memory") {
  DeviceArray<int> out(64);
  through_shared_memory<<<1, 64>>>(out.data());
  CHECK(out.host() == values_of<int>(64, [](int i) { return i / 32 * 32 + (i + 3) % 32; }));
}

TEST_CASE("warp: matches") {
  DeviceArray<Matches> out(32);
  matches<<<1, 32>>>(out.data());
  const std::vector<Matches> found = out.host();
  for (int i = 0; i < 32; ++i) {
    CHECK(found[i].any == 0xfu << (i / 4 * 4));
    CHECK(found[i].all_same == all_lanes);
    CHECK(found[i].same != 0);
    CHECK(found[i].all_different == 0);
    CHECK(found[i].different == 0);
  }
}

TEST_CASE("warp: reductions") {
  int major = 0;
  REQUIRE(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0) == cudaSuccess);
  if (major < 8)
    SKIP("devices before compute capability 8.0 have none");
  DeviceArray<Reduced> out(32);
  reductions<<<1, 32>>>(out.data());
  for (const Reduced &found : out.host()) {
    CHECK(found.add == 528);
    CHECK(found.low == 1);
    CHECK(found.high == 32);
    CHECK(found.both == 64);
    CHECK(found.either == 63);
    CHECK(found.odd == 32);
    CHECK(found.negative == -32);
  }
}
