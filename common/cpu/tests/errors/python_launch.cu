__global__ void add(float *x) { x[threadIdx.x] += 1; }
int main() {
  float *x = nullptr;
  add[1, 32](x);
  print(“done”);
  bool done = True;
}
