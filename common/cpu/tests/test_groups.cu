// Cooperative groups: blocks, tiles of warps, lanes that run together, the whole grid.
#include "cuda_test.hpp"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

namespace {

__global__ void ranks(unsigned *out) {
  const cg::thread_block block = cg::this_thread_block();
  __shared__ unsigned turned[96];
  turned[block.size() - 1 - block.thread_rank()] = block.thread_rank();
  block.sync();
  const unsigned number = block.group_index().x * block.size() + block.thread_rank();
  out[number] = turned[block.thread_rank()] + 1000 * block.thread_index().y;
}

template <unsigned size> __global__ void tiles(const int *in, int *out) {
  const auto tile = cg::tiled_partition<size>(cg::this_thread_block());
  const int own = in[threadIdx.x];
  const int sum = cg::reduce(tile, own, cg::plus<int>());
  const int least = cg::reduce(tile, own, cg::less<int>());
  const int most = cg::reduce(tile, own, cg::greater<int>());
  int by_hand = own;
  for (int offset = tile.size() / 2; offset > 0; offset /= 2)
    by_hand += tile.shfl_down(by_hand, offset);
  const int of_last = tile.shfl(own, size - 1);
  const int of_other = tile.shfl_xor(own, size / 2);
  const unsigned odd = tile.ballot(own & 1);
  const bool fits = tile.any(own == most) && tile.all(own >= least);
  tile.sync();
  int *mine = out + 8 * threadIdx.x;
  mine[0] = sum;
  mine[1] = least;
  mine[2] = most;
  mine[3] = tile.thread_rank() == 0 ? by_hand : sum;
  mine[4] = of_last;
  mine[5] = of_other;
  mine[6] = static_cast<int>(odd);
  mine[7] = fits ? static_cast<int>(tile.meta_group_rank() * 100 + tile.meta_group_size()) : -1;
}

template <unsigned size> int wrong_tiles() {
  constexpr int n = 128;
  std::vector<int> in(n);
  for (int i = 0; i < n; ++i)
    in[i] = (i * 37 + 11) % 101 - 50;
  DeviceArray<int> device(in), out(8 * n);
  tiles<size><<<1, n>>>(device.data(), out.data());
  const std::vector<int> found = out.host();
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    const int first = i / size * size, last = first + size;
    int sum = 0;
    unsigned odd = 0;
    for (int k = first; k < last; ++k) {
      sum += in[k];
      odd |= (in[k] & 1u) << (k - first);
    }
    const int least = *std::min_element(&in[first], &in[first] + size);
    const int most = *std::max_element(&in[first], &in[first] + size);
    const int place = static_cast<int>(i / size * 100 + n / size);
    const int expected[] = {sum,      least,        most,
                            sum,      in[last - 1], in[first + ((i - first) ^ (size / 2))],
                            int(odd), place};
    for (int k = 0; k < 8; ++k)
      wrong += found[8 * i + k] != expected[k];
  }
  return wrong;
}

// Warps inside a tile of the block.
__global__ void nested(int *out) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const auto quarter = cg::tiled_partition<8>(warp);
  out[threadIdx.x] = cg::reduce(quarter, static_cast<int>(threadIdx.x), cg::plus<int>());
}

// One addition for all lanes of a warp that come here.
__global__ void count_multiples(int n, int divisor, int *counter, int *number_of) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && i % divisor == 0) {
    const cg::coalesced_group active = cg::coalesced_threads();
    int first = 0;
    if (active.thread_rank() == 0)
      first = atomicAdd(counter, static_cast<int>(active.size()));
    number_of[i] = active.shfl(first, 0) + static_cast<int>(active.thread_rank());
  }
}

// Each round every block reads what its neighbour wrote in the round before.
__global__ void pass_on(int rounds, int *from, int *to) {
  const cg::grid_group grid = cg::this_grid();
  const int blocks = static_cast<int>(gridDim.x);
  for (int round = 0; round < rounds; ++round) {
    const int neighbour = (static_cast<int>(blockIdx.x) + 1) % blocks;
    const int i = static_cast<int>(threadIdx.x), width = static_cast<int>(blockDim.x);
    to[blockIdx.x * width + i] = from[neighbour * width + i] + 1;
    grid.sync();
    int *swapped = from;
    from = to;
    to = swapped;
  }
  if (grid.thread_rank() == 0)
    from[0] += static_cast<int>(grid.size()) * 1000;
}

__global__ void nothing() {}

} // namespace

TEST_CASE("groups: a block's threads have ranks") {
  DeviceArray<unsigned> out(2 * 96);
  ranks<<<2, dim3(16, 6)>>>(out.data());
  const std::vector<unsigned> found = out.host();
  for (unsigned i = 0; i < found.size(); ++i)
    CHECK(found[i] == 95 - i % 96 + 1000 * (i % 96 / 16));
}

TEST_CASE("groups: tiles of every size") {
  CHECK(wrong_tiles<2>() == 0);
  CHECK(wrong_tiles<4>() == 0);
  CHECK(wrong_tiles<8>() == 0);
  CHECK(wrong_tiles<16>() == 0);
  CHECK(wrong_tiles<32>() == 0);
}

TEST_CASE("groups: a tile of a tile") {
  DeviceArray<int> out(64);
  nested<<<1, 64>>>(out.data());
  CHECK(out.host() == values_of<int>(64, [](int i) { return 8 * (i / 8 * 8) + 28; }));
}

TEST_CASE("groups: the lanes in a branch") {
  constexpr int n = 1000;
  DeviceArray<int> counter(1, 0), number_of(n, -1);
  count_multiples<<<(n + 255) / 256, 256>>>(n, 3, counter.data(), number_of.data());
  const std::vector<int> numbers = number_of.host();
  CHECK(counter.host()[0] == 334);
  std::vector<int> seen(334, 0);
  for (int i = 0; i < n; ++i) {
    if (i % 3 == 0 && numbers[i] >= 0 && numbers[i] < 334)
      ++seen[numbers[i]];
    else
      CHECK(numbers[i] == -1);
  }
  CHECK(seen == std::vector<int>(334, 1));
}

TEST_CASE("groups: a grid waits for all its blocks") {
  int cooperative = 0, processors = 0, blocks = 0;
  REQUIRE(cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, 0) == cudaSuccess);
  REQUIRE(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0) == cudaSuccess);
  REQUIRE(cooperative == 1);
  constexpr int threads = 64, rounds = 5;
  REQUIRE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, pass_on, threads, 0) ==
          cudaSuccess);
  blocks = std::min(blocks * processors, 7);
  std::vector<int> start(blocks * threads);
  for (int i = 0; i < blocks * threads; ++i)
    start[i] = 10 * i;
  DeviceArray<int> from(start), to(blocks * threads, 0);
  int *first = from.data(), *second = to.data(), number = rounds;
  void *arguments[] = {&number, &first, &second};
  REQUIRE(cudaLaunchCooperativeKernel(pass_on, dim3(blocks), dim3(threads), arguments) ==
          cudaSuccess);
  const std::vector<int> found = to.host(); // an odd number of rounds
  int wrong = 0;
  for (int i = 0; i < blocks * threads; ++i) {
    const int origin = (i / threads + rounds) % blocks * threads + i % threads;
    wrong += found[i] != 10 * origin + rounds + (i == 0 ? blocks * threads * 1000 : 0);
  }
  CHECK(wrong == 0);
}

TEST_CASE("groups: a grid that does not fit at once is refused") {
  CHECK(cudaLaunchCooperativeKernel(nothing, dim3(1 << 20), dim3(1024), nullptr) ==
        cudaErrorCooperativeLaunchTooLarge);
  CHECK(cudaGetLastError() == cudaErrorCooperativeLaunchTooLarge);
  nothing<<<1, 1>>>();
  require_finished();
}
