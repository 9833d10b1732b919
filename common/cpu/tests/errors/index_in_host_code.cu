#include <cstdio>
int main() {
  std::printf("%u\n", threadIdx.x);
}
