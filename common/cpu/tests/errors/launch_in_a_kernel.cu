__global__ void child(int *x) { x[threadIdx.x] = 1; }
template <int depth> __global__ void parent(int *x) {
  if (threadIdx.x == 0)
    child<<<1, 32>>>(x);
}
int main() { parent<3><<<1, 32>>>(nullptr); }
