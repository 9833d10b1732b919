// A kernel that goes past the end of an array does no harm to the host: small arrays lie beside
// other device memory, as on a GPU, and behind large ones is memory that nobody may touch.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

struct State {
  unsigned words[12];
};

__global__ void set_up(State *states) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned &word : states[i].words)
    word = 0x01010101u * i;
}

__global__ void write_at(char *array, size_t byte) { array[byte] = 1; }

int main() {
  std::vector<char *> blocks; // of the host's heap
  for (int i = 0; i < 64; ++i) {
    blocks.push_back(static_cast<char *>(std::malloc(1000)));
    std::memset(blocks.back(), i, 1000);
  }
  State *states, last;
  cudaMalloc(&states, 15 * sizeof *states);
  set_up<<<1, 512>>>(states); // 497 threads too many
  bool ok = cudaDeviceSynchronize() == cudaSuccess &&
            cudaMemcpy(&last, states + 14, sizeof last, cudaMemcpyDefault) == cudaSuccess &&
            last.words[11] == 0x0E0E0E0Eu;
  for (int i = 0; i < 64; ++i) {
    ok = ok && blocks[i][0] == i && blocks[i][999] == i;
    std::free(blocks[i]);
  }
  // Freed memory is allocated again, at the start of a page or not.
  for (size_t bytes = 1; bytes < 5 << 20; bytes = bytes * 3 + 1) {
    char *first, *second;
    ok =
        ok && cudaMalloc(&first, bytes) == cudaSuccess && cudaMalloc(&second, bytes) == cudaSuccess;
    ok = ok && (first + bytes <= second || second + bytes <= first) &&
         reinterpret_cast<size_t>(first) % 256 == 0;
    ok = ok && cudaMemset(first, 1, bytes) == cudaSuccess && cudaFree(first) == cudaSuccess &&
         cudaMemset(second, 1, bytes) == cudaSuccess && cudaFree(second) == cudaSuccess;
  }
  constexpr size_t large = 3 << 20;
  char *array;
  ok = ok && cudaMalloc(&array, large) == cudaSuccess;
  write_at<<<1, 1>>>(array, large + (100 << 10)); // says so on stderr
  ok = ok && cudaDeviceSynchronize() == cudaErrorIllegalAddress;
  std::puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
