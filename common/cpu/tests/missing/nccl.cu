// says: ncclBroadcast
// note: this part of NCCL
#include <nccl.h>
void broadcast(float *x, ncclComm_t comm) {
  ncclBroadcast(x, x, 100, ncclFloat, 0, comm, nullptr);
}
