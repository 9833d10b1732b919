// Exercise 20-tensor-cores/swapped-layout: a bug hunt. How similar is each query to each key?
//
// Build: nvcc -O3 -std=c++17 -arch=sm_75 -I. exercises/20-tensor-cores/swapped-layout.cu -o swapped-layout
// Run:   ./swapped-layout
//
// Row i of Q is a query, row j of K is a key, and S = Q K^T has their products. The result is right
// if Q and K are both the 16 x 16 identity, but wrong for most others. There are three bugs.

#include "common/check.hpp"
#include "common/device.hpp"
#include "common/verify.hpp"
#include "exercises/20-tensor-cores/swapped-layout.hpp"

#include <cstdio>
#include <mma.h>
#include <vector>

// One warp computes the products of 16 queries and 16 keys.
__global__ void scores(int keys, int depth, const half *q, const half *k, float *s) {
  using namespace nvcuda::wmma;
  const int query = blockIdx.y * 16, key = blockIdx.x * 16;
  fragment<accumulator, 16, 16, 16, float> sum;
  fill_fragment(sum, 0.0f);

  // TODO 1: find two bugs: where in memory are the 16 x 16 numbers of each fragment?
  fragment<matrix_a, 16, 16, 16, half, row_major> q_part;
  fragment<matrix_b, 16, 16, 16, half, col_major> k_part;
  for (int d = 0; d < depth; d += 16) {
    load_matrix_sync(q_part, q + query * depth + d, depth);
    load_matrix_sync(k_part, k + key * depth + d, depth);
    mma_sync(sum, q_part, k_part, sum);
  }
  // TODO end

  // TODO 2: find the bug: how must S be stored?
  store_matrix_sync(s + query * keys + key, sum, keys, mem_row_major);
  // TODO end
}

void swapped_layout(int queries, int keys, int depth, const float *q, const float *k, float *s) {
  const std::vector<half> q_halves(q, q + queries * depth), k_halves(k, k + keys * depth);
  const size_t q_bytes = q_halves.size() * sizeof(half), k_bytes = k_halves.size() * sizeof(half);
  const size_t s_bytes = size_t(queries) * keys * sizeof(float);
  half *d_q, *d_k;
  float *d_s;
  CUDA_CHECK(cudaMalloc(&d_q, q_bytes));
  CUDA_CHECK(cudaMalloc(&d_k, k_bytes));
  CUDA_CHECK(cudaMalloc(&d_s, s_bytes));
  CUDA_CHECK(cudaMemcpy(d_q, q_halves.data(), q_bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d_k, k_halves.data(), k_bytes, cudaMemcpyHostToDevice));
  scores<<<dim3(keys / 16, queries / 16), 32>>>(keys, depth, d_q, d_k, d_s);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(s, d_s, s_bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_q));
  CUDA_CHECK(cudaFree(d_k));
  CUDA_CHECK(cudaFree(d_s));
}

// Compares queries and keys of these sizes. Returns true if the result is right.
bool right_for(int queries, int keys, int depth) {
  std::printf("%d queries, %d keys, depth %d\n", queries, keys, depth);
  std::vector<float> q(queries * depth), k(keys * depth), s(queries * keys);
  for (int i = 0; i < queries * depth; ++i)
    q[i] = i % 23 - 11;
  for (int i = 0; i < keys * depth; ++i)
    k[i] = i % 19 - 9;
  swapped_layout(queries, keys, depth, q.data(), k.data(), s.data());
  return course::verify("S", s.data(), s.size(), [&](size_t i) {
    float sum = 0; // all numbers are whole, so no sum is rounded
    for (int d = 0; d < depth; ++d)
      sum += q[i / keys * depth + d] * k[i % keys * depth + d];
    return sum;
  });
}

int main() {
  course::print_device();
  const bool one_tile = right_for(16, 16, 16);
  return course::verdict(right_for(48, 80, 64) && one_tile);
}
