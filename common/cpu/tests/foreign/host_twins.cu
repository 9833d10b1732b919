// A host function that has the name of a kernel and launches it, and dot products of char4.
#include <cstdio>

__global__ void dot(const char4 *a, const uchar4 *b, int *sums) {
  sums[0] = __dp4a(a[0], a[1], 1);
  sums[1] = __dp4a(b[0], b[1], 2u);
}

bool dot() {
  char4 *a;
  uchar4 *b;
  int *sums;
  cudaMallocManaged(&a, 2 * sizeof *a);
  cudaMallocManaged(&b, 2 * sizeof *b);
  cudaMallocManaged(&sums, 2 * sizeof *sums);
  a[0] = make_char4(-128, 2, 3, 4);
  a[1] = make_char4(127, -1, 0, 5);
  b[0] = make_uchar4(255, 2, 3, 4);
  b[1] = make_uchar4(255, 1, 0, 5);
  dot<<<1, 1>>>(a, b, sums);
  const bool is_right = cudaDeviceSynchronize() == cudaSuccess &&
                        sums[0] == 1 - 128 * 127 - 2 + 20 && sums[1] == 2 + 255 * 255 + 2 + 20;
  cudaFree(a);
  cudaFree(b);
  cudaFree(sums);
  return is_right;
}

// One of another namespace takes nothing from the launch.
struct Two {
  int low, high;
};
__global__ void put(int *out, Two two) { *out = 10 * two.high + two.low; }
namespace host {
void put(int *out, Two two) { *out = two.high - two.low; }
} // namespace host

bool put_both() {
  int *out, difference;
  cudaMallocManaged(&out, sizeof *out);
  put<<<1, 1>>>(out, {1, 2});
  host::put(&difference, {1, 2});
  const bool is_right = cudaDeviceSynchronize() == cudaSuccess && *out == 21 && difference == 1;
  cudaFree(out);
  return is_right;
}

int main() {
  const bool is_right = dot() && put_both();
  puts(is_right ? "PASS" : "FAIL");
  return !is_right;
}
