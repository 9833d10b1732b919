__global__ void fill(float *x) {
  int i = threadIdx.w;
  x[i] = 1;
}
