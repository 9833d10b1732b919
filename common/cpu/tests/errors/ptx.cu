// asm in device code; what is not compiled does no harm, nor does asm of the host.
__device__ unsigned new_gpu() {
#if __CUDA_ARCH__ >= 900
  asm("never");
#endif
  return 0;
}
__global__ void kernel(unsigned *x) {
  asm volatile("mov.u32 %0, %%smid;"
               : "=r"(*x));
  asm volatile("" ::: "memory");
  *x += new_gpu();
}
template <class T> __device__ void unused(T x) { asm("trap;"); }
#ifdef __x86_64__
long ticks() {
  unsigned low, high;
  asm volatile("rdtsc" : "=a"(low), "=d"(high));
  return low;
}
#endif
