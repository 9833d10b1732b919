// compiles
__global__ void kernel(float* x) {
  __shared__ float tile[32];
  tile[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = tile[31 - threadIdx.x];
}
void launch(float* x) { kernel<<<1, 32>>>(x); }
