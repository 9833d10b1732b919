// says: cuda_fp16.h
#include <cuda_fp16.h>
__global__ void kernel(__half* x) { *x = 0; }
