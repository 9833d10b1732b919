// Shuffles, matches and reductions over a warp take bool, char and short as int; the reductions of
// bits take int as unsigned.
#include <cstdint>
#include <cstdio>

struct Result {
  int from_left, from_flag, group, sum, bits;
};

__global__ void exchange(Result *result) {
  const int lane = threadIdx.x;
  const std::int16_t small = static_cast<std::int16_t>(-lane);
  const bool odd = lane % 2;
  const unsigned char letter = static_cast<unsigned char>(lane / 8);
  static_assert(sizeof __shfl_sync(~0u, odd, 1) == sizeof(int), "as nvcc has it");
  result[lane] = {__shfl_up_sync(~0u, small, 1), __shfl_sync(~0u, odd, 1),
                  static_cast<int>(__match_any_sync(~0u, letter)), __reduce_add_sync(~0u, small),
                  static_cast<int>(__reduce_or_sync(~0u, lane))};
}

int main() {
  Result *result;
  cudaMallocManaged(&result, 32 * sizeof(Result));
  exchange<<<1, 32>>>(result);
  bool right = cudaDeviceSynchronize() == cudaSuccess;
  for (int lane = 0; lane < 32; ++lane) {
    const Result &r = result[lane];
    const int left = lane ? lane - 1 : 0;
    right = right && r.from_left == -left && r.from_flag == 1 && r.sum == -496 && r.bits == 31 &&
            static_cast<unsigned>(r.group) == 0xFFu << lane / 8 * 8;
  }
  cudaFree(result);
  puts(right ? "PASS" : "FAIL");
  return !right;
}
