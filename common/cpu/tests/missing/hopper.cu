// says: cuda/ptx
// note: wgmma and TMA
#include <cuda/ptx>
