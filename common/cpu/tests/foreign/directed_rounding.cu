// Interval arithmetic: each intrinsic gives the number next to the exact result, on its side of it.
#include <math.h>
#include <stdio.h>

struct Bounds {
  float down, up, zero;
};

__global__ void bounds(Bounds *out, const float *a, const float *b, int n) {
  const int i = threadIdx.x;
  if (i >= n)
    return;
  const float x = a[i], y = b[i], z = fabsf(y);
  out[6 * i] = {__fadd_rd(x, y), __fadd_ru(x, y), __fadd_rz(x, y)};
  out[6 * i + 1] = {__fmul_rd(x, y), __fmul_ru(x, y), __fmul_rz(x, y)};
  out[6 * i + 2] = {__fdiv_rd(x, y), __fdiv_ru(x, y), __fdiv_rz(x, y)};
  out[6 * i + 3] = {__fsqrt_rd(z), __fsqrt_ru(z), __fsqrt_rz(z)};
  out[6 * i + 4] = {__fmaf_rd(x, y, x), __fmaf_ru(x, y, x), __fmaf_rz(x, y, x)};
  out[6 * i + 5] = {__int2float_rd(16777217 + i), __int2float_ru(16777217 + i),
                    __int2float_rz(16777217 + i)};
}

// `exact` has more digits than a float.
static bool holds(const Bounds &found, long double exact) {
  float nearest = (float)exact;
  const float down = nearest > exact ? nextafterf(nearest, -INFINITY) : nearest;
  const float up = nearest < exact ? nextafterf(nearest, INFINITY) : nearest;
  return found.down == down && found.up == up && found.zero == (exact < 0 ? up : down);
}

int main() {
  const int n = 64;
  float *a, *b;
  Bounds *out;
  cudaMallocManaged(&a, n * sizeof *a);
  cudaMallocManaged(&b, n * sizeof *b);
  cudaMallocManaged(&out, 6 * n * sizeof *out);
  for (int i = 0; i < n; ++i) {
    a[i] = (i % 3 - 1.1f) / (i + 0.7f);
    b[i] = (i % 2 ? -1.f : 1.f) * (0.3f + i * 0.01f);
  }
  bounds<<<1, n>>>(out, a, b, n);
  bool right = cudaDeviceSynchronize() == cudaSuccess;
  for (int i = 0; i < n; ++i) {
    const long double x = a[i], y = b[i];
    right = right && holds(out[6 * i], x + y) && holds(out[6 * i + 1], x * y);
    right = right && holds(out[6 * i + 2], x / y) && holds(out[6 * i + 3], sqrtl(fabsl(y)));
    right = right && holds(out[6 * i + 4], x * y + x) && holds(out[6 * i + 5], 16777217 + i);
  }
  cudaFree(a);
  cudaFree(b);
  cudaFree(out);
  puts(right ? "PASS" : "FAIL");
  return !right;
}
