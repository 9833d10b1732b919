// The counted work: the worker's reply holds these structs, and a judge's limits name their
// members.
#pragma once

#include <cstdint>
#include <string>

namespace course {

// The work of a kernel, of the host, or of a whole case: all launches of all its calls together.
// Loads and stores by copies and libraries are in the last three numbers only.
struct Work {
  // Loads and stores by threads, where that of a float4 is one and an atomic operation is one of
  // each; their bytes; the requests of warps for them; what these cost, that is the sectors of
  // global memory that they touch, or bank conflicts in shared memory; the sectors if the bytes of
  // each request lay side by side.
  std::uint64_t global_loads = 0, global_load_bytes = 0, global_load_requests = 0,
                global_load_sectors = 0, global_load_coalesced = 0;
  std::uint64_t global_stores = 0, global_store_bytes = 0, global_store_requests = 0,
                global_store_sectors = 0, global_store_coalesced = 0;
  std::uint64_t shared_loads = 0, shared_load_bytes = 0, shared_load_requests = 0,
                shared_load_conflicts = 0;
  std::uint64_t shared_stores = 0, shared_store_bytes = 0, shared_store_requests = 0,
                shared_store_conflicts = 0;
  // Calls of mma_sync by warps, by the type of their sums.
  std::uint64_t mma_float = 0, mma_half = 0;
  // Kernels that ran, copies, and calls in which the host waited for work that was not done, also
  // those between the first and the last launch of one kernel. The chain: how many copies, fills
  // and kernels run one after the other, of all that streams, events and waits put in an order, the
  // most. What is not in it may overlap. Bytes that copies brought to the host. Operations of NCCL
  // or cuBLAS that read memory (a group is one on each device), and as many bytes.
  std::uint64_t launches = 0, copies = 0, waits = 0, waits_between = 0, chain = 0,
                bytes_to_host = 0, library_calls = 0, library_bytes = 0;
};

struct KernelWork {
  std::string kernel; // with the place of its launch; or "host code"
  Work work;
};

} // namespace course
