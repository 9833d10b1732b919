// Kernels and launches that CUDA does not have. A pack of parameters is allowed.
__global__ __device__ void both(float *x) {}
__global__ void variadic(int n, ...) {}
template <class... A> __global__ void pack(A... a) {}
std::vector<float> host(int n) {
  return std::vector<float>(threadIdx.x);
}
int main() {
  pack<<<1, 2>>>(3, 4.0f);
  host<<<1, 2>>>(3);
}
