__global__ void fill(float *x) {
  int i = threadIdx.x
  x[i] = 1;
}
int main() { fill<<<1, 32>>>(nullptr); }
