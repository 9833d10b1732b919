__global__ void fill(float *x, int n) { x[threadIdx.x] = n; }
template <class T> __global__ void scale(T *x, T factor) { x[threadIdx.x] *= factor; }
int main() {
  float *x = nullptr;
  fill<<<1, 32, 0, 0, 0>>>(x, 32);
  fill<<<x, 32>>>(x, 32);
  fill<<<1, 32, x>>>(x, 32);
  (fill<<<1, 32>>>(x, x));
  fill<<<1, 32>>>(x);
  scale<<<1, 32>>>(x, 2.0);
}
