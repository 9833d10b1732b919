__global__ void say() {}
int main() {
  say<<<1, 32>>>;
}
