// Instructions of compute capability 9.0a for hopper.cu, in PTX, NVIDIA's assembly language. Each
// function is one instruction, or two that belong together, and says what it waits for, and for
// whom. Source: the PTX manual, https://docs.nvidia.com/cuda/parallel-thread-execution
//
// A function whose name ends in `_async` only starts its work. The copy engine (TMA) and the tensor
// cores access shared memory by themselves, beside the threads; the manual calls it the async
// proxy.
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

// `arrivals`: how many threads must arrive in each phase.
__device__ inline void init(Barrier &barrier, int arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(&barrier)),
               "r"(arrivals)
               : "memory");
}

// Makes the barriers that this thread has initialised visible to the copy engine and to the other
// blocks of the cluster. The threads still have to meet at a barrier of the block or the cluster.
__device__ inline void publish_barriers() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

// This thread arrives; it does not wait.
__device__ inline void arrive(Barrier &barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(&barrier))
               : "memory");
}

// The same, at the barrier at the same place in the cluster's block `rank`. It orders nothing but
// this arrival: an arrival with `.release.cluster` took half as long as the products (see the
// page).
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

// ---- Copies of tiles by the copy engine (cp.async.bulk.tensor) ----
//
// A map describes a matrix in global memory and the size of a tile. One thread starts the copy of a
// whole tile. Numbers outside the matrix are read as zeros, and are not written.

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
__device__ inline void copy_to_async(void *tile, const CUtensorMap &map, int row, int col,
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

// Makes what this thread has written to shared memory visible to the copy engine.
__device__ inline void publish_to_copies() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

// ---- Warp groups: four warps, beginning with one whose number is a multiple of four ----

// The 128 threads of a warp group wait for each other. Each group has its own `id` from 1 to 15.
__device__ inline void sync_group(int id) {
  asm volatile("bar.sync %0, 128;" ::"r"(id) : "memory");
}

// From now on each thread of the group has `registers` registers, a multiple of 8: give_back
// releases some, and request waits until the block has them.
template <int registers> __device__ inline void give_back() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(registers));
}
template <int registers> __device__ inline void request() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(registers));
}

// ---- Products on tensor cores (wgmma): all threads of a warp group call these together ----

// Orders the products that follow after earlier accesses to the registers of their sums.
__device__ inline void begin_products() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }

// All products since the last commit form a batch.
__device__ inline void commit_products() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

// Waits until all batches of this warp but the last `others` are complete: then their tiles may be
// overwritten. The sums may be read when no batch is left.
template <int others> __device__ inline void wait_for_products() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(others) : "memory");
}

// What the tensor cores need to know of a tile with rows of 64 numbers (128 bytes) that the copy
// engine has swizzled: its address, and the distance between groups of 8 rows, both in units of 16
// bytes, and the kind of swizzle. The 1 stands for a distance that this kind does not use.
__device__ inline std::uint64_t describe(const __nv_bfloat16 *tile) {
  const std::uint64_t address = shared_address(tile) / 16, group = 8 * 128 / 16, swizzle_128 = 1;
  return address | 1 << 16 | group << 32 | swizzle_128 << 62;
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
               : "l"(describe(a)), "l"(describe(b)), "r"(int(add)));
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
               : "l"(describe(a)), "l"(describe(b)), "r"(int(add)));
}
#undef SUMS_4
#undef SUMS_16
#undef SUMS_64

} // namespace ptx
