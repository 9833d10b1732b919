// Device memory for the programs of this folder.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <vector>

// n elements on the device, freed when the program ends.
template <class T> T *array(std::size_t n) {
  struct All {
    std::vector<T *> pointers;
    All() { cudaFree(nullptr); } // so that CUDA ends after this
    ~All() {
      for (T *pointer : pointers)
        cudaFree(pointer);
    }
  };
  static All all;
  T *pointer = nullptr;
  cudaMalloc(&pointer, n * sizeof(T));
  all.pointers.push_back(pointer);
  return pointer;
}

// The same with this value in each byte.
template <class T> T *array(std::size_t n, int byte) {
  T *pointer = array<T>(n);
  cudaMemset(pointer, byte, n * sizeof(T));
  return pointer;
}
