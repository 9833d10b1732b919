__device__ void last_warp(volatile float *v, int t) {
  v[t] += v[t + 16];
  v[t] += v[t + 8];
}
__device__ void last_warp_synchronised(volatile float *v, int t) {
  float x = v[t] + v[t + 16];
  __syncwarp();
  v[t] = x;
}
__global__ void global_memory(volatile float *v) { v[threadIdx.x] += v[threadIdx.x + 1]; }
