// CUB in kernels: loads, stores, differences and scans of a block; pairs and traits.
#include <cstdio>
#include <cub/block/block_adjacent_difference.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>
#include <cub/thread/thread_operators.cuh>
#include <cub/util_type.cuh>

constexpr int threads = 64, items = 4, count = threads * items;

struct Less {
  template <class T> __device__ T operator()(T &a, T &b) const { return a - b; }
};

struct Multiply {
  __device__ unsigned operator()(unsigned a, unsigned b) const { return a * b; }
};

// A block's prefix: the sums of all earlier calls.
struct Running {
  int sum;
  __device__ int operator()(int aggregate) {
    const int before = sum;
    sum += aggregate;
    return before;
  }
};

// Only the first `count - 10` elements are valid.
__global__ void load_and_store(const int *in, int *striped, int *padded) {
  using Load = cub::BlockLoad<int, threads, items, cub::BLOCK_LOAD_STRIPED>;
  using LoadPart = cub::BlockLoad<int, threads, items, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
  using Store = cub::BlockStore<int, threads, items, cub::BLOCK_STORE_TRANSPOSE>;
  __shared__ union {
    Load::TempStorage load;
    LoadPart::TempStorage load_part;
    Store::TempStorage store;
  } storage;
  int values[items];
  Load(storage.load).Load(in, values);
  __syncthreads();
  Store(storage.store).Store(striped, values, count - 1);
  __syncthreads();
  LoadPart(storage.load_part).Load(in, values, count - 10, -1);
  __syncthreads();
  Store(storage.store).Store(padded, values);
}

__global__ void differences(const int *in, int *left, int *right, int *part) {
  using Difference = cub::BlockAdjacentDifference<int, threads>;
  __shared__ Difference::TempStorage storage;
  int values[items], result[items];
  cub::BlockLoad<int, threads, items>().Load(in, values);
  Difference(storage).SubtractLeft(values, result, Less(), 1000);
  cub::BlockStore<int, threads, items>().Store(left, result);
  __syncthreads();
  Difference(storage).SubtractLeftPartialTile(values, result, Less(), 7);
  cub::BlockStore<int, threads, items>().Store(part, result);
  __syncthreads();
  Difference(storage).SubtractRight(values, values, Less());
  cub::BlockStore<int, threads, items>().Store(right, values);
}

__global__ void scans(int *running, unsigned *powers, int *aggregates) {
  using Scan = cub::BlockScan<int, threads, cub::BLOCK_SCAN_WARP_SCANS>;
  using Products = cub::BlockScan<unsigned, threads>;
  __shared__ Scan::TempStorage storage;
  Running before{100};
  for (int round = 0; round < 2; round++) {
    int sum;
    Scan(storage).ExclusiveSum(1, sum, before);
    running[round * threads + threadIdx.x] = sum;
    __syncthreads();
  }
  unsigned power = 77;
  Products().ExclusiveScan(3u, power, Multiply());
  if (threadIdx.x > 0) // the first one is undefined
    powers[threadIdx.x] = power;
  int values[2] = {1, 2}, aggregate;
  Scan(storage).InclusiveSum(values, values, aggregate);
  aggregates[threadIdx.x] = aggregate + values[1];
}

__global__ void largest(const int *in, int *place) {
  using Pair = cub::KeyValuePair<int, int>;
  using Reduce = cub::BlockReduce<Pair, threads>;
  __shared__ Reduce::TempStorage storage;
  const Pair pair = Reduce(storage).Reduce(Pair(threadIdx.x, in[threadIdx.x]), cub::ArgMax());
  if (threadIdx.x == 0)
    *place = pair.key;
}

// Checks that the bits of numbers have the numbers' order, and come back.
template <class T> __global__ void orders(T smaller, T larger, int *ok) {
  using Bits = typename cub::Traits<T>::UnsignedBits;
  const Bits a = cub::Traits<T>::TwiddleIn(reinterpret_cast<Bits &>(smaller));
  const Bits b = cub::Traits<T>::TwiddleIn(reinterpret_cast<Bits &>(larger));
  *ok = sizeof(Bits) == sizeof(T) && a < b &&
        cub::Traits<T>::TwiddleOut(a) == reinterpret_cast<Bits &>(smaller);
}

template <class T> bool in_order(T smaller, T larger, int *ok) {
  orders<<<1, 1>>>(smaller, larger, ok);
  return cudaDeviceSynchronize() == cudaSuccess && *ok;
}

int main() {
  int *in, *a, *b, *c;
  for (int **array : {&in, &a, &b, &c})
    if (cudaMallocManaged(array, count * sizeof(int)) != cudaSuccess)
      return 1;
  for (int i = 0; i < count; i++)
    in[i] = i * i % 101;
  bool ok = true;

  a[count - 1] = -7;
  load_and_store<<<1, threads>>>(in, a, b);
  ok &= cudaDeviceSynchronize() == cudaSuccess && a[count - 1] == -7;
  for (int i = 0; i < count; i++) {
    ok &= i == count - 1 || a[i] == in[i / items + i % items * threads];
    ok &= b[i] == (i < count - 10 ? in[i] : -1);
  }

  differences<<<1, threads>>>(in, a, b, c);
  ok &= cudaDeviceSynchronize() == cudaSuccess;
  for (int i = 0; i < count; i++) {
    ok &= a[i] == in[i] - (i > 0 ? in[i - 1] : 1000);
    ok &= b[i] == in[i] - (i < count - 1 ? in[i + 1] : 0);
    ok &= c[i] == in[i] - (i > 0 && i < 7 ? in[i - 1] : 0);
  }

  scans<<<1, threads>>>(a, reinterpret_cast<unsigned *>(b), c);
  ok &= cudaDeviceSynchronize() == cudaSuccess;
  unsigned power = 3;
  for (int i = 0; i < threads; i++) {
    ok &= a[i] == 100 + i && a[threads + i] == 100 + threads + i;
    ok &= i == 0 || static_cast<unsigned>(b[i]) == power;
    power *= i > 0 ? 3 : 1;
    ok &= c[i] == 3 * threads + 3 * (i + 1);
  }

  in[20] = in[30] = 200;
  largest<<<1, threads>>>(in, a);
  ok &= cudaDeviceSynchronize() == cudaSuccess && *a == 20;

  ok &= in_order(-2.0f, -1.0f, a) && in_order(-1.0, 1.0, a) && in_order(1.0f, 2.0f, a);
  ok &= in_order(-5, 5, a) && in_order(3u, 4000000000u, a) && in_order<signed char>(-1, 0, a);
  std::puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
