// says: the CPU backend has wmma products of half
#include <mma.h>
__global__ void kernel() {
  nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 16, signed char, nvcuda::wmma::row_major> tile;
  fill_fragment(tile, 1);
}
