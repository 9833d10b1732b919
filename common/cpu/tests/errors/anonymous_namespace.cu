namespace {
__global__ void fill(float *x, int n) { x[threadIdx.x] = n; }
} // namespace
int main() {
  int *x = nullptr;
  fill<<<1, 32>>>(x, 3);
}
