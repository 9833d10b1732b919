// The halo update of the ladder's last rung: the messages go from GPU to GPU by NCCL.
#pragma once

#include "common/nccl.hpp"
#include "lessons/17-cloverleaf/halo.hpp"

// Work in the stream, like the kernels before and after it: so the host does not wait.
class NcclHalo : public Halo {
public:
  NcclHalo(const Chunk &chunk, ncclComm_t comm) : Halo(chunk), comm(comm) {}

private:
  // [transfer]
  void transfer(const int *neighbours, int count) override {
    const cudaStream_t stream = nullptr; // the default stream, that of the kernels
    NCCL_CHECK(ncclGroupStart());
    for (int i : {0, 1})
      if (neighbours[i] != wall) {
        NCCL_CHECK(ncclSend(d_sent + i * count, count, ncclDouble, neighbours[i], comm, stream));
        NCCL_CHECK(
            ncclRecv(d_received + i * count, count, ncclDouble, neighbours[i], comm, stream));
      }
    NCCL_CHECK(ncclGroupEnd());
  }
  // [end]

  const ncclComm_t comm;
};
