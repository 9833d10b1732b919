// Accesses outside arrays, and memory that is never freed.
#include "cases.hpp"

// case left_neighbour
// expect: memcheck read
// The first element has no left neighbour.
__global__ void differences(bool fixed, const int *in, int *out) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  out[i] = fixed && i == 0 ? in[0] : in[i] - in[i - 1]; // @read
}

CASE(left_neighbour) { differences<<<2, 64>>>(fixed, array<int>(128, 0), array<int>(128)); }

// case pitch_twice
// expect: memcheck write
// The pitch counts bytes; here it is taken as a number of elements.
__global__ void filled(bool fixed, float *a, size_t pitch, int width, int height) {
  const int x = threadIdx.x, y = blockIdx.x;
  float *row =
      fixed ? reinterpret_cast<float *>(reinterpret_cast<char *>(a) + y * pitch) : a + y * pitch;
  if (x < width && y < height)
    row[x] = 1; // @write
}

CASE(pitch_twice) {
  float *a = nullptr;
  size_t pitch = 0;
  cudaMallocPitch(reinterpret_cast<void **>(&a), &pitch, 30 * sizeof(float), 8);
  filled<<<8, 32>>>(fixed, a, pitch, 30, 8);
  cudaDeviceSynchronize();
  cudaFree(a);
}

// case index_overflows
// expect: memcheck write
// The product of two ints is past 2^31.
__global__ void far_row(bool fixed, char *a, int row, int width) {
  if (fixed)
    a[row] = 1;
  else
    a[row * width] = 1; // @write
}

CASE(index_overflows) { far_row<<<1, 1>>>(fixed, array<char>(60000), 50000, 50000); }

// case guard_of_one_axis
// expect: memcheck write
// Columns are guarded, rows are not.
__global__ void image(bool fixed, int *a, int width, int height) {
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < width && (!fixed || y < height))
    a[y * width + x] = x; // @write
}

CASE(guard_of_one_axis) { image<<<dim3(2, 2), dim3(16, 16)>>>(fixed, array<int>(20 * 20), 20, 20); }

// case tail_of_vectors
// expect: memcheck read
// Four at a time, also where fewer are left.
__global__ void fours(bool fixed, const float *in, float *out, int n) {
  const int i = 4 * threadIdx.x;
  if (fixed ? i + 3 < n : i < n) {
    const float4 v = *reinterpret_cast<const float4 *>(in + i); // @read
    out[threadIdx.x] = v.x + v.y + v.z + v.w;
  }
}

CASE(tail_of_vectors) { fours<<<1, 32>>>(fixed, array<float>(101, 0), array<float>(32), 101); }

// case number_within_bytes
// expect: memcheck read
// A double that begins at byte 4 of a record.
__global__ void records(bool fixed, const char *bytes, double *out) {
  const char *record = bytes + 16 * threadIdx.x;
  out[threadIdx.x] = *reinterpret_cast<const double *>(record + (fixed ? 8 : 4)); // @read
}

CASE(number_within_bytes) { records<<<1, 32>>>(fixed, array<char>(32 * 16, 0), array<double>(32)); }

// case before_a_shared_array
// expect: memcheck read
// Thread 0 reads the element before the first one in shared memory.
__global__ void shifted(bool fixed, int *out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  out[t] = fixed && t == 0 ? 0 : s[t - 1]; // @read
}

CASE(before_a_shared_array) { shifted<<<1, 64>>>(fixed, array<int>(64)); }

// case second_part_of_shared_memory
// expect: memcheck write
// expect: memcheck sum
// Two arrays in dynamic memory, which was sized for the first.
__global__ void two_arrays(bool fixed, int *out) {
  extern __shared__ int dynamic[];
  int *values = dynamic, *squares = dynamic + 64;
  const int t = threadIdx.x;
  values[t] = t;
  squares[t] = t * t; // @write
  __syncthreads();
  out[t] = values[63 - t] + squares[63 - t]; // @sum
}

CASE(second_part_of_shared_memory) {
  two_arrays<<<1, 64, (fixed ? 128 : 64) * sizeof(int)>>>(fixed, array<int>(64));
}

// case pointer_in_a_struct
// expect: memcheck read
// A structure is copied to the device; the array that it points to is not.
struct Vector {
  const int *data;
  int size;
};

__global__ void summed(const Vector *v, int *out) {
  int sum = 0;
  for (int i = 0; i < v->size; ++i)
    sum += v->data[i]; // @read
  *out = sum;
}

CASE(pointer_in_a_struct) {
  const std::vector<int> numbers(4);
  int *copy = array<int>(4), *out = array<int>(1);
  cudaMemcpy(copy, numbers.data(), 4 * sizeof(int), cudaMemcpyHostToDevice);
  const Vector host = {fixed ? copy : numbers.data(), 4};
  Vector *device = array<Vector>(1);
  cudaMemcpy(device, &host, sizeof host, cudaMemcpyHostToDevice);
  summed<<<1, 1>>>(device, out);
}

// case binary_search
// expect: memcheck read
// The interval of the search includes its end.
__global__ void searched(bool fixed, const int *sorted, int n, int *out) {
  int low = 0, high = fixed ? n - 1 : n;
  const int wanted = 1000 * threadIdx.x;
  while (low < high) {
    const int middle = (low + high + 1) / 2;
    if (sorted[middle] <= wanted) // @read
      low = middle;
    else
      high = middle - 1;
  }
  out[threadIdx.x] = low;
}

CASE(binary_search) { searched<<<1, 32>>>(fixed, array<int>(50, 0), 50, array<int>(32)); }

// case rows_of_a_sparse_matrix
// expect: memcheck end
// n rows have n + 1 bounds.
__global__ void sparse(const int *bounds, const float *values, float *out, int n) {
  const int row = blockIdx.x * 32 + threadIdx.x;
  if (row < n) {
    const int first = bounds[row];
    const int last = bounds[row + 1]; // @end
    float sum = 0;
    for (int k = first; k < last; ++k)
      sum += values[k];
    out[row] = sum;
  }
}

CASE(rows_of_a_sparse_matrix) {
  sparse<<<2, 32>>>(array<int>(fixed ? 41 : 40, 0), array<float>(10, 0), array<float>(40), 40);
}

// case negative_bin
// expect: memcheck add
// The bin of a histogram comes from the data, and these can be negative.
__global__ void histogram(bool fixed, const int *in, int *bins) {
  const int bin = in[threadIdx.x];
  if (!fixed || bin >= 0)
    atomicAdd(&bins[bin], 1); // @add
}

CASE(negative_bin) { histogram<<<1, 32>>>(fixed, array<int>(32, 0xff), array<int>(16, 0)); }

// case too_many_bins
// expect: memcheck add
// An atomic past the end of shared memory.
__global__ void digits(bool fixed, const int *in, int *out) {
  extern __shared__ int bins[];
  const int t = threadIdx.x;
  if (t < 10)
    bins[t] = 0;
  __syncthreads();
  atomicAdd(&bins[in[t] + (fixed ? 9 : 10)], 1); // @add
  __syncthreads();
  if (t < 10)
    out[t] = bins[t];
}

CASE(too_many_bins) {
  digits<<<1, 32, 10 * sizeof(int)>>>(fixed, array<int>(32, 0), array<int>(10));
}

// case table_of_the_device
// expect: memcheck look
// A table in a variable of the device has 64 entries.
__device__ int table[64];

__global__ void looked_up(bool fixed, const int *in, int *out) {
  out[threadIdx.x] = table[in[threadIdx.x] + (fixed ? 63 : 64)]; // @look
}

CASE(table_of_the_device) { looked_up<<<1, 32>>>(fixed, array<int>(32, 0), array<int>(32)); }

// case axes_exchanged
// expect: memcheck write
// Width and height are exchanged in the index of a volume that is no cube.
__global__ void volume(bool fixed, int *a, int nx, int ny, int nz) {
  const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  if (x < nx && y < ny && z < nz)
    a[fixed ? (z * ny + y) * nx + x : (x * ny + y) * nx + z] = 1; // @write
}

CASE(axes_exchanged) { volume<<<1, dim3(8, 4, 2)>>>(fixed, array<int>(8 * 4 * 2), 8, 4, 2); }

// case column_of_the_last_row
// expect: memcheck read
// A stencil of a field reads below its last row.
__global__ void below(bool fixed, const float *in, float *out, int rows, int columns) {
  const int x = threadIdx.x, y = threadIdx.y;
  if (x < columns && y < rows - (fixed ? 1 : 0))
    out[y * columns + x] = in[(y + 1) * columns + x] - in[y * columns + x]; // @read
}

CASE(column_of_the_last_row) {
  below<<<1, dim3(16, 8)>>>(fixed, array<float>(12 * 7, 0), array<float>(12 * 7), 7, 12);
}

// case lost_in_a_loop
// expect: memcheck allocation
// Each round takes new memory; only the last is freed.
__global__ void touched(int *a) { a[threadIdx.x] = 1; }

CASE(lost_in_a_loop) {
  int *scratch = nullptr;
  for (int round = 0; round < 3; ++round) {
    if (fixed)
      cudaFree(scratch);
    cudaMalloc(&scratch, 32 * sizeof(int)); // @allocation
    touched<<<1, 32>>>(scratch);
  }
  cudaDeviceSynchronize();
  cudaFree(scratch);
}

// case lost_pitched
// expect: memcheck allocation
// Memory with a pitch is never freed.
CASE(lost_pitched) {
  void *a = nullptr;
  size_t pitch = 0;
  cudaMallocPitch(&a, &pitch, 100, 10); // @allocation
  touched<<<1, 25>>>(static_cast<int *>(a));
  cudaDeviceSynchronize();
  if (fixed)
    cudaFree(a);
}
