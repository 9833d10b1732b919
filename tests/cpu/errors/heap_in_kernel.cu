#include <cstdlib>

__global__ void lists(int **list, int n) {
  list[threadIdx.x] = static_cast<int *>(malloc(n * sizeof(int)));
}

int main() { std::free(std::malloc(1)); }
