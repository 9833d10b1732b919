__global__ void count(int &result) { atomicAdd(&result, 1); }
int main() {
  int result = 0;
  count<<<1, 32>>>(result);
}
