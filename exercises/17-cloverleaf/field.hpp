// Shared by the exercises of lesson 17: a field in device memory.
//
// Arrays are row-major, with two ghost layers on each side, which count as columns and rows: the
// first of the nx x ny inner cells is cell (2, 2). There are
//   (ny + 4) rows of nx + 4 cells,
//   (ny + 5) rows of nx + 5 nodes: node (col, row) is the lower left corner of cell (col, row),
//   (ny + 4) rows of nx + 5 faces: face (col, row) is the left side of cell (col, row).
#pragma once

#include "common/check.hpp"

#include <cstddef>

inline std::size_t cells_of(int nx, int ny) { return std::size_t(nx + 4) * (ny + 4); }
inline std::size_t nodes_of(int nx, int ny) { return std::size_t(nx + 5) * (ny + 5); }
inline std::size_t faces_of(int nx, int ny) { return std::size_t(nx + 5) * (ny + 4); }

// `count` numbers in device memory, freed by the destructor. Kernels take data().
class Field {
public:
  explicit Field(std::size_t count) : bytes_(count * sizeof(double)) {
    CUDA_CHECK(cudaMalloc(&d_data_, bytes_));
  }
  Field(const double *host, std::size_t count) : Field(count) {
    CUDA_CHECK(cudaMemcpy(d_data_, host, bytes_, cudaMemcpyHostToDevice));
  }
  Field(const Field &) = delete;
  Field &operator=(const Field &) = delete;
  ~Field() { cudaFree(d_data_); }

  double *data() const { return d_data_; }
  void copy_to(double *host) const {
    CUDA_CHECK(cudaMemcpy(host, d_data_, bytes_, cudaMemcpyDeviceToHost));
  }

private:
  std::size_t bytes_;
  double *d_data_ = nullptr;
};
