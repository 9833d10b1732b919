// Exercise 16-jacobi-nccl/halo-traffic: a warm-up. How much does one GPU send?
//
// Build: nvcc -O3 -std=c++17 -I. exercises/16-jacobi-nccl/halo-traffic.cu -o halo-traffic
// Run:   ./halo-traffic

#include "common/verify.hpp"
#include "exercises/16-jacobi-nccl/halo-traffic.hpp"

#include <cstdio>

Traffic halo_traffic(int nx, int k, int steps) {
  // TODO 1: how many messages does one GPU send in all steps, and how many bytes?
  const long long messages = 0, bytes = 0;
  // TODO end
  return {messages, bytes};
}

int main() {
  std::puts("16384 columns, 1000 steps: one GPU sends");
  for (const int k : {1, 4, 16}) {
    const Traffic its = halo_traffic(16384, k, 1000);
    std::printf("  halos of %2d rows: %4lld messages, %lld bytes\n", k, its.messages, its.bytes);
  }
  // 10 steps with halos of 4 rows of 100 cells: exchanges before steps 0, 4 and 8.
  const Traffic its = halo_traffic(100, 4, 10);
  const bool correct = course::verify_value("messages", its.messages, 6) &
                       course::verify_value("bytes", its.bytes, 9600);
  return course::verdict(correct);
}
