// says: hexp
// note: this function of halves
#include <cuda_fp16.h>
__global__ void kernel(__half *x) { *x = hexp(*x); }
