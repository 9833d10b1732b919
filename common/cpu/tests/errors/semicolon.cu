__global__ void fill(float *x) {
  int i = threadIdx.x
  x[i] = 1;
}
int main() {
  const int block = 32
  fill<<<1, block>>>(nullptr);
  int blocks;
  blocks = 1
  fill<<<blocks, block>>>(nullptr);
}
