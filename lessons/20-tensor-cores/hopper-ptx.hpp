// Instructions of compute capability 9.0a for hopper.cu, in PTX, NVIDIA's assembly language. Each
// function is one instruction, or two that belong together; its comment says what it waits for, and
// for whom. Source: the PTX manual, https://docs.nvidia.com/cuda/parallel-thread-execution
//
// A function whose name ends in `_async` only starts its work. TMA, which copies tiles, and the
// tensor cores access shared memory independently of the threads (the manual's "async proxy").
#pragma once

#include <cstdint>
#include <cuda.h>
#include <cuda_bf16.h>

namespace ptx {

// The address of a variable in shared memory, as these instructions take it.
__device__ inline unsigned shared_address(const void *pointer) {
  return unsigned(__cvta_generic_to_shared(pointer));
}

// ---- Barriers in shared memory (mbarrier) ----
//
// A barrier has phases. A phase ends when as many threads as init() says have arrived, and when all
// bytes that were announced in this phase have been copied. Then the next phase begins.

using Barrier = std::uint64_t;

// `arrivals`: how many threads must arrive in each phase. Also makes the barrier visible to TMA and
// to the other blocks of the cluster; the threads must still wait for each other.
__device__ inline void init(Barrier &barrier, int arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;\n"
               "fence.mbarrier_init.release.cluster;" ::"r"(shared_address(&barrier)),
               "r"(arrivals)
               : "memory");
}

// This thread arrives; it does not wait.
__device__ inline void arrive(Barrier &barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(&barrier))
               : "memory");
}

// The same, at the barrier at this place in the cluster's block `rank`. By default, an arrival
// orders memory for its own block only, so it must not announce writes to another block. Here it
// announces that reads have ended.
__device__ inline void arrive_at(Barrier &barrier, unsigned rank) {
  asm volatile("{\n"
               ".reg .b32 remote;\n"
               "mapa.shared::cluster.u32 remote, %0, %1;\n"
               "mbarrier.arrive.shared::cluster.b64 _, [remote];\n"
               "}" ::"r"(shared_address(&barrier)),
               "r"(rank)
               : "memory");
}

// This thread arrives, and announces a copy of `bytes`; it does not wait.
__device__ inline void arrive_expecting(Barrier &barrier, int bytes) {
  asm volatile(
      "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(&barrier)),
      "r"(bytes)
      : "memory");
}

// Waits until the phase of this parity has ended: 0 for the first phase, 1 for the second, 0 for
// the third. At a new barrier, parity 1 does not wait: the phase before the first counts as ended.
__device__ inline void wait(Barrier &barrier, int parity) {
  unsigned ended = 0;
  while (!ended)
    asm volatile("{\n"
                 ".reg .pred ended;\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 ended, [%1], %2;\n"
                 "selp.u32 %0, 1, 0, ended;\n"
                 "}"
                 : "=r"(ended)
                 : "r"(shared_address(&barrier)), "r"(parity)
                 : "memory");
}

// ---- Copies of tiles by TMA (cp.async.bulk.tensor) ----
//
// A map describes a matrix in global memory and the size of a tile. One thread starts the copy of a
// whole tile. Elements outside the matrix are read as zeros, and are not written.

// Starts to copy the tile at (row, col) to shared memory. `barrier` counts its bytes.
__device__ inline void copy_async(void *tile, const CUtensorMap &map, int row, int col,
                                  Barrier &barrier) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
               "[%0], [%1, {%2, %3}], [%4];" ::"r"(shared_address(tile)),
               "l"(&map), "r"(col), "r"(row), "r"(shared_address(&barrier))
               : "memory");
}

// The same, to the same place in several blocks of the cluster: bit i of `blocks` is for block i.
// In each of them, the barrier at the same place counts the bytes.
__device__ inline void multicast_async(void *tile, const CUtensorMap &map, int row, int col,
                                       Barrier &barrier, unsigned blocks) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
               ".multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(shared_address(tile)),
               "l"(&map), "r"(col), "r"(row), "r"(shared_address(&barrier)),
               "h"(std::uint16_t(blocks))
               : "memory");
}

// Starts to copy a tile from shared memory to (row, col).
__device__ inline void store_async(const CUtensorMap &map, int row, int col, const void *tile) {
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];\n"
               "cp.async.bulk.commit_group;" ::"l"(&map),
               "r"(col), "r"(row), "r"(shared_address(tile))
               : "memory");
}

// Waits until all stores of this thread but the last `others` have read their shared memory.
template <int others> __device__ inline void wait_until_read() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(others) : "memory");
}

// Makes what this thread has written to shared memory visible to TMA.
__device__ inline void publish_to_tma() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

// ---- Warp groups: four warps, beginning with one whose number is a multiple of four ----

// The 128 threads of a warp group wait for each other. Each group has its own `id` from 1 to 15.
__device__ inline void sync_group(int id) {
  asm volatile("bar.sync %0, 128;" ::"r"(id) : "memory");
}

// Sets the number of registers of each thread of the calling group, a multiple of 8. The first
// function releases some; the second waits until the block has enough.
template <int registers> __device__ inline void release_registers() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(registers));
}
template <int registers> __device__ inline void take_registers() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(registers));
}

// ---- Products on tensor cores (wgmma): all threads of a warp group call these together ----

// Orders later products after earlier accesses to the registers of their sums.
__device__ inline void begin_products() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }

// Ends a series of products, for which wait_for_products can wait.
__device__ inline void commit_products() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

// What the tensor cores need to know of a tile with rows of 64 numbers (128 bytes) that TMA has
// swizzled: its address and the distance between groups of 8 rows, both in units of 16 bytes, and
// the kind of swizzle. The 1 is a field that this kind ignores.
__device__ inline std::uint64_t descriptor(const __nv_bfloat16 *tile) {
  const std::uint64_t address = shared_address(tile) / 16, group = 8 * 128 / 16, swizzle_128 = 1;
  return address | (1 << 16) | (group << 32) | (swizzle_128 << 62);
}

#define SUMS_4(i) "+f"(sum[i]), "+f"(sum[i + 1]), "+f"(sum[i + 2]), "+f"(sum[i + 3])
#define SUMS_16(i) SUMS_4(i), SUMS_4(i + 4), SUMS_4(i + 8), SUMS_4(i + 12)
#define SUMS_64(i) SUMS_16(i), SUMS_16(i + 16), SUMS_16(i + 32), SUMS_16(i + 48)

// Starts sum += A B^T, or sum = A B^T unless `add`, where A is 64 x 16 and B is 128 x 16 numbers.
// Thread i of the group has, in sum[4 j] to sum[4 j + 3], two columns of two rows: of row
// i / 32 * 16 + i % 32 / 4 the columns 8 j + i % 4 * 2 and the next one; then those 8 rows below.
__device__ inline void multiply_async(float (&sum)[64], const __nv_bfloat16 *a,
                                      const __nv_bfloat16 *b, bool add) {
  asm volatile("{\n"
               ".reg .pred add;\n"
               "setp.ne.b32 add, %66, 0;\n"
               "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 "
               "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
               "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
               "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
               "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
               "%64, %65, add, 1, 1, 0, 0;\n"
               "}"
               : SUMS_64(0)
               : "l"(descriptor(a)), "l"(descriptor(b)), "r"(int(add)));
}

// The same, where B is 256 x 16 numbers.
__device__ inline void multiply_async(float (&sum)[128], const __nv_bfloat16 *a,
                                      const __nv_bfloat16 *b, bool add) {
  asm volatile("{\n"
               ".reg .pred add;\n"
               "setp.ne.b32 add, %130, 0;\n"
               "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 "
               "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
               "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
               "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
               "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "
               "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "
               "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "
               "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, "
               "%110, %111, %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, "
               "%123, %124, %125, %126, %127}, "
               "%128, %129, add, 1, 1, 0, 0;\n"
               "}"
               : SUMS_64(0), SUMS_64(64)
               : "l"(descriptor(a)), "l"(descriptor(b)), "r"(int(add)));
}

// Waits until all committed products of this warp are complete. Then their tiles may be
// overwritten, and `sum` may be read: it is an operand, so that the compiler does not use it
// earlier.
__device__ inline void wait_for_products(float (&sum)[64]) {
  asm volatile("wgmma.wait_group.sync.aligned 0;" : SUMS_64(0) : : "memory");
}
__device__ inline void wait_for_products(float (&sum)[128]) {
  asm volatile("wgmma.wait_group.sync.aligned 0;" : SUMS_64(0), SUMS_64(64) : : "memory");
}
#undef SUMS_4
#undef SUMS_16
#undef SUMS_64

} // namespace ptx
