// says: kernel
__global__ void kernel(float* x, int n) { x[threadIdx.x] = n; }
void launch(float* x) { kernel<<<1, 32>>>(x); }
