__global__ void fill(float *x) {
<<<<<<< Updated upstream
  x[threadIdx.x] = 1;
=======
  x[threadIdx.x] = 2;
>>>>>>> Stashed changes
}
