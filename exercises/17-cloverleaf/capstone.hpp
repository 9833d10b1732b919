// Specification of exercise 17-cloverleaf/capstone.
#pragma once

// Takes steps of the whole scheme on this rank's part of the gas, with your pdv and time_step.
// Called by every rank of MPI_COMM_WORLD. The parts form a grid with ranks_x columns: rank r is in
// column r % ranks_x and row r / ranks_x, and row 0 is the lowest. There is a wall around the whole
// grid. Two neighbouring parts share no cell, but both have the nodes on their common edge. A step
// has this order:
//   1. Pressure and sound speed by the equation of state, with ghost cells; the viscosity.
//   2. The time step: the longest that every cell of every rank allows, at most max_timestep.
//   3. Predictor: density and energy after half of the step, with the velocities as they are; and
//      their pressure, which replaces the first one.
//   4. New velocities by that pressure and the viscosity. Their mean with the old ones gives the
//      volume through each face.
//   5. Corrector: density and energy after the whole step, from the values at its start, with the
//      mean velocities and the pressure and viscosity that moved the nodes.
//   6. Two sweeps of the advection, of mass and energy, then of the momentum in x and in y: in x
//      first in the first, third, ... step, in y first in the others.
// Update the ghost layers that the next function reads.
//
//   nx, ny          inner cells per row, and inner rows, 2 to 1000 each, at most 10 000 cells;
//                   the same nx on all ranks of a column, the same ny on all ranks of a row
//   ranks_x         columns of ranks, a divisor of their number
//   dx, dy          sides of a cell, 0.5 to 1
//   max_timestep    0.01 to 10
//   steps           1 to 75
//   density, energy host memory, (ny + 4) rows of nx + 4 cells, density 0.2 to 2, energy
//                   0.01 to 12
//   xvel, yvel      host memory, (ny + 5) rows of nx + 5 nodes, from -1.5 to 1.5; nothing flows
//                   through a wall
// The four arrays are input and output. Before the call their ghosts may hold anything; after it
// they are up to date.
//
// Returns the kinetic energy of the gas of all ranks, on every rank: the sum over cells of
// density * dx * dy / 2 times the mean of xvel^2 + yvel^2 over the cell's four nodes.
double capstone(int nx, int ny, int ranks_x, double dx, double dy, double max_timestep, int steps,
                double *density, double *energy, double *xvel, double *yvel);
