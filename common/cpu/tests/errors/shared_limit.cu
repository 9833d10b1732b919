__global__ void fill(float *x) {
  __shared__ float tile[128][128];
  tile[threadIdx.y][threadIdx.x] = x[0];
}
