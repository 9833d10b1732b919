// expect: fail input
// Writes a reply with the right nonce and length, and no answer in it.
#include "tests/grader/twice.hpp"

#include <cstdint>
#include <cstdio>
#include <unistd.h>

static const int forged = [] {
  std::uint64_t nonce = 0;
  if (std::FILE *file = std::fopen("request", "rb")) {
    if (std::fread(&nonce, sizeof nonce, 1, file) != 1)
      nonce = 1;
    std::fclose(file);
  }
  if (std::FILE *file = std::fopen("reply", "wb")) {
    std::fwrite(&nonce, sizeof nonce, 1, file);
    for (int i = 0; i < 4096; ++i)
      std::fputc(0, file);
    std::fclose(file);
  }
  _exit(0);
  return 0;
}();

int twice(int, const int *, int *) { return 0; }

int main() { return 0; }
