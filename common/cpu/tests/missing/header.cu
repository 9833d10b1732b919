// says: cutlass/gemm/gemm.h
// note: cuBLAS has matrix products
#include <cutlass/gemm/gemm.h>
