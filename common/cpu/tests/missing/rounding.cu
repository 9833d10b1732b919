// says: __fadd_ru
// note: this rounding
__global__ void kernel(float *x) { *x = __fadd_ru(*x, 1); }
