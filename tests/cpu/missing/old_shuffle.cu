// says: __shfl_down
__global__ void kernel(int* x) { x[threadIdx.x] = __shfl_down(x[threadIdx.x], 1); }
