int main() {
  float *x;
  cudaMaloc(&x, 128);
}
