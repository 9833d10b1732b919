// A feature that is missing is one error, at its first use.
#include <cstdio>

__global__ void look(cudaTextureObject_t t, const float *x, float *out, int n, float y) {
  const int i = threadIdx.x;
  if (i < n)
    out[i] = tex2D<float>(t, x[i], y);
}

static void run(int n, cudaTextureAddressMode mode, const float *xs, float *out) {
  cudaArray_t a;
  auto format = cudaCreateChannelDesc<float>();
  cudaMallocArray(&a, &format, 4, 2);
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = a;
  cudaTextureDesc d{};
  d.addressMode[0] = d.addressMode[1] = mode;
  d.filterMode = cudaFilterModeLinear;
  cudaTextureObject_t t;
  cudaCreateTextureObject(&t, &resource, &d, nullptr);
  look<<<1, 32>>>(t, xs, out, n, 0.5f);
  cudaDestroyTextureObject(t);
  cudaFreeArray(a);
}

int main() {
  run(6, cudaAddressModeWrap, nullptr, nullptr);
  std::printf("%d\n", not_a_feature);
}
