// Shared by the exercises of lesson 17: a field in device memory.
//
// Arrays are row-major, with two ghost layers on each side, which count as columns and rows: the
// first of the nx x ny inner cells is cell (2, 2). There are
//   (ny + 4) rows of nx + 4 cells,
//   (ny + 5) rows of nx + 5 nodes: node (col, row) is the lower left corner of cell (col, row).
#pragma once

#include "common/buffer.hpp"
#include "common/check.hpp"

#include <cstddef>

inline std::size_t cells_of(int nx, int ny) { return std::size_t(nx + 4) * (ny + 4); }
inline std::size_t nodes_of(int nx, int ny) { return std::size_t(nx + 5) * (ny + 5); }

// `count` numbers in device memory, freed by the destructor. Kernels take data().
class Field {
public:
  Field(const double *host, std::size_t count) : memory_(count) {
    CUDA_CHECK(cudaMemcpy(data(), host, memory_.bytes(), cudaMemcpyHostToDevice));
  }

  double *data() const { return memory_.data(); }
  void copy_to(double *host) const {
    CUDA_CHECK(cudaMemcpy(host, data(), memory_.bytes(), cudaMemcpyDeviceToHost));
  }

private:
  course::Buffer<double> memory_;
};
