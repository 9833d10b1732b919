// says: cuda/latch
// note: latches
#include <cuda/latch>
__global__ void kernel() {}
