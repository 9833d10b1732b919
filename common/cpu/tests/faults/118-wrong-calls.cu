// Calls that CUDA refuses, and memory that is not what a call needs.
#include "cases.hpp"

#include <cstdlib>
#include <cub/cub.cuh>

// Of several cases.
__global__ void fill(int *a) { a[threadIdx.x] = 1; }

// case copies_refused
// expect: memcheck long
// expect: memcheck kind
// expect: memcheck memset
// expect: memcheck for
// expect: memcheck while
// expect: memcheck do
// expect: memcheck else
// expect: memcheck case
// expect: memcheck default
// expect: memcheck lambda
// Copies that CUDA refuses, and nobody asks why: too long, in the wrong direction; a fill too long.
// A program's own names may begin like CUDA's.
#define cudaMustFail(call)                                                                         \
  do {                                                                                             \
    if ((call) == cudaSuccess)                                                                     \
      std::exit(1);                                                                                \
  } while (0)
inline void cudaMayFail(cudaError_t) {}

// Wherever a statement may begin. (Of two equal branches the compiler may make one.)
inline void everywhere(float *a, std::size_t bytes) {
  for (int i = 0; i < 1; ++i)
    cudaMemset(a, 0, bytes); // @for
  int times = 1;
  while (times-- > 0)
    cudaMemset(a, 0, bytes); // @while
  do
    cudaMemset(a, 0, bytes); // @do
  while (false);
  if (!a)
    ;
  else
    cudaMemset(a, 0, bytes); // @else
  for (int kind : {1, 2})
    switch (kind) {
    case 1:
      cudaMemset(a, 0, bytes); // @case
      break;
    default:
      cudaMemsetAsync(a, 0, bytes); // @default
    }
  const auto call = [=] {
    cudaMemset(a, 0, bytes); // @lambda
  };
  call();
}

CASE(copies_refused) {
  std::vector<float> host(64, 1);
  float *a = array<float>(32);
  if (fixed) {
    cudaMemcpy(a, host.data(), 32 * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(host.data(), a, 32 * sizeof(float), cudaMemcpyDeviceToHost);
    everywhere(a, 32 * sizeof(float));
    cudaMemset(a, 0, 33 * sizeof(float));
    if (cudaGetLastError() != cudaErrorInvalidValue) // looked at
      std::exit(1);
    cudaMustFail(cudaMemset(a, 0, 33 * sizeof(float)));
    cudaMayFail(cudaMemset(a, 0, 33 * sizeof(float)));
    cudaMemset(a, 0, 34 * sizeof(float)); // the next call fails with the same error
    cudaMustFail(cudaMemset(a, 0, 33 * sizeof(float)));
    cudaGetLastError(); // clears the known error
  } else {
    cudaMemset(a, 0, 32 * sizeof(float));
    if (!host.empty())
      cudaMemcpy(a, host.data(), 64 * sizeof(float), cudaMemcpyHostToDevice); // @long
    cudaMemcpy(host.data(), a, 32 * sizeof(float), cudaMemcpyHostToDevice);   // @kind
    cudaMemset(a, 0, 33 * sizeof(float));                                     // @memset
    everywhere(a, 33 * sizeof(float));
  }
  for (; cudaStreamQuery(nullptr);) // a condition, no statement
    ;
  cudaError_t error = cudaMemset(a, 0, 33 * sizeof(float)); // its result is looked at
  if (error != cudaErrorInvalidValue)
    std::exit(1);
}

// case launches_refused
// expect: memcheck none
// expect: memcheck many
// expect: memcheck shared
// expect: memcheck exchanged
// says: grid and block are exchanged: <<<grid, block>>>
// Launches that CUDA refuses. cudaDeviceSynchronize does not tell; cudaGetLastError would.
__global__ void launches_refused_fill(int *a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = 1;
}

CASE(launches_refused) {
  const int n = 100;
  int *a = array<int>(n);
  if (fixed) {
    launches_refused_fill<<<(n + 255) / 256, 256>>>(a, n);
    launches_refused_fill<<<1, 2048>>>(a, n); // refused on purpose
    if (cudaGetLastError() != cudaErrorInvalidConfiguration)
      std::exit(1);
  } else {
    launches_refused_fill<<<n / 256, 256>>>(a, n);    // @none
    launches_refused_fill<<<1, 2048>>>(a, n);         // @many
    launches_refused_fill<<<1, 32, 64 << 10>>>(a, n); // @shared
    launches_refused_fill<<<256, 3907>>>(a, n);       // @exchanged
  }
}

// case stream_of_another_device
// expect: memcheck launch
// A kernel is launched into a stream of the device that was current before.
CASE(stream_of_another_device) {
  Stream stream;
  cudaSetDevice(1);
  int *a = array<int>(32);
  if (fixed) {
    Stream second;
    fill<<<1, 32, 0, second>>>(a);
  } else {
    fill<<<1, 32, 0, stream>>>(a); // @launch
  }
}

// case destroyed_handles
// expect: memcheck launch
// expect: memcheck wait
// A stream and an event are used after they were destroyed, and others have been created since.
CASE(destroyed_handles) {
  int *a = array<int>(32);
  cudaStream_t stream, other;
  cudaEvent_t event, other_event;
  cudaStreamCreate(&stream);
  cudaEventCreate(&event);
  if (!fixed) {
    cudaStreamDestroy(stream);
    cudaEventDestroy(event);
  }
  cudaStreamCreate(&other);
  cudaEventCreate(&other_event);
  fill<<<1, 32, 0, stream>>>(a);     // @launch
  cudaStreamWaitEvent(other, event); // @wait
  if (fixed) {
    cudaStreamDestroy(stream);
    cudaEventDestroy(event);
  }
  cudaStreamDestroy(other);
  cudaEventDestroy(other_event);
}

// case nobody_waits
// expect: memcheck fill
// The program ends without waiting for its kernel, and never learns that it fails.
__managed__ int values[32];

__global__ void nobody_waits_fill(int *a, int n) {
  a[n] = 1; // @fill
}

CASE(nobody_waits) {
  int *a = nullptr;
  cudaMalloc(&a, 32 * sizeof(int));
  cudaFree(a);
  if (fixed)
    cudaGetSymbolAddress(&a, values);
  nobody_waits_fill<<<1, 1>>>(a, 31);
  std::exit(0);
}

// case memory_of_another_device
// expect: memcheck read
// A kernel of one device reads memory of another, which it has not been given access to.
__global__ void copy(const int *a, int *b) {
  b[threadIdx.x] = a[threadIdx.x]; // @read
}

CASE(memory_of_another_device) {
  int *a = array<int>(32, 0);
  cudaDeviceSynchronize();
  cudaSetDevice(1);
  int *b = array<int>(32);
  if (fixed)
    cudaDeviceEnablePeerAccess(0, 0);
  copy<<<1, 32>>>(a, b);
}

// case unwritten_copied_to_the_host
// expect: initcheck last
// expect: initcheck none
// The host gets values that no kernel has written: the last one of an array, and a sum.
struct Cell { // with holes between its members
  char kind;
  double value;
};

__global__ void fill_first_half(float *a, int n, Cell *cells) {
  if (threadIdx.x < n)
    a[threadIdx.x] = 1;
  if (threadIdx.x < 16) {
    cells[threadIdx.x].kind = 1;
    cells[threadIdx.x].value = 2;
  }
}

CASE(unwritten_copied_to_the_host) {
  float *a = array<float>(100), *sum = array<float>(1);
  Cell *cells = array<Cell>(16), host_cells[16];
  if (fixed)
    cudaMemset(sum, 0, sizeof *sum);
  fill_first_half<<<1, 128>>>(a, fixed ? 100 : 99, cells);
  std::vector<float> host(100);
  cudaMemcpy(host.data(), a, 100 * sizeof(float), cudaMemcpyDeviceToHost); // @last
  cudaMemcpy(host.data(), sum, sizeof(float), cudaMemcpyDeviceToHost);     // @none
  cudaMemcpy(host_cells, cells, sizeof host_cells, cudaMemcpyDeviceToHost);
}

// case overlapping_copies
// expect: memcheck shift
// expect: memcheck rows
// Copies within an array, whose target overlaps their source.
CASE(overlapping_copies) {
  int *a = array<int>(64, 0);
  const size_t row = 16 * sizeof(int), part = 8 * sizeof(int);
  cudaDeviceSynchronize();
  if (fixed) {
    cudaMemcpy(a + 32, a, 32 * sizeof(int), cudaMemcpyDeviceToDevice);
    cudaMemcpy2D(a + 8, row, a, row, part, 4, cudaMemcpyDeviceToDevice);  // other columns
    cudaMemcpy2D(a + 32, row, a, row, part, 2, cudaMemcpyDeviceToDevice); // other rows
  } else {
    cudaMemcpy(a + 1, a, 32 * sizeof(int), cudaMemcpyDeviceToDevice);     // @shift
    cudaMemcpy2D(a + 16, row, a, row, part, 3, cudaMemcpyDeviceToDevice); // @rows
  }
}

// case past_a_host_array
// expect: memcheck back
// expect: memcheck there
// expect: memcheck pinned
// Copies to and from host memory that is too short: bytes for elements, the number of another
// array, a last chunk that is shorter.
CASE(past_a_host_array) {
  float *a = array<float>(100, 0);
  std::vector<float> host(100);
  float *half = static_cast<float *>(std::malloc(50 * sizeof(float)));
  for (int i = 0; i < 50; ++i)
    half[i] = i;
  cudaHostRegister(half, 50 * sizeof(float), cudaHostRegisterDefault);
  if (fixed) {
    cudaMemcpyAsync(half + 40, a, 10 * sizeof(float), cudaMemcpyDeviceToHost);
    cudaDeviceSynchronize();
    cudaMemcpy(host.data(), a, 100 * sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpy(host.data() + 99, a, sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpy(a, half, 50 * sizeof(float), cudaMemcpyHostToDevice);
  } else {
    cudaMemcpyAsync(half + 40, a, 20 * sizeof(float), cudaMemcpyDeviceToHost); // @pinned
    cudaDeviceSynchronize();
    cudaMemcpy(host.data() + 1, a, 100 * sizeof(float), cudaMemcpyDeviceToHost); // @back
    cudaMemcpy(a, half, 100 * sizeof(float), cudaMemcpyHostToDevice);            // @there
  }
  cudaHostUnregister(half);
  std::free(half);
}

// case cub_storage
// expect: memcheck small
// expect: memcheck short
// CUB's temporary storage: smaller than CUB has asked for, and an array shorter than said.
CASE(cub_storage) {
  const int n = 10000;
  float *a = array<float>(n, 0), *sum = array<float>(1);
  size_t bytes = 0;
  cub::DeviceReduce::Sum(nullptr, bytes, a, sum, n);
  char *storage = array<char>(bytes);
  if (fixed) {
    cub::DeviceReduce::Sum(storage, bytes, a, sum, n);
  } else {
    size_t less = bytes - 1;
    cub::DeviceReduce::Sum(storage, less, a, sum, n); // @small
    char *half = array<char>(bytes / 2);
    cub::DeviceReduce::Sum(half, bytes, a, sum, n); // @short
  }
}

// case constant_memory_written
// expect: memcheck by_name
// expect: memcheck by_address
// Kernels read constant memory, and do not write it: NVIDIA's nvcc leaves out the first of these
// writes, with a warning.
__device__ int variables[4];
__constant__ int factors[4];

__global__ void set(bool fixed) {
  if (fixed)
    variables[threadIdx.x] = 1;
  else
    factors[threadIdx.x] = 1; // @by_name
}

__global__ void scale(int *x) {
  x[threadIdx.x] *= 2; // @by_address
}

CASE(constant_memory_written) {
  void *address = nullptr;
  if (fixed)
    cudaGetSymbolAddress(&address, variables);
  else
    cudaGetSymbolAddress(&address, factors);
  set<<<1, 4>>>(fixed);
  scale<<<1, 4>>>(static_cast<int *>(address));
}
