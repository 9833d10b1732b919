// malloc, free, new and delete in kernels: objects with destructors, virtual ones among them, that
// last from one kernel to the next, and a heap that has a limit.
#include <cstdio>
#include <cstdlib>

__device__ int destroyed;

struct Shape {
  __device__ virtual int area() const = 0;
  __device__ virtual ~Shape() { atomicAdd(&destroyed, 1); }
};

struct Padding {
  int unused = 7;
};

class Rectangle : public Padding, public Shape {
public:
  __device__ Rectangle(int width, int height) : sides(new int[2]) {
    sides[0] = width;
    sides[1] = height;
  }
  __device__ ~Rectangle() { delete[] sides; }
  __device__ int area() const override { return sides[0] * sides[1]; }

private:
  Rectangle(const Rectangle &) = delete;
  Rectangle &operator=(const Rectangle &) = delete;
  int *sides;
};

struct Item {
  int value = 3;
  __host__ __device__ ~Item() { value = 0; }
};

__host__ __device__ int sum_of_items(int n) {
  Item *items = new Item[n];
  int sum = 0;
  for (int i = 0; i < n; ++i)
    sum += items[i].value;
  delete[] items;
  return sum;
}

__global__ void make(Shape **shapes, int *sums) {
  shapes[threadIdx.x] = new Rectangle(threadIdx.x, 2);
  sums[threadIdx.x] = sum_of_items(threadIdx.x);
}

__global__ void use(Shape **shapes, int *areas) {
  areas[threadIdx.x] = shapes[threadIdx.x]->area();
  delete shapes[threadIdx.x];
}

__global__ void fill_heap(int *blocks) {
  void *first = nullptr;
  while (void *block = malloc(1 << 20)) {
    *static_cast<void **>(block) = first;
    first = block;
    ++*blocks;
  }
  while (first) {
    void *const next = *static_cast<void **>(first);
    free(first);
    first = next;
  }
}

__global__ void allocate(int **memory) { *memory = static_cast<int *>(malloc(sizeof(int))); }

int main() {
  size_t heap = 0;
  bool ok = cudaDeviceGetLimit(&heap, cudaLimitMallocHeapSize) == cudaSuccess && heap == 8 << 20;
  ok &= cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20) == cudaSuccess;

  constexpr int n = 64;
  Shape **shapes;
  int **memory, *numbers;
  cudaMalloc(&shapes, n * sizeof *shapes);
  cudaMalloc(&memory, sizeof *memory);
  cudaMallocManaged(&numbers, (2 * n + 1) * sizeof *numbers);
  numbers[2 * n] = 0;
  make<<<1, n>>>(shapes, numbers);
  use<<<1, n>>>(shapes, numbers + n);
  fill_heap<<<1, 1>>>(numbers + 2 * n);
  allocate<<<1, 1>>>(memory);
  ok &= cudaDeviceSynchronize() == cudaSuccess;
  for (int i = 0; i < n; ++i)
    ok &= numbers[i] == 3 * i && numbers[n + i] == 2 * i;
  int objects = 0;
  cudaMemcpyFromSymbol(&objects, destroyed, sizeof objects);
  ok &= objects == n && numbers[2 * n] > 8 && numbers[2 * n] <= 16 && sum_of_items(5) == 15;

  // The heap is in use: it has its size, and its memory is no business of the host's functions.
  int *block = nullptr;
  cudaMemcpy(&block, memory, sizeof block, cudaMemcpyDeviceToHost);
  ok &= block && cudaFree(block) == cudaErrorInvalidValue;
  ok &= cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20) == cudaErrorInvalidValue;

  cudaFree(shapes);
  cudaFree(memory);
  cudaFree(numbers);
  std::puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
