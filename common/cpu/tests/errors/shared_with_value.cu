__global__ void count(int *x) {
  __shared__ int t = 3;
  __shared__ float tile[2] = {1, 2}, sum{0};
  atomicAdd(&t, 1);
  *x = t + tile[0] + sum;
}
