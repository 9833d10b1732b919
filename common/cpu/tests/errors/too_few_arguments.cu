__global__ void add(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}
int main() {
  float *a = nullptr, *b = nullptr, *c = nullptr;
  add<<<1, 32>>>(a, b, c);
}
