#define CHECK(call) ((call) == cudaSuccess)
int main() {
  float x[32] = {}, *d_x = nullptr;
  cudaMemcpy(d_x, x, sizeof x);
  return CHECK(cudaMemcpy(x, d_x, sizeof x));
}
