// Exercise 17-cloverleaf/capstone: your functions run a whole problem.
//
// Build: nvcc -O3 -ccbin mpicxx -I. exercises/{17-cloverleaf/*,07-reduction/coldest}.cu -o capstone
// Run:   mpirun -n 2 ./capstone
//
// The rest of a step is in glue.hpp. An error in one of your functions belongs to its exercise.

#include "common/device.hpp"
#include "common/mpi.hpp"
#include "common/verify.hpp"
#include "exercises/17-cloverleaf/capstone.hpp"
#include "exercises/17-cloverleaf/glue.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

// One step of the gas, from the fields ending in 0 to the fields ending in 1.
void take_step(Part &part, double max_timestep, bool x_first) {
  Fields &f = part.chunk.f;

  // TODO 1: ghosts of the fields that a step begins with; then pressure and sound speed
  part.halo.update({{f.density0, of_cells},
                    {f.energy0, of_cells},
                    {f.xvel0, x_velocity},
                    {f.yvel0, y_velocity}});
  find_pressure(part, f.density0, f.energy0);
  // TODO end
  find_viscosity(part);

  double dt = max_timestep;
  // TODO 2: the time step of all ranks
  dt = std::min(dt, longest_step(part));
  MPI_CHECK(MPI_Allreduce(MPI_IN_PLACE, &dt, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD));
  // TODO end

  // TODO 3: the predictor: pressure after half of the step
  compress_cells(part, dt / 2, f.xvel0, f.yvel0, f.xvel0, f.yvel0);
  find_pressure(part, f.density1, f.energy1);
  // TODO end

  move_nodes(part, dt);
  // TODO 4: the corrector: density1 and energy1 after the whole step
  compress_cells(part, dt, f.xvel0, f.yvel0, f.xvel1, f.yvel1);
  // TODO end

  // TODO 5: both sweeps: sweep_cells, then sweep_momentum; update ghosts before each
  for (const bool is_first : {true, false}) {
    const Sweep sweep(part.chunk.grid, x_first == is_first, is_first);
    part.halo.update({{f.density1, of_cells}, {f.energy1, of_cells}});
    sweep_cells(part.chunk, sweep);
    part.halo.update({{f.density1, of_cells},
                      SweepFluxes(f, sweep).mass,
                      {f.xvel1, x_velocity},
                      {f.yvel1, y_velocity}});
    sweep_momentum(part.chunk, sweep);
  }
  // TODO end
  f.swap();
}

double capstone(int nx, int ny, int ranks_x, double dx, double dy, double max_timestep, int steps,
                double *density, double *energy, double *xvel, double *yvel) {
  Part part(nx, ny, ranks_x, dx, dy);
  part.load(density, energy, xvel, yvel);
  for (int step = 0; step < steps; ++step)
    take_step(part, max_timestep, step % 2 == 0);
  part.store(density, energy, xvel, yvel);
  double sum = kinetic_energy(nx, ny, dx * dy, density, xvel, yvel);
  MPI_CHECK(MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD));
  return sum;
}

// Fills a part of the channel, whose first column of cells is `first`. In the left half of the
// channel the gas is five times as dense and has 2.5 times as much energy per mass.
void fill(int first, int nx, int columns, std::vector<double> &density,
          std::vector<double> &energy) {
  for (size_t i = 0; i < density.size(); ++i) {
    const bool is_left = first + int(i) % (nx + 4) - 2 < columns / 2;
    density[i] = is_left ? 1.0 : 0.2;
    energy[i] = is_left ? 2.5 : 1.0;
  }
}

// Compares with the published energy. Rank 0 prints the result. Returns the exit code.
int report(const course::Ranks &ranks, int steps, double kinetic) {
  const bool correct = course::within(kinetic, 1.82280367310258, 1e-10);
  if (ranks.rank > 0)
    return correct ? EXIT_SUCCESS : EXIT_FAILURE;
  std::printf("kinetic energy after %d steps: %.14f\n", steps, kinetic);
  if (!correct)
    std::puts("it should be 1.82280367310258: fill in TODO 1 to TODO 5");
  return course::verdict(correct);
}

int main(int argc, char **argv) {
  const course::Ranks ranks(&argc, &argv);
  if (ranks.rank == 0)
    course::print_device();
  course::choose_device();

  // Test problem 1 of CloverLeaf: a channel of 10 x 2 cells of side 1, until time 3.
  const int columns = 10, ny = 2, steps = 75;
  if (ranks.count > columns / 2) {
    if (ranks.rank == 0)
      std::fprintf(stderr, "at most %d ranks: each has two columns of cells\n", columns / 2);
    return EXIT_FAILURE;
  }
  const int first = columns * ranks.rank / ranks.count;
  const int nx = columns * (ranks.rank + 1) / ranks.count - first;
  std::vector<double> density(cells_of(nx, ny)), energy(cells_of(nx, ny));
  std::vector<double> xvel(nodes_of(nx, ny)), yvel(nodes_of(nx, ny));
  fill(first, nx, columns, density, energy);
  const double kinetic = capstone(nx, ny, ranks.count, 1, 1, 0.04, steps, density.data(),
                                  energy.data(), xvel.data(), yvel.data());
  return report(ranks, steps, kinetic);
}
