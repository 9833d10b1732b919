//// constant_memory
__constant__ float c[20000]; // expected-error: uses too much global constant data
__global__ void k(float *x) { x[0] = c[threadIdx.x]; }
int main() { k<<<1, 1>>>(nullptr); }
//// constant_memory_of_two
__constant__ float c1[10000], c2[10000]; // expected-error: uses too much global constant data
__global__ void k(float *x) { x[threadIdx.x] = c1[threadIdx.x] + c2[threadIdx.x]; }
//// constant_memory_of_const_variables
typedef float (*Function)(float);
__device__ float half_of(float x) { return x / 2; }
const __constant__ Function functions[2] = {half_of, half_of};
__constant__ const float c1[10000] = {1};
static const __constant__ float c2[10000] = {2}; // expected-error: uses too much global constant data
__global__ void k(float *x) { x[threadIdx.x] = functions[0](c1[threadIdx.x]) + c2[threadIdx.x]; }
//// constant_memory_that_fits
__constant__ float c[6384];
static const __constant__ float c2[10000] = {2};
__global__ void k(float *x) { x[0] = c[threadIdx.x] + c2[threadIdx.x]; }
//// static_shared_of_two
template <int n> __global__ void k(float *x) {
  __shared__ float a[n];
  __shared__ int i, b[n]; // expected-error: static assertion failed: b and the __shared__ variables before it
  a[threadIdx.x] = b[threadIdx.x] = i = x[0];
}
int main() { k<8192><<<1, 32>>>(nullptr); }
//// static_shared_of_branches
__global__ void k(float *x) {
#ifdef OTHER
  __shared__ double a[6144];
#else
  __shared__ float a[6144], b[6100];
#endif
  if (x[0] > 0) {
    __shared__ float first[20];
    a[threadIdx.x] = first[threadIdx.x] = x[0];
  } else {
    __shared__ float second[20], b[10];
    a[threadIdx.x] = second[threadIdx.x] = b[threadIdx.x] = x[0];
  }
}
//// parameters
struct Big { char b[32768]; };
__global__ void k(Big b, int *x) { *x = b.b[0]; }
int main() { int *x = nullptr; k<<<1, 1>>>(Big(), x); } // expected-error: the kernel has more than 32764 bytes
//// parameters_of_a_template
struct Big { char b[32768]; };
template <class T> __global__ void k(T b, int *x) { *x = b.b[0]; }
int main() { int *x = nullptr; k<<<1, 1>>>(Big(), x); } // expected-error: the kernel has more than 32764 bytes
//// parameters_that_fit
struct Big { char b[32756]; };
__global__ void k(Big b, int *x) { *x = b.b[0]; }
int main() { int *x = nullptr; k<<<1, 1>>>(Big(), x); }
//// dynamic_shared_of_two_types
template <class T> __global__ void k(T *x) { extern __shared__ T s[]; x[0] = s[0]; } // expected-error: conflicting declaration
int main() { k<float><<<1, 32, 128>>>(nullptr); k<double><<<1, 32, 256>>>(nullptr); }
//// dynamic_shared_of_one_type
template <class T> __global__ void k(T *x) { extern __shared__ float s[]; x[0] = s[0]; }
__global__ void j(float *x) { extern __shared__ float s[]; extern __shared__ double t[][2]; x[0] = s[0] + t[0][1]; }
namespace other { __global__ void j(int *x) { extern __shared__ __align__(16) int s[], u[]; x[0] = s[0] + u[1]; } }
int main() { k<<<1, 32, 128>>>((float *)nullptr); k<<<1, 32, 256>>>((double *)nullptr); }
//// dynamic_shared_of_the_launcher
float s[32];
template <class T> struct Shared { __device__ static T *get() { extern __shared__ int memory[]; return (T *)memory; } };
__global__ void k(float *x) { extern __shared__ float s[]; s[0] = x[0]; x[1] = s[0] + *Shared<double>::get(); }
//// launch_in_a_kernel
__global__ void child(int *x) { x[threadIdx.x] = 1; }
template <int depth> __global__ void parent(int *x) { child<<<1, 32>>>(x); } // expected-error: a kernel launches a kernel (dynamic parallelism)
int main() { parent<3><<<1, 32>>>(nullptr); }
//// copy_without_direction
#define CHECK(call) ((call) == cudaSuccess)
bool f(float *x, float *y) { return CHECK(cudaMemcpy(x, y, 4)); } // expected-error: cudaMemcpy needs the direction as its fourth argument
