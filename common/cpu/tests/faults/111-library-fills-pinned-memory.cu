// expect: racecheck copy fill
// expect: racecheck copy clear
// expect: racecheck copy store
// Host code changes pinned memory in flight by functions of the standard library.
#include "array.hpp"

#include <algorithm>
#include <cstring>

// Inlined, so that the library's code has a line of this file.
__attribute__((flatten)) int main() {
  char *values = array<char>(96);
  char *host = nullptr;
  cudaMallocHost(&host, 96);
  std::fill(host, host + 96, 'a');
  const char text[32] = "text";
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMemcpyAsync(values, host, 96, cudaMemcpyHostToDevice, stream); // @copy
#ifdef FIXED
  cudaStreamSynchronize(stream);
#endif
  std::fill(host, host + 32, 'b');                // @fill
  std::memset(host + 32, 0, 32);                  // @clear
  std::copy(text, text + sizeof text, host + 64); // @store
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
  cudaFreeHost(host);
  return 0;
}
