extern __shared__ float at_file_scope[];
namespace a { inline namespace b::c {
extern __shared__ __align__(16) unsigned char in_namespace[];
} }
extern "C" {
extern __shared__ int in_linkage[];
__global__ void in_function() { extern __shared__ int inner[]; }
}
extern "C" __global__ void c_function() { extern __shared__ int inner[]; }
#if TYPE == 1
__global__ void branches(int a) {
#else
__global__ void branches(float a) {
#endif
  extern __shared__ float in_function_after_branches[];
}
extern __shared__ float at_file_scope_again[];
__device__ int *cast() { return reinterpret_cast<int *>(at_file_scope) + reinterpret_cast<int *>(other); }
struct Functor { __device__ void operator()() { extern __shared__ float s[]; } };
template <class T> __global__ void forms() {
  extern __shared__ T dependent[];
  extern __shared__ typename T::type named[];
  extern __shared__ volatile float after[];
  volatile extern __shared__ float before[];
  __shared__ extern float reversed[];
  extern __shared__ __align__(sizeof(T)) unsigned char raw[];
  extern __shared__ alignas(16) unsigned char aligned[];
  alignas(16) extern __shared__ unsigned char aligned_first[];
  extern __shared__ __attribute__((aligned(16))) unsigned char attributed[];
  extern __shared__ unsigned long long words[];
  extern __shared__ std::pair<int, float> pairs[];
  extern __shared__ float rows[][32];
  extern __shared__ float* pointers[];
  extern __shared__ float one[], two[], *three[];
  extern __shared__ const float sized[256];
}
