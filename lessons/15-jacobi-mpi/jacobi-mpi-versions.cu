// Lesson 15, the ladder: three ways to exchange the halo, with a faster step.
//
// Build: nvcc -O3 -ccbin mpicxx -I. lessons/15-jacobi-mpi/jacobi-mpi-versions.cu -o jacobi-mpi-versions
// Run:   mpirun -n 4 ./jacobi-mpi-versions [columns [rows [steps]]]
//
// jacobi-mpi.cu, the page's program, is the first way with a simple step.
#include "common/figures.hpp"
#include "common/timer.hpp"
#include "lessons/15-jacobi-mpi/part.hpp"
#include "lessons/15-jacobi-mpi/proof.hpp"
#include "lessons/15-jacobi-mpi/setup.hpp"
#include "lessons/15-jacobi-mpi/ways.hpp"

#include <limits>
#include <utility>

// --- the run ---

// Steps until the residual is small or `max_steps` are done. Returns the number of steps and leaves
// the last residual, the same on all ranks.
int iterate(const course::Ranks &ranks, Part &part, Way way, int max_steps, double &residual) {
  const Streams streams;
  residual = std::numeric_limits<double>::infinity();
  int done = 0;
  for (; done < max_steps && residual > tolerance; ++done) {
    const bool with_residual = done % residual_every == 0 || done == max_steps - 1;
    step_and_exchange(part, way, streams, with_residual);
    if (with_residual)
      residual = residual_of(ranks, part);
    std::swap(part.d_now, part.d_next);
  }
  CUDA_CHECK(cudaDeviceSynchronize());
  return done;
}

// Runs one way from the start values, all ranks together; proves the result and prints its figures.
// copy_rate: bytes per second of copies, of all GPUs together.
bool run(const course::Ranks &ranks, Part &part, const Mesh &mesh, Way way, const char *name,
         double copy_rate) {
  double residual = 0;
  part.start(mesh.ny);
  iterate(ranks, part, way, 2, residual); // what the first launches and messages cost is left out
  part.start(mesh.ny);
  CUDA_CHECK(cudaDeviceSynchronize());
  MPI_CHECK(MPI_Barrier(MPI_COMM_WORLD));
  const course::Timer timer;
  const int done = iterate(ranks, part, way, mesh.max_steps, residual);
  MPI_CHECK(MPI_Barrier(MPI_COMM_WORLD));
  const double seconds = timer.seconds();
  if (ranks.rank == 0) {
    std::printf("%s: %d steps, residual %g\n", name, done, residual);
    const double rate = 8e-9 * mesh.nx * mesh.ny * done / seconds; // read once, written once
    course::figure(name, rate, "GB/s", 1e-9 * copy_rate, "copying, all ranks", seconds);
  }
  return prove(ranks, part, expected_after(ranks, part, mesh.ny, done), residual);
}

int main(int argc, char **argv) {
  const course::Ranks ranks(&argc, &argv);
  const Mesh mesh = mesh_from(ranks, argc, argv);
  const int sharing = course::choose_device(); // ranks on this GPU
  if (!fits(ranks, mesh, sharing))
    return 2;
  Part part(ranks.rank, ranks.count, mesh);

  // The yardstick: the rate at which the devices copy a part, all at once.
  const std::size_t bytes = part.bytes(part.count + 2 * part.halo);
  const double copy_seconds = course::gpu_seconds(course::size(11, 1), [&] {
    CUDA_CHECK(cudaMemcpyAsync(part.d_next, part.d_now, bytes, cudaMemcpyDeviceToDevice));
  });
  const double copy_rate = ranks.sum(2.0 * bytes / copy_seconds / sharing);
  if (ranks.rank == 0)
    std::printf("%d columns, %d rows; ranks: %d with at least %d rows, %d for each GPU\n\n",
                mesh.nx, mesh.ny, ranks.count, mesh.ny / ranks.count, sharing);

  bool correct = run(ranks, part, mesh, Way::staged, "staged", copy_rate);
  if (mpi_is_cuda_aware())
    correct = run(ranks, part, mesh, Way::cuda_aware, "CUDA-aware", copy_rate) && correct;
  else if (ranks.rank == 0)
    std::puts("CUDA-aware: left out, since this MPI takes no device pointers (if yours does, but "
              "cannot be asked: COURSE_CUDA_AWARE=1)");
  correct = run(ranks, part, mesh, Way::overlapped, "overlapped", copy_rate) && correct;
  if (ranks.rank > 0)
    return correct ? EXIT_SUCCESS : EXIT_FAILURE;
  std::puts("");
  return course::verdict(correct);
}
