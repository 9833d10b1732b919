// Runs the parts of a program, each once a program of its own. The last line is PASS if all are
// right.
#pragma once

#include <cstdio>
#include <initializer_list>

struct Part {
  const char *name;
  bool (*is_right)();
};

template <class T> T *managed(size_t count) { // for ever
  T *memory = nullptr;
  cudaMallocManaged(&memory, count * sizeof(T));
  return memory;
}

inline int run_parts(std::initializer_list<Part> parts) {
  int wrong = 0;
  for (const Part &part : parts)
    if (!part.is_right()) {
      std::printf("wrong: %s\n", part.name);
      ++wrong;
    }
  std::puts(wrong ? "FAIL" : "PASS");
  return wrong;
}
