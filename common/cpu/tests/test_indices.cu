// The built-in variables.
#include "cuda_test.hpp"

namespace {

struct Indices {
  uint3 thread, block;
  dim3 block_size, grid_size;
  int warp;
};

__global__ void record(Indices *out) {
  const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  Indices &mine = out[block * blockDim.x * blockDim.y * blockDim.z + thread];
  mine.thread = threadIdx;
  mine.block = blockIdx;
  mine.block_size = blockDim;
  mine.grid_size = gridDim;
  mine.warp = warpSize;
}

__global__ void count(int *visits, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    ++visits[i];
}

__global__ void count_grid_stride(int *visits, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    ++visits[i];
}

// The last two blocks of a grid tell the index of each of their threads, as three types have it.
__global__ void tell_last_indices(int *as_int, unsigned *as_unsigned, std::size_t *as_size) {
  const int block = static_cast<int>(blockIdx.x) - static_cast<int>(gridDim.x - 2);
  if (block < 0)
    return;
  const unsigned t = block * blockDim.x + threadIdx.x;
  as_int[t] = blockIdx.x * blockDim.x + threadIdx.x;
  as_unsigned[t] = blockIdx.x * blockDim.x + threadIdx.x;
  as_size[t] = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

bool same(dim3 a, dim3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

void check_all(dim3 grid, dim3 block) {
  const std::size_t threads = block.x * block.y * block.z;
  DeviceArray<Indices> out(grid.x * grid.y * grid.z * threads);
  record<<<grid, block>>>(out.data());
  const std::vector<Indices> found = out.host();
  std::size_t i = 0, wrong = 0;
  for (unsigned bz = 0; bz < grid.z; ++bz)
    for (unsigned by = 0; by < grid.y; ++by)
      for (unsigned bx = 0; bx < grid.x; ++bx)
        for (unsigned z = 0; z < block.z; ++z)
          for (unsigned y = 0; y < block.y; ++y)
            for (unsigned x = 0; x < block.x; ++x, ++i)
              wrong += !(same(found[i].thread, {x, y, z}) && same(found[i].block, {bx, by, bz}) &&
                         same(found[i].block_size, block) && same(found[i].grid_size, grid) &&
                         found[i].warp == 32);
  CHECK(wrong == 0);
}

} // namespace

TEST_CASE("indices: every thread of a 1-, 2- and 3-dimensional grid knows its place") {
  check_all(1, 1);
  check_all(7, 33);
  check_all(dim3(3, 5), dim3(8, 4));
  check_all(dim3(2, 3, 4), dim3(5, 6, 7));
  check_all(1, 1024);
  check_all(1, dim3(4, 4, 64));
}

TEST_CASE("indices: every element is visited once") {
  constexpr int n = 100001;
  DeviceArray<int> visits(n);
  count<<<(n + 255) / 256, 256>>>(visits.data(), n);
  CHECK(visits.host() == std::vector<int>(n, 1));
  count_grid_stride<<<3, 96>>>(visits.data(), n);
  CHECK(visits.host() == std::vector<int>(n, 2));
}

TEST_CASE("indices: more blocks than 65535 along x") {
  constexpr int n = 200000;
  DeviceArray<int> visits(n);
  count<<<n, 1>>>(visits.data(), n);
  CHECK(visits.host() == std::vector<int>(n, 1));
}

TEST_CASE("indices: more than 2^31 threads; an int wraps", "[large]") {
  constexpr unsigned threads = 1024, blocks = (1u << 21) + 1;
  DeviceArray<int> as_int(2 * threads);
  DeviceArray<unsigned> as_unsigned(2 * threads);
  DeviceArray<std::size_t> as_size(2 * threads);
  tell_last_indices<<<blocks, threads>>>(as_int.data(), as_unsigned.data(), as_size.data());
  std::vector<int> ints;
  std::vector<unsigned> unsigneds;
  std::vector<std::size_t> sizes;
  for (unsigned t = 0; t < 2 * threads; ++t) {
    sizes.push_back(std::size_t{blocks - 2} * threads + t);
    unsigneds.push_back(static_cast<unsigned>(sizes.back()));
    ints.push_back(static_cast<int>(sizes.back()));
  }
  CHECK(as_size.host() == sizes);
  CHECK(as_unsigned.host() == unsigneds);
  CHECK(as_int.host() == ints);
}
