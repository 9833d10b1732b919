// says: cuda_bf16.h
#include <cuda_bf16.h>
__global__ void kernel(__nv_bfloat16* x) { *x = 0; }
