@cuda.jit
void square(float *x) { *x *= *x; }
