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
#include "exercises/17-cloverleaf/halo-update.hpp"
#include "exercises/17-cloverleaf/ideal-gas.hpp"
#include "exercises/17-cloverleaf/pdv.hpp"
#include "exercises/17-cloverleaf/time-step.hpp"

#include <algorithm>
#include <cstdio>
#include <vector>

// One step of the gas.
void take_step(const Part &part, int ranks_x, double max_timestep, bool x_first) {
  const int nx = part.nx, ny = part.ny;
  const double dx = part.dx, dy = part.dy;
  const auto halo = [&](int kind, double *field) { halo_update(nx, ny, ranks_x, kind, field); };
  const auto velocity_halos = [&] {
    halo(X_VELOCITY, part.xvel);
    halo(Y_VELOCITY, part.yvel);
  };

  // TODO 1: ghosts of the fields that a step begins with; then pressure and sound speed
  halo(CELLS, part.density);
  halo(CELLS, part.energy);
  velocity_halos();
  ideal_gas(nx, ny, part.density, part.energy, part.pressure, part.sound_speed);
  // TODO end
  find_viscosity(part); // in inner cells
  halo(CELLS, part.viscosity);

  double dt = max_timestep;
  // TODO 2: the time step of all ranks
  dt = std::min(dt, time_step(nx, ny, dx, dy, part.density, part.viscosity, part.sound_speed,
                              part.xvel, part.yvel));
  MPI_CHECK(MPI_Allreduce(MPI_IN_PLACE, &dt, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD));
  // TODO end

  std::copy_n(part.density, cells_of(nx, ny), part.density1); // for the outer ghosts
  std::copy_n(part.energy, cells_of(nx, ny), part.energy1);
  // TODO 3: the predictor: pressure after half of the step
  pdv(nx, ny, dx, dy, dt / 2, part.density, part.energy, part.pressure, part.viscosity, part.xvel,
      part.yvel, part.density1, part.energy1);
  ideal_gas(nx, ny, part.density1, part.energy1, part.pressure, part.sound_speed);
  // TODO end

  std::copy_n(part.xvel, nodes_of(nx, ny), part.mean_xvel);
  std::copy_n(part.yvel, nodes_of(nx, ny), part.mean_yvel);
  accelerate(part, dt); // inner nodes
  velocity_halos();
  for (size_t i = 0; i < nodes_of(nx, ny); ++i) {
    part.mean_xvel[i] = (part.mean_xvel[i] + part.xvel[i]) / 2;
    part.mean_yvel[i] = (part.mean_yvel[i] + part.yvel[i]) / 2;
  }
  find_volumes(part, dt); // ghosts included
  // TODO 4: the corrector: density1 and energy1 after the whole step
  pdv(nx, ny, dx, dy, dt, part.density, part.energy, part.pressure, part.viscosity, part.mean_xvel,
      part.mean_yvel, part.density1, part.energy1);
  // TODO end

  // TODO 5: both sweeps: cells (density1 and energy1 change), then nodes; update ghosts first
  for (const bool in_x : {x_first, !x_first}) {
    halo(CELLS, part.density1);
    halo(CELLS, part.energy1);
    advect_cells(part, in_x);
    halo(CELLS, part.density1);
    halo(in_x ? X_FLUX : Y_FLUX, part.mass_flux);
    velocity_halos();
    advect_momentum(part, in_x, part.xvel);
    advect_momentum(part, in_x, part.yvel);
  }
  // TODO end
  std::copy_n(part.density1, cells_of(nx, ny), part.density);
  std::copy_n(part.energy1, cells_of(nx, ny), part.energy);
}

double capstone(int nx, int ny, int ranks_x, double dx, double dy, double max_timestep, int steps,
                double *density, double *energy, double *xvel, double *yvel) {
  const Part part(nx, ny, dx, dy, density, energy, xvel, yvel);
  for (int step = 0; step < steps; ++step)
    take_step(part, ranks_x, max_timestep, step % 2 == 0);
  halo_update(nx, ny, ranks_x, CELLS, density);
  halo_update(nx, ny, ranks_x, CELLS, energy);
  halo_update(nx, ny, ranks_x, X_VELOCITY, xvel);
  halo_update(nx, ny, ranks_x, Y_VELOCITY, yvel);
  double sum = kinetic_energy(part);
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
