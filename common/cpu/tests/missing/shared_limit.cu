// says: tile is larger than 48 KiB
__global__ void kernel(float* x) {
  __shared__ float tile[128][128];
  tile[threadIdx.x][0] = *x;
}
