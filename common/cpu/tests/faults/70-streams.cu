// Streams, copies and host code that nothing orders.
#include "cases.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>

// Kernels of several cases.
template <class T> __global__ void write(T *a) { a[threadIdx.x] = 1; }    // @writes
template <class T> __global__ void add_one(T *a) { a[threadIdx.x] += 1; } // @adds
template <class T> __global__ void read(const T *a, T *b) {
  b[threadIdx.x] = a[threadIdx.x]; // @reads
}

// case read_before_the_end
// expect: racecheck copy read
// says: Nothing makes the host wait
// The host reads the result of an asynchronous copy without waiting for it.
CASE(read_before_the_end) {
  int *values = array<int>(32, 0), *host = pinned<int>(32);
  Stream stream;
  cudaDeviceSynchronize();
  cudaMemcpyAsync(host, values, 32 * sizeof(int), cudaMemcpyDeviceToHost, stream); // @copy
  if (fixed)
    cudaStreamSynchronize(stream);
  std::printf("%d\n", host[0]); // @read
}

// case buffer_of_two_streams
// expect: racecheck work work
// Two streams use one buffer on the device.
__global__ void add_to_buffer(float *buffer, float add) {
  buffer[threadIdx.x] += add; // @work
}

CASE(buffer_of_two_streams) {
  float *buffer = array<float>(128, 0);
  cudaDeviceSynchronize();
  Stream streams[2];
  for (int i = 0; i < 2; ++i)
    add_to_buffer<<<1, 64, 0, streams[i]>>>(buffer + (fixed ? i * 64 : 0), 1);
}

// case event_too_early
// expect: racecheck writes reads
// The event is recorded before the kernel that the other stream should wait for.
CASE(event_too_early) {
  float *a = array<float>(64, 0), *b = array<float>(64, 0);
  cudaDeviceSynchronize();
  Stream first, second;
  Event event;
  if (!fixed)
    cudaEventRecord(event, first);
  write<<<1, 64, 0, first>>>(a);
  if (fixed)
    cudaEventRecord(event, first);
  cudaStreamWaitEvent(second, event);
  read<<<1, 64, 0, second>>>(a, b);
}

// case managed_memory
// expect: racecheck writes read
// The host reads managed memory while the kernel may still write it.
CASE(managed_memory) {
  int *values = managed<int>(32);
  write<<<1, 32>>>(values);
  if (fixed)
    cudaDeviceSynchronize();
  std::printf("%d\n", values[0]); // @read
}

// case copy_in_another_stream
// expect: racecheck writes copy
// A copy in a stream of its own does not wait for the kernel.
CASE(copy_in_another_stream) {
  int *values = array<int>(32, 0), *copy = array<int>(32);
  cudaDeviceSynchronize();
  Stream stream, other(cudaStreamNonBlocking);
  write<<<1, 32, 0, stream>>>(values);
  if (fixed)
    cudaStreamSynchronize(stream);
  cudaMemcpyAsync(copy, values, 32 * sizeof(int), cudaMemcpyDeviceToDevice, other); // @copy
}

// case source_changed_too_early
// expect: racecheck copy change
// The host changes pinned memory that an asynchronous copy still reads.
CASE(source_changed_too_early) {
  int *values = array<int>(32), *host = pinned<int>(32);
  for (int i = 0; i < 32; ++i)
    host[i] = i;
  Stream stream;
  cudaMemcpyAsync(values, host, 32 * sizeof(int), cudaMemcpyHostToDevice, stream); // @copy
  if (fixed)
    cudaStreamSynchronize(stream);
  host[0] = 5; // @change
  cudaStreamSynchronize(stream);
}

// case non_blocking_stream
// expect: racecheck writes reads
// A non-blocking stream does not wait for the default stream; one that blocks does.
CASE(non_blocking_stream) {
  float *a = array<float>(64, 0), *b = array<float>(64, 0);
  cudaDeviceSynchronize();
  Stream stream(fixed ? cudaStreamDefault : cudaStreamNonBlocking);
  write<<<1, 64>>>(a);
  read<<<1, 64, 0, stream>>>(a, b);
}

// case host_function
// expect: racecheck function writes
// A host function in one stream uses managed memory that another stream's kernel writes.
void increment(void *values) {
  static_cast<int *>(values)[0] += 1; // @function
}

CASE(host_function) {
  int *values = managed<int>(32);
  Stream stream, other;
  write<<<1, 32, 0, stream>>>(values);
  cudaLaunchHostFunc(fixed ? stream : other, increment, values);
}

// case symbol_copied_too_early
// expect: racecheck read copy
// A constant is replaced while a kernel of another stream reads it.
__constant__ float gain;

__global__ void scale_by_constant(float *a) {
  a[threadIdx.x] *= gain; // @read
}

CASE(symbol_copied_too_early) {
  float *a = array<float>(64, 0);
  float one = 1;
  cudaMemcpyToSymbol(gain, &one, sizeof one);
  Stream stream(cudaStreamNonBlocking), other(cudaStreamNonBlocking);
  cudaDeviceSynchronize();
  scale_by_constant<<<1, 64, 0, stream>>>(a);
  if (fixed)
    cudaStreamSynchronize(stream);
  cudaMemcpyToSymbolAsync(gain, &one, 4, 0, cudaMemcpyHostToDevice, other); // @copy
}

// case memset_of_another_stream
// expect: racecheck fill adds
// Nothing orders a fill and a kernel of two streams.
CASE(memset_of_another_stream) {
  float *a = array<float>(64, 0);
  cudaDeviceSynchronize();
  Stream first, second;
  cudaMemsetAsync(a, 0, 64 * sizeof(float), first); // @fill
  add_one<<<1, 64, 0, fixed ? first : second>>>(a);
}

// case double_buffer
// expect: racecheck fill upload
// A pipeline with two pinned buffers: the third chunk overwrites the first before it is copied.
__global__ void double_buffer_add(const int *chunk, int *sum) {
  atomicAdd(sum, chunk[threadIdx.x]);
}

CASE(double_buffer) {
  int *sum = array<int>(1, 0);
  int *host[] = {pinned<int>(32), pinned<int>(32)}, *chunk[] = {array<int>(32), array<int>(32)};
  Stream stream[2];
  Event copied[2];
  cudaDeviceSynchronize();
  for (int i = 0; i < 4; ++i) {
    const int b = i % 2;
    if (fixed)
      cudaEventSynchronize(copied[b]);
    for (int j = 0; j < 32; ++j)
      host[b][j] = i;                                                           // @fill
    cudaMemcpyAsync(chunk[b], host[b], 128, cudaMemcpyHostToDevice, stream[b]); // @upload
    cudaEventRecord(copied[b], stream[b]);
    double_buffer_add<<<1, 32, 0, stream[b]>>>(chunk[b], sum);
  }
}

// case one_event_for_two_streams
// expect: racecheck writes sum
// An event that is recorded again stands for the second stream only.
__global__ void add_both(const int *a, const int *b, int *c) {
  c[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x]; // @sum
}

CASE(one_event_for_two_streams) {
  int *in[2] = {array<int>(32, 0), array<int>(32, 0)}, *c = array<int>(32, 0);
  Stream stream[3];
  Event done[2];
  cudaDeviceSynchronize();
  for (int i = 0; i < 2; ++i) {
    write<<<1, 32, 0, stream[i]>>>(in[i]);
    cudaEventRecord(done[fixed ? i : 0], stream[i]);
  }
  for (int i = 0; i < 2; ++i)
    cudaStreamWaitEvent(stream[2], done[fixed ? i : 0]);
  add_both<<<1, 32, 0, stream[2]>>>(in[0], in[1], c);
}

// case three_readers
// expect: racecheck read writes
// Three streams read; who writes then waits for the first and the last of them only.
__global__ void three_readers_read(const int *a, int *b) {
  b[threadIdx.x] = a[0] + a[threadIdx.x]; // @read
}

CASE(three_readers) {
  int *a = array<int>(64, 0), *b = array<int>(3 * 64, 0);
  Stream stream[3], writer(cudaStreamNonBlocking);
  Event event[3];
  cudaDeviceSynchronize();
  for (int i = 0; i < 3; ++i) {
    three_readers_read<<<1, 64, 0, stream[i]>>>(a, b + i * 64);
    cudaEventRecord(event[i], stream[i]);
  }
  cudaStreamWaitEvent(writer, event[0]);
  if (fixed)
    cudaStreamWaitEvent(writer, event[1]);
  cudaStreamWaitEvent(writer, event[2]);
  write<<<1, 64, 0, writer>>>(a);
}

// case callback
// expect: racecheck callback read
// The host reads what a callback writes, and has waited for the event before the callback.
void CUDART_CB finish(cudaStream_t, cudaError_t, void *result) {
  *static_cast<int *>(result) = 1; // @callback
}

CASE(callback) {
  int *result = pinned<int>(1);
  *result = 0;
  Stream stream;
  Event event;
  if (!fixed)
    cudaEventRecord(event, stream);
  cudaStreamAddCallback(stream, finish, result, 0);
  if (fixed)
    cudaEventRecord(event, stream);
  cudaEventSynchronize(event);
  std::printf("%d\n", *result); // @read
  cudaStreamSynchronize(stream);
}

// case memset_is_asynchronous
// expect: racecheck zero count
// cudaMemset of device memory returns at once; a non-blocking stream does not wait for it.
__global__ void count_after_fill(int *n) {
  atomicAdd(n, 1); // @count
}

CASE(memset_is_asynchronous) {
  int *n = array<int>(1);
  Stream stream(cudaStreamNonBlocking);
  if (fixed)
    cudaMemsetAsync(n, 0, sizeof(int), stream);
  else
    cudaMemset(n, 0, sizeof(int)); // @zero
  count_after_fill<<<1, 64, 0, stream>>>(n);
  cudaStreamSynchronize(stream);
}

// case peer_copy
// expect: racecheck writes copy
// A copy in a stream of one device does not wait for the kernel of the other.
CASE(peer_copy) {
  int *a = array<int>(32);
  cudaSetDevice(1);
  int *b = array<int>(32);
  Stream second;
  cudaSetDevice(0);
  Stream first;
  Event filled;
  write<<<1, 32, 0, first>>>(a);
  cudaEventRecord(filled, first);
  cudaSetDevice(1);
  if (fixed)
    cudaStreamWaitEvent(second, filled);
  cudaMemcpyPeerAsync(b, 1, a, 0, 32 * sizeof(int), second); // @copy
  cudaStreamSynchronize(second);
  cudaSetDevice(0);
}

// case allocated_in_another_stream
// expect: racecheck allocate writes
// Memory of cudaMallocAsync is there for what follows in its stream; another stream has to wait.
CASE(allocated_in_another_stream) {
  Stream first, second;
  int *a = nullptr;
  cudaMallocAsync(&a, 32 * sizeof(int), first); // @allocate
  if (fixed)
    cudaStreamSynchronize(first);
  write<<<1, 32, 0, second>>>(a);
  cudaDeviceSynchronize();
  cudaFreeAsync(a, second);
}

// case freed_in_another_stream
// expect: racecheck writes free
// cudaFreeAsync in one stream while another may still use the memory.
CASE(freed_in_another_stream) {
  Stream first, second;
  int *a = nullptr;
  cudaMallocAsync(&a, 32 * sizeof(int), first);
  cudaStreamSynchronize(first);
  write<<<1, 32, 0, second>>>(a);
  cudaFreeAsync(a, fixed ? second : first); // @free
}

// case event_of_the_wrong_stream
// expect: racecheck writes reads
// The event is recorded in the default stream, for want of an argument; the work is in another.
CASE(event_of_the_wrong_stream) {
  int *a = array<int>(32, 0), *b = array<int>(32, 0);
  cudaDeviceSynchronize();
  Stream first(cudaStreamNonBlocking), second(cudaStreamNonBlocking);
  Event event;
  write<<<1, 32, 0, first>>>(a);
  if (fixed)
    cudaEventRecord(event, first);
  else
    cudaEventRecord(event);
  cudaStreamWaitEvent(second, event);
  read<<<1, 32, 0, second>>>(a, b);
}

// case waits_before_the_record
// expect: racecheck writes reads
// A stream that waits for an event which nobody has recorded so far waits for nothing.
CASE(waits_before_the_record) {
  int *a = array<int>(32, 0), *b = array<int>(32, 0);
  cudaDeviceSynchronize();
  Stream first, second;
  Event event;
  if (!fixed)
    cudaStreamWaitEvent(second, event);
  write<<<1, 32, 0, first>>>(a);
  cudaEventRecord(event, first);
  if (fixed)
    cudaStreamWaitEvent(second, event);
  read<<<1, 32, 0, second>>>(a, b);
}

// case asked_once
// expect: racecheck copy read
// cudaEventQuery asks; it does not wait.
CASE(asked_once) {
  int *values = array<int>(32, 0), *host = pinned<int>(32);
  host[0] = 0;
  Stream stream;
  Event copied;
  cudaMemcpyAsync(host, values, 32 * sizeof(int), cudaMemcpyDeviceToHost, stream); // @copy
  cudaEventRecord(copied, stream);
  if (fixed)
    while (cudaEventQuery(copied) == cudaErrorNotReady)
      ;
  else
    (void)cudaEventQuery(copied);
  std::printf("%d\n", host[0]); // @read
  cudaStreamSynchronize(stream);
}

// case stream_destroyed
// expect: racecheck copy read
// cudaStreamDestroy does not wait for the stream's work.
CASE(stream_destroyed) {
  int *values = array<int>(32, 0), *host = pinned<int>(32);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMemcpyAsync(host, values, 32 * sizeof(int), cudaMemcpyDeviceToHost, stream); // @copy
  if (fixed)
    cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
  std::printf("%d\n", host[0]); // @read
}

// case copy_on_the_device
// expect: racecheck copy adds
// cudaMemcpy between device arrays returns at once; a non-blocking stream does not wait for it.
CASE(copy_on_the_device) {
  int *a = array<int>(32, 0), *b = array<int>(32);
  cudaDeviceSynchronize();
  Stream stream(cudaStreamNonBlocking);
  cudaMemcpy(b, a, 32 * sizeof(int), cudaMemcpyDeviceToDevice); // @copy
  if (fixed)
    cudaDeviceSynchronize();
  add_one<<<1, 32, 0, stream>>>(a);
}

// case library_fills_pinned_memory
// expect: racecheck copy fill
// expect: racecheck copy clear
// expect: racecheck copy store
// Host code changes pinned memory in flight by functions of the standard library.
// Inlined, so that the library's code has a line of this file.
__attribute__((flatten)) void fill_pinned(bool fixed) {
  char *values = array<char>(96);
  char *host = pinned<char>(96);
  std::fill(host, host + 96, 'a');
  const char text[32] = "text";
  Stream stream;
  cudaMemcpyAsync(values, host, 96, cudaMemcpyHostToDevice, stream); // @copy
  if (fixed)
    cudaStreamSynchronize(stream);
  std::fill(host, host + 32, 'b');                // @fill
  std::memset(host + 32, 0, 32);                  // @clear
  std::copy(text, text + sizeof text, host + 64); // @store
  cudaStreamSynchronize(stream);
}

CASE(library_fills_pinned_memory) { fill_pinned(fixed); }

// case symbol_from_pinned_memory
// expect: racecheck copy change
// The source of an asynchronous copy to a constant is changed for the next round.
__constant__ float gains[8];

__global__ void scale_by_pinned(float *a) { a[threadIdx.x] *= gains[threadIdx.x % 8]; }

CASE(symbol_from_pinned_memory) {
  float *a = array<float>(64, 0), *host = pinned<float>(8);
  Stream stream;
  cudaDeviceSynchronize();
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 8; ++i)
      host[i] = round;                                                                // @change
    cudaMemcpyToSymbolAsync(gains, host, sizeof gains, 0, cudaMemcpyDefault, stream); // @copy
    scale_by_pinned<<<1, 64, 0, stream>>>(a);
    if (fixed)
      cudaStreamSynchronize(stream);
  }
}

// case column_of_a_2d_copy
// expect: racecheck copy column
// A copy of columns and a kernel that changes one of them, in two streams; other columns are fine.
__global__ void change_column(int *a, int column) {
  a[threadIdx.x * 16 + column] = 1; // @column
}

CASE(column_of_a_2d_copy) {
  int *a = array<int>(16 * 16, 0), *b = array<int>(16 * 4);
  cudaDeviceSynchronize();
  Stream copies, kernels;
  const size_t from = 16 * sizeof(int), to = 4 * sizeof(int);
  cudaMemcpy2DAsync(b, to, a, from, to, 16, cudaMemcpyDeviceToDevice, copies); // @copy
  change_column<<<1, 16, 0, kernels>>>(a, fixed ? 4 : 3);
}

// case default_stream_per_thread
// expect: racecheck writes reads
// The stream of the host thread, and a non-blocking one: nothing orders the two.
CASE(default_stream_per_thread) {
  int *a = array<int>(32, 0), *b = array<int>(32, 0);
  cudaDeviceSynchronize();
  Stream stream(cudaStreamNonBlocking);
  write<<<1, 32, 0, cudaStreamPerThread>>>(a);
  if (fixed)
    cudaStreamSynchronize(cudaStreamPerThread);
  read<<<1, 32, 0, stream>>>(a, b);
}

// case atomics_of_two_streams
// expect: racecheck count read
// Two streams count with atomics, which is right; the host waits for one of them.
__global__ void count_in_streams(int *n) {
  atomicAdd(n, 1); // @count
}

CASE(atomics_of_two_streams) {
  int *n = managed<int>(1);
  *n = 0;
  Stream stream[2];
  for (const Stream &s : stream)
    count_in_streams<<<1, 64, 0, s>>>(n);
  if (fixed) {
    for (int i = 0; i < 2; ++i)
      cudaStreamSynchronize(stream[i]);
  } else {
    cudaStreamSynchronize(stream[1]);
    cudaStreamQuery(stream[0]); // runs here, so that the other one's accesses come first
    cudaStreamSynchronize(stream[1]);
  }
  std::printf("%d\n", *n); // @read
}

// case host_waits_for_a_flag
// expect: racecheck read copy
// The host waits for a variable that a host function sets, and calls CUDA no more: that orders what
// came before the host function, and no more.
__global__ void fill_sevens(int *values) { values[threadIdx.x] = 7; }

void set(void *flag) { *static_cast<volatile bool *>(flag) = true; }

CASE(host_waits_for_a_flag) {
  int *values = array<int>(32), *host = pinned<int>(32), *later = pinned<int>(32);
  volatile bool copied = false;
  fill_sevens<<<1, 32>>>(values);
  cudaMemcpyAsync(host, values, 32 * sizeof(int), cudaMemcpyDeviceToHost);
  cudaLaunchHostFunc(nullptr, set, const_cast<bool *>(&copied));
  cudaMemcpyAsync(later, values, 32 * sizeof(int), cudaMemcpyDeviceToHost); // @copy
  while (!copied) {
  }
  std::printf("%d\n", (fixed ? host : later)[3]); // @read
}
