# the same as in Numba
__global__ void add(float *x, int n) {
  i = cuda.grid(1);
  int stride = cuda.gridsize(1);
  if i < n:
    x[i] = n ** 2;
  float y = math.sqrt(x[0]);
  y = np.inf;
  n = x.shape;
  for (int half = n; half > 0; half = half // 2)
    n = n + half;
}
