// Calls between host and device, and what is none.
#define HD __host__ __device__
#define TEST(name) void name()
float host(float x) { return x; }
__device__ float device(float x) { return x; }
__host__ __device__ float both(float x) { return x; }
HD float perhaps(float x) { return x; }
constexpr float constant(float x) { return x; }
float overloaded(float x) { return x; }
__device__ double overloaded(double x) { return x; }
float parameter(float x) { return x; }
struct Functor {
  __device__ float operator()(float x) const { return device(x) + host(x); }
  float hidden(float x) { return x; }
};
template <class F> __global__ void kernel(F parameter, float *x, Functor f) {
  x[0] = parameter(1) + both(2) + perhaps(3) + constant(4) + overloaded(5.0) + f.hidden(6);
  x[1] = host(7) + 2 * host(8);
}
TEST(macro) { __syncthreads(); }
int main() {
  kernel(host, nullptr, Functor());
  const float y = device(1) + both(2) + perhaps(3) + overloaded(4);
  auto lambda = [=] __device__(float x) { return device(x) + threadIdx.x; };
  struct Local {
    __device__ void operator()() { __syncthreads(); }
  };
  __syncthreads();
  kernel<<1, 2>>>(lambda, &y, Functor());
  return blockDim.x;
}
__global__ int value(int &reference) { return reference; }
__devcie__ int misspelt;
