// says: __shfl_down
// note: without a mask
__global__ void kernel(int *x) { *x = __shfl_down(*x, 1); }
