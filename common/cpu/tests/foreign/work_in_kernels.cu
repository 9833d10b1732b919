// Work that kernels launch besides kernels: copies and fills, in order with them; events and
// streams; the streams cudaStreamTailLaunch and cudaStreamFireAndForget; and a long chain of
// launches.
#include <cstdio>

__device__ int noted[16], notes, variable[4] = {1, 2, 3, 4};

__global__ void note(int number) { noted[notes++] = number; }
__global__ void add_one(int *x) { ++x[threadIdx.x]; }

// x: all 1, then the first half 0, then all one more; y: a copy of that.
__global__ void fill_and_copy(int *x, int *y) {
  add_one<<<1, 32>>>(x);
  cudaMemsetAsync(x, 0, 16 * sizeof *x);
  add_one<<<1, 32>>>(x);
  cudaMemcpyAsync(y, x, 32 * sizeof *x, cudaMemcpyDeviceToDevice);
  add_one<<<1, 32>>>(x);
}

// y: two columns of x, a matrix of 8 columns, then the variable.
__global__ void copy_columns(const int *x, int *y) {
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaMemcpy2DAsync(y, 8, x + 1, 32, 8, 4, cudaMemcpyDefault, stream);
  cudaMemcpyAsync(y + 8, variable, sizeof variable, cudaMemcpyDeviceToDevice, stream);
  cudaStreamDestroy(stream);
}

// y: the errors of copies that no child can make.
__global__ void refused(int *x, int *y) {
  int own = 1;
  y[0] = cudaMemcpyAsync(x, &own, sizeof own, cudaMemcpyDefault);
  y[1] = cudaMemsetAsync(x, 0, 1 << 20);
  y[2] = cudaMemcpyAsync(x, x + 1, 4, cudaMemcpyHostToDevice);
  cudaEvent_t event;
  y[3] = cudaEventCreateWithFlags(&event, cudaEventDefault); // would measure time
  y[4] = cudaGetLastError();
  y[5] = cudaGetLastError();
  y[6] =
      cudaMemsetAsync(malloc(64), 0, 64); // memory of the kernels' heap, which CUDA does not take
}

__global__ void across_streams() {
  cudaStream_t first, second;
  cudaEvent_t event;
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  note<<<1, 1, 0, first>>>(1);
  cudaEventRecord(event, first);
  cudaStreamWaitEvent(second, event, 0);
  note<<<1, 1, 0, second>>>(2);
  cudaEventDestroy(event);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
}

__global__ void tails(int number) {
  note<<<1, 1, 0, cudaStreamTailLaunch>>>(number + 3);
  note<<<1, 1, 0, cudaStreamTailLaunch>>>(number + 4);
  note<<<1, 1>>>(number + 1);
  note<<<1, 1, 0, cudaStreamFireAndForget>>>(number + 2);
}
__global__ void nested_tails() {
  tails<<<1, 1, 0, cudaStreamTailLaunch>>>(20);
  note<<<1, 1, 0, cudaStreamTailLaunch>>>(30);
  tails<<<1, 1>>>(10);
}

__global__ void chain(int *x, int left, bool as_tail) {
  ++*x;
  if (left > 0 && as_tail)
    chain<<<1, 1, 0, cudaStreamTailLaunch>>>(x, left - 1, true);
  else if (left > 0)
    chain<<<1, 1>>>(x, left - 1, false);
}

static bool ok = true;
static void expect(bool is_so, const char *what) {
  if (!is_so)
    std::printf("not so: %s\n", what);
  ok &= is_so;
}

static void expect_notes(const char *what, std::initializer_list<int> wanted) {
  int found[16], count;
  expect(cudaMemcpyFromSymbol(found, noted, sizeof found) == cudaSuccess, what);
  cudaMemcpyFromSymbol(&count, notes, sizeof count);
  expect(count == int(wanted.size()), what);
  for (const int *number = wanted.begin(); number < wanted.end(); ++number)
    expect(found[number - wanted.begin()] == *number, what);
  count = 0;
  cudaMemcpyToSymbol(notes, &count, sizeof count);
}

int main() {
  int *x, *y;
  cudaMallocManaged(&x, 32 * sizeof *x);
  cudaMallocManaged(&y, 32 * sizeof *y);
  for (int i = 0; i < 32; ++i)
    x[i] = 0;
  fill_and_copy<<<1, 1>>>(x, y);
  expect(cudaDeviceSynchronize() == cudaSuccess, "fills and copies end");
  expect(y[0] == 1 && y[15] == 1 && y[16] == 2 && y[31] == 2 && x[31] == 3, "in their order");

  for (int i = 0; i < 32; ++i)
    x[i] = i;
  copy_columns<<<1, 1>>>(x, y);
  expect(cudaDeviceSynchronize() == cudaSuccess, "copies of rows end");
  expect(y[0] == 1 && y[1] == 2 && y[2] == 9 && y[7] == 26 && y[11] == 4, "two columns");

  refused<<<1, 1>>>(x, y);
  expect(cudaDeviceSynchronize() == cudaSuccess && x[0] == 0, "nothing is copied");
  expect(y[0] == cudaErrorInvalidValue && y[1] == cudaErrorInvalidValue, "memory is refused");
  expect(y[2] == cudaErrorInvalidMemcpyDirection && y[3] == cudaErrorInvalidValue, "kinds, too");
  expect(y[4] == cudaErrorInvalidValue && y[5] == cudaSuccess, "the last error");
  expect(y[6] == cudaErrorInvalidValue, "the heap is refused");

  across_streams<<<1, 1>>>();
  expect_notes("one stream waits for another", {1, 2});
  tails<<<1, 1>>>(0);
  note<<<1, 1>>>(5);
  expect_notes("tails", {1, 2, 3, 4, 5});
  nested_tails<<<1, 1>>>();
  expect_notes("tails of children", {11, 12, 13, 14, 21, 22, 23, 24, 30});

  for (const bool as_tail : {false, true}) {
    *x = 0;
    chain<<<1, 1>>>(x, 20000, as_tail);
    expect(cudaDeviceSynchronize() == cudaSuccess && *x == 20001, "a long chain");
  }
  cudaFree(x);
  cudaFree(y);
  std::puts(ok ? "PASS" : "FAIL");
  return !ok;
}
