__global__ void fill(float *x, int n) { x[threadIdx.x] = n; }
__global__ void fill(double *x, int n) { x[threadIdx.x] = n; }
template <int SIZE, class T> __global__ void tile(T *x) { x[SIZE] = 1; }
template <class T> __global__ void set(T *x, int) { *x = 0; }
int main() {
  int *x = nullptr;
  fill<<<1, 32>>>(x, 32);
  tile<<<1, 32>>>(x);
  set<<<1, 32>>>(nullptr, 0);
  set<float><<<1, 32>>>(x, 0);
}
