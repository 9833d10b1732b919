// Kernels and launches that CUDA does not have. A pack of parameters is allowed, and a template's
// value of any type.
__global__ __device__ void both(float *x) {}
__global__ void variadic(int n, ...) {}
template <class... A> __global__ void pack(A... a) {}
template <auto V> __global__ void value(int *x) {}
template <auto V> __global__ auto no_type(int *x) {}
std::vector<float> host(int n) {
  return std::vector<float>(threadIdx.x);
}
int main() {
  pack<<<1, 2>>>(3, 4.0f);
  host<<<1, 2>>>(3);
}
