int main() {
  float x[32] = {}, *d_x = nullptr;
  cudaMemcpy(d_x, x, sizeof x);
}
