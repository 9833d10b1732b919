__global__ void add(float *x) { x[threadIdx.x] += 1; }
int main() {
  std::vector<float> x(32);
}
