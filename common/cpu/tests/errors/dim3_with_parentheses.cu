__global__ void fill(float *x) { x[threadIdx.x] = 1; }
int main() {
  dim3 block = (16, 16);
  fill<<<1, block>>>(nullptr);
}
