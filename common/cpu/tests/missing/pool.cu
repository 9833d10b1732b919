// says: cudaMemPoolCreate
// note: memory pools of a program's own
int main() {
  cudaMemPool_t pool;
  cudaMemPoolCreate(&pool, nullptr);
}
