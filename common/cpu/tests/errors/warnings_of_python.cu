int next(int n) {
  n = n + 1;
}
float column(const float *matrix, int row, int col) {
  return matrix[row, col];
}
struct Range {
  float low, high;
};
Range range(double x) {
  return {x, x};
}
__global__ void twice(float *x, int n) {
  int i = threadIdx.x;
  if (i < n)
    x[i] *= 2;
    x[i] += 1;
}
