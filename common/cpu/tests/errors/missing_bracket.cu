__global__ void fill(float *x) {
  for (int i = threadIdx.x; i < 32; i += blockDim.x) {
    x[i] = 1;
}
int main() {
  fill<<<1, 32>>>(nullptr);
}
