template <class T, int N> __global__ void forms() {
  __shared__ float one;
  __shared__ float tile[N][N + 1];
  __shared__ float a[3], b, c[N > 4 ? N : 4];
  __shared__ volatile float flags[32];
  volatile __shared__ float flags_too[32];
  static __shared__ int counter;
  __shared__ static int counter_too;
  __shared__ alignas(16) float aligned[4];
  alignas(16) __shared__ float aligned_first[4];
  __shared__ __align__(16) float aligned_cuda[4];
  __shared__ typename cub::BlockReduce<T, 256>::TempStorage storage;
  __shared__ cub::WarpReduce<float, 32>::TempStorage storages[4], more;
  __shared__ struct { int a, b; } record;
  __shared__ union Words { float f; int i; } words[4];
  __shared__ float* pointer;
  __shared__ float (*row)[4];
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier[N], *next;
}
__shared__ int at_file_scope[4];
