// Objects outside of all functions call CUDA in their constructors, before main, and in their
// destructors, after it.
#include <cstdio>
#include <cstdlib>

__global__ void count_up(int *values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    values[i] += i;
}

__device__ int offset = 7;

class Numbers {
public:
  explicit Numbers(int n) : n(n) {
    host = static_cast<int *>(calloc(n, sizeof(int)));
    right = cudaStreamCreate(&stream) == cudaSuccess && cudaEventCreate(&event) == cudaSuccess &&
            cudaMalloc(&values, n * sizeof(int)) == cudaSuccess &&
            cudaMemcpy(values, host, n * sizeof(int), cudaMemcpyHostToDevice) == cudaSuccess &&
            cudaMemcpyFromSymbol(&first, offset, sizeof first) == cudaSuccess;
    count_up<<<(n + 127) / 128, 128, 0, stream>>>(values, n);
    right = right && cudaEventRecord(event, stream) == cudaSuccess &&
            cudaEventSynchronize(event) == cudaSuccess;
  }
  ~Numbers() { // another kernel
    count_up<<<(n + 127) / 128, 128, 0, stream>>>(values, n);
    if (cudaMemcpyAsync(host, values, n * sizeof(int), cudaMemcpyDeviceToHost, stream) !=
            cudaSuccess ||
        cudaStreamSynchronize(stream) != cudaSuccess || host[n - 1] != 2 * (n - 1))
      _Exit(1);
    cudaFree(values);
    cudaEventDestroy(event);
    cudaStreamDestroy(stream);
    free(host);
  }
  Numbers(const Numbers &) = delete;
  Numbers &operator=(const Numbers &) = delete;
  bool all_right() {
    right = right && first == 7 &&
            cudaMemcpy(host, values, n * sizeof(int), cudaMemcpyDeviceToHost) == cudaSuccess;
    for (int i = 0; i < n; ++i)
      right = right && host[i] == i;
    return right;
  }

private:
  int n, first = 0;
  int *host, *values = nullptr;
  cudaStream_t stream;
  cudaEvent_t event;
  bool right;
};

static Numbers few(100), many(100000);

int main() {
  const bool right = few.all_right() && many.all_right();
  puts(right ? "PASS" : "FAIL");
  return !right;
}
