// expect: memcheck write
// The program instantiates templates of std, and its copies are instrumented: a report calls copies
// that are not.
#include "array.hpp"

#include <map>
#include <string>
#include <vector>

__global__ void fill(int *x) {
  x[threadIdx.x] = 1; // @write
}

int main() {
  std::vector<std::string> names;
  names.push_back("x");
  std::map<std::string, int> lengths{{names.back(), 32}};
#ifdef FIXED
  int *x = array<int>(lengths["x"]);
#else
  int *x = array<int>(lengths["x"] - 1);
#endif
  fill<<<1, 32>>>(x);
  return cudaDeviceSynchronize();
}
