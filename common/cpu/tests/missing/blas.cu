// says: cublasSsyrk
// note: this part of cuBLAS
#include <cublas_v2.h>
void square(cublasHandle_t handle, const float *a, float *c) { cublasSsyrk(handle, a, c); }
