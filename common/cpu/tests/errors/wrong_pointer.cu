__global__ void fill(float *x, int n) { x[threadIdx.x] = n; }
int main() {
  int *numbers = nullptr;
  fill<<<1, 32>>>(numbers, 32);
}
