// Lesson 15: Jacobi's method on many GPUs: each rank of MPI has a GPU, and some rows of the mesh.
//
// Build: nvcc -O3 -std=c++17 -ccbin mpicxx -I. lessons/15-jacobi-mpi/jacobi-mpi.cu -o jacobi-mpi
// Run:   mpirun -n 4 ./jacobi-mpi [columns [rows [steps]]]
#include "common/figures.hpp"
#include "common/timer.hpp"
#include "lessons/15-jacobi-mpi/part.hpp"
#include "lessons/15-jacobi-mpi/proof.hpp"
#include "lessons/15-jacobi-mpi/setup.hpp"

#include <limits>

// One Jacobi step for the `count` rows of a part; the rows 0 and count + 1 are its halo. The first
// and the last column are fixed. Blocks are 32 threads wide, so each of their rows is a warp.
// [kernel]
__global__ void step(const float *now, float *next, int nx, int pitch, int count, double *squares) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y + 1; // row 0 is the halo
  float change = 0;
  if (x > 0 && x < nx - 1 && y <= count) {
    const std::size_t i = std::size_t(y) * pitch + x;
    next[i] = 0.25f * (now[i - 1] + now[i + 1] + now[i - pitch] + now[i + pitch]);
    change = next[i] - now[i];
  }
  if (squares == nullptr) // the same for all threads
    return;
  double sum = double(change) * change;
  for (int away = 16; away > 0; away /= 2)
    sum += __shfl_down_sync(0xFFFFFFFFu, sum, away);
  if (threadIdx.x == 0)
    atomicAdd(squares, sum);
}
// [end]

// Fills the halo of d_next: the first row goes to the previous rank, where it is the halo below;
// the last row goes to the next rank, where it is the halo above.
// [exchange]
void exchange(const Part &part) {
  const int n = part.nx;
  const auto copy = [&](float *to, const float *from) {
    CUDA_CHECK(cudaMemcpy(to, from, n * sizeof(float), cudaMemcpyDefault));
  };
  copy(part.first_row, part.row(part.d_next, 1)); // waits for the kernel
  copy(part.last_row, part.row(part.d_next, part.count));
  MPI_CHECK(MPI_Sendrecv(part.first_row, n, MPI_FLOAT, part.previous_rank, 0, part.row_below, n,
                         MPI_FLOAT, part.next_rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  MPI_CHECK(MPI_Sendrecv(part.last_row, n, MPI_FLOAT, part.next_rank, 1, part.row_above, n,
                         MPI_FLOAT, part.previous_rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  copy(part.row(part.d_next, 0), part.row_above);
  copy(part.row(part.d_next, part.count + 1), part.row_below);
}
// [end]

// Steps until the residual is small or `max_steps` are done; the residual is asked for every 100
// steps. Returns the number of steps and leaves the last residual, the same on all ranks.
int iterate(const course::Ranks &ranks, Part &part, int max_steps, double &residual) {
  const dim3 block(32, 8), grid((part.nx + 31) / 32, (part.count + 7) / 8);
  residual = std::numeric_limits<double>::infinity();
  int done = 0;
  for (; done < max_steps && residual > tolerance; ++done) {
    const bool with_residual = done % residual_every == 0 || done == max_steps - 1;
    if (with_residual)
      CUDA_CHECK(cudaMemset(part.d_squares, 0, sizeof(double)));
    step<<<grid, block>>>(part.d_now, part.d_next, part.nx, part.pitch, part.count,
                          with_residual ? part.d_squares : nullptr);
    CUDA_CHECK(cudaGetLastError());
    exchange(part);
    if (with_residual) {
      double mine = 0, all = 0;
      CUDA_CHECK(cudaMemcpy(&mine, part.d_squares, sizeof mine, cudaMemcpyDeviceToHost));
      MPI_CHECK(MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD));
      residual = std::sqrt(all);
      if (ranks.rank == 0)
        std::printf("%5d, %.6f\n", done, residual);
    }
    std::swap(part.d_now, part.d_next);
  }
  return done;
}

int main(int argc, char **argv) {
  const course::Ranks ranks(&argc, &argv);
  const Mesh mesh = mesh_from(ranks, argc, argv);
  const int sharing = course::choose_device(); // ranks on this GPU
  if (!fits(ranks, mesh, sharing))
    return 2;
  Part part(ranks.rank, ranks.count, mesh);
  if (ranks.rank == 0)
    std::printf("%d columns, %d rows; ranks: %d with at least %d rows, %d for each GPU\n\n",
                mesh.nx, mesh.ny, ranks.count, mesh.ny / ranks.count, sharing);

  MPI_CHECK(MPI_Barrier(MPI_COMM_WORLD)); // all ranks start together
  const course::Timer timer;
  double residual = 0;
  const int done = iterate(ranks, part, mesh.max_steps, residual);
  MPI_CHECK(MPI_Barrier(MPI_COMM_WORLD)); // and all have ended
  const double seconds = timer.seconds();

  const bool correct = prove(ranks, part, expected_after(ranks, part, mesh.ny, done), residual);
  if (ranks.rank > 0)
    return correct ? EXIT_SUCCESS : EXIT_FAILURE;
  std::printf("\n%d steps, residual %g\n", done, residual);
  course::figure("time", seconds, "s");
  course::figure("cells", 1e-9 * mesh.nx * mesh.ny * done / seconds, "Gcell/s");
  return course::verdict(correct);
}
