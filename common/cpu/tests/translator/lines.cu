// Each line keeps its number.
void lines() {
  several<<<
      blocks, // comment with >>> and (
      threads /* and
      another >>>( */
  >>>(
      x);
  typed<float,
        16><<<4, 256>>>(x);
  kernel
      <<<4, 256>>>
      (x);
}
__global__ void f() {
  extern
      __shared__
      float
      values[];
  __shared__ float
      tile[16]
          [17];
  __syncthreads(); __syncthreads(
                       ); __syncthreads();
}
int last;
