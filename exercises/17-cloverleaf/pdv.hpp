// Specification of exercise 17-cloverleaf/pdv.
#pragma once

// The work of compression while the nodes move for some time. Each cell keeps its mass.
// Its volume dx * dy grows by `change`, which is `time` times the volume that its sides pass over
// per second:
//   right side: dy times the mean xvel of its two nodes      left side: the same, subtracted
//   upper side: dx times the mean yvel of its two nodes      lower side: the same, subtracted
// so
//   density1 = density0 * volume / (volume + change)
//   energy1  = energy0 - (pressure + viscosity) * change / (volume * density0)
//
// The function computes all inner cells and the one layer of ghost cells around them, corners
// included: the acceleration of the nodes needs these ghost cells next. Other cells of density1 and
// energy1 keep their value. Values that no computed cell needs may be anything, NaN included.
//
//   nx, ny               inner cells per row, and inner rows, 1 to 49 900 each; a field has at
//                        most 1.1 million cells
//   dx, dy               sides of a cell, 0.1 to 10
//   time                 time for which the nodes move, 0.1 to 10: half of the step in the
//                        predictor
//   density0, energy0    host memory, (ny + 4) rows of nx + 4 cells, 0.1 to 10, input
//   pressure, viscosity  the same, 0 to 10
//   xvel, yvel           host memory, (ny + 5) rows of nx + 5 nodes, input; node (col, row)
//                        is the lower left corner of cell (col, row); each cell keeps at least
//                        0.02 of its volume
//   density1, energy1    host memory, (ny + 4) rows of nx + 4 cells
void pdv(int nx, int ny, double dx, double dy, double time, const double *density0,
         const double *energy0, const double *pressure, const double *viscosity, const double *xvel,
         const double *yvel, double *density1, double *energy1);
