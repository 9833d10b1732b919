#include <cstdio>

int main() {
  return std::puts("a: In b") + len("c");
}
