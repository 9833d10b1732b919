__global__ void shade(float *image, int columns) {
  int row = threadIdx.y, column = threadIdx.x;
  image[row][column] = image[row * columns] ^ 2;
  float sum = 0;
  sum[column] += image[row];
  image[sum] = 0;
}
