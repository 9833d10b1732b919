int main() {
  float *x = nullptr;
  cudaMalloc(x, 32 * sizeof(float));
}
