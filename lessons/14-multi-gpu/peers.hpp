// Peer access, for all programs of the lesson.
#pragma once

#include "common/check.hpp"

// Lets each GPU access the memory of the others, where the machine can; elsewhere copies from GPU
// to GPU go through the host. Whether all can.
// [peers]
inline bool enable_peers(int gpus) {
  bool all = true;
  for (int device = 0; device < gpus; ++device)
    for (int peer = 0; peer < gpus; ++peer) {
      if (peer == device)
        continue;
      int can = 0;
      CUDA_CHECK(cudaDeviceCanAccessPeer(&can, device, peer));
      CUDA_CHECK(cudaSetDevice(device));
      if (can)
        CUDA_CHECK(cudaDeviceEnablePeerAccess(peer, 0));
      all = all && can;
    }
  return all;
}
// [end]
