// Lesson 15: Jacobi's method on many GPUs. Every rank has a GPU and some rows of the mesh.
//
// Build: nvcc -O3 -std=c++17 -arch=sm_75 -ccbin mpicxx -I. lessons/15-jacobi-mpi/jacobi-mpi.cu -o jacobi-mpi
// Run:   mpirun -n 2 ./jacobi-mpi [columns [rows [steps]]]
#include "common/timer.hpp"
#include "lessons/15-jacobi-mpi/part.hpp"

// One Jacobi step, as in lesson 09, for `count` rows of a part, starting at row `first`.
__global__ void step(const float *now, float *next, int nx, int first, int count) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && x < nx - 1 && y < count) {
    const std::size_t i = std::size_t(first + y) * nx + x;
    next[i] = 0.25f * (now[i - 1] + now[i + 1] + now[i - nx] + now[i + nx]);
  }
}

void launch_step(const Part &part, int first, int count, cudaStream_t stream) {
  if (count <= 0)
    return;
  const dim3 block(32, 8), grid((part.nx + 31) / 32, (count + 7) / 8);
  step<<<grid, block, 0, stream>>>(part.d_now, part.d_next, part.nx, first, count);
  CUDA_CHECK(cudaGetLastError());
}

// Fills the two halo rows of d_next, after all earlier work in `stream`.
// [exchange]
void exchange(const Part &part, cudaStream_t stream) {
  const int n = part.nx;
  const auto copy_row = [&](float *to, const float *from) {
    CUDA_CHECK(cudaMemcpyAsync(to, from, n * sizeof(float), cudaMemcpyDefault, stream));
  };
  copy_row(part.first_row, part.row(part.d_next, 1));
  copy_row(part.last_row, part.row(part.d_next, part.count));
  CUDA_CHECK(cudaStreamSynchronize(stream)); // now the two rows are in host memory
  MPI_CHECK(MPI_Sendrecv(part.first_row, n, MPI_FLOAT, part.previous_rank, 0, part.row_below, n,
                         MPI_FLOAT, part.next_rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  MPI_CHECK(MPI_Sendrecv(part.last_row, n, MPI_FLOAT, part.next_rank, 1, part.row_above, n,
                         MPI_FLOAT, part.previous_rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  copy_row(part.row(part.d_next, 0), part.row_above);
  copy_row(part.row(part.d_next, part.count + 1), part.row_below);
}
// [end]

int main(int argc, char **argv) {
  const course::Ranks ranks(&argc, &argv); // MPI_Init, and MPI_Finalize at the end
  const Mesh mesh = mesh_from(ranks, argc, argv);
  const int here = course::choose_device(); // number of ranks on this GPU
  Part part(ranks, mesh);
  cudaStream_t edges, inner;
  cudaEvent_t inner_done;
  CUDA_CHECK(cudaStreamCreateWithPriority(&edges, cudaStreamDefault, -1)); // before priority 0
  CUDA_CHECK(cudaStreamCreate(&inner));
  CUDA_CHECK(cudaEventCreate(&inner_done));
  if (ranks.rank == 0)
    std::printf("%d x %d cells; ranks: %d, per GPU: %d\n\n", mesh.nx, mesh.ny, ranks.count, here);
  bool correct = true;
  const auto run = [&](const char *name, auto one_step) {
    part.start(mesh);
    one_step(); // not timed: the first launches and messages take longer
    residual_of(part);
    part.start(mesh);
    MPI_CHECK(MPI_Barrier(MPI_COMM_WORLD)); // all ranks start together
    const course::Timer timer;
    double residual = 1;
    int steps = 0;
    for (; steps < mesh.max_steps && !(residual <= tolerance); ++steps) {
      one_step();
      if (steps % residual_every == 0 || steps == mesh.max_steps - 1)
        residual = residual_of(part);
      std::swap(part.d_now, part.d_next);
    }
    const double seconds = timer.seconds(); // residual_of has waited for the GPUs of all ranks
    if (ranks.rank == 0)
      std::printf("  %-12s %d steps, residual %.6f %10.1f ms %8.2f Gcell/s\n", name, steps,
                  residual, 1e3 * seconds, 1e-9 * mesh.nx * mesh.ny * steps / seconds);
    correct = verify(ranks, part, mesh, steps, residual) && correct;
  };
  run("staged", [&] {
    launch_step(part, 1, part.count, edges);
    exchange(part, edges);
  });
  run("overlapped", [&] {
    // [overlap]
    CUDA_CHECK(cudaStreamWaitEvent(edges, inner_done)); // the inner rows of the previous step
    launch_step(part, 1, 1, edges);
    launch_step(part, part.count, 1, edges);
    launch_step(part, 2, part.count - 2, inner);
    CUDA_CHECK(cudaEventRecord(inner_done, inner));
    exchange(part, edges);
    // [end]
  });
  return ranks.rank == 0 ? course::verdict(correct) : !correct;
}
