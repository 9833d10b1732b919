#define CPU
__global__ void add(int *a) { *a += 1; }

int main() {
  int *a;
  cudaMalloc(&a, sizeof(int));
#ifdef CPU
  add(a);
#else
  add<<<1, 1>>>(a);
#endif
}
