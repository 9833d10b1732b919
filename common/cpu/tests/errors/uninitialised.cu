__global__ void sum(const float *x, float *y, int n) {
  float s;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    s += x[i];
  y[threadIdx.x] = s;
}
int main() { sum<<<1, 32>>>(nullptr, nullptr, 0); }
