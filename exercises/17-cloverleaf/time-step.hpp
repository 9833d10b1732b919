// Specification of exercise 17-cloverleaf/time-step.
#pragma once

// The longest time step that every inner cell allows. A cell allows the shortest of these:
//   sound       0.7 * min(dx, dy) / (square root of sound_speed^2 + 2 * viscosity / density)
//   x           0.5 * dx / |u|, u the mean xvel of the two nodes on the left side, and the same
//               for the right side
//   y           0.5 * dy / |v|, v the mean yvel of the two nodes on the lower side, and the same
//               for the upper side
//   divergence  0.7 / -d if the gas is compressed, d < 0; otherwise no limit
//               d = (u on the right - u on the left) / dx + (v above - v below) / dy
// A limit with a division by 0 does not apply.
//
//   nx, ny                           inner cells per row, and inner rows, 1 to 49 900 each; a
//                                    field has at most 1.1 million cells
//   dx, dy                           sides of a cell, 0.1 to 10
//   density, viscosity, sound_speed  host memory, (ny + 4) rows of nx + 4 cells, input; density
//                                    from 1e-6 to 1e6, the others 0, or 1e-150 to 1e9
//   xvel, yvel                       host memory, (ny + 5) rows of nx + 5 nodes, input; 0, or 1e-30
//                                    to 1e9 in absolute value
//
// Returns INFINITY if nothing limits the step.
double time_step(int nx, int ny, double dx, double dy, const double *density,
                 const double *viscosity, const double *sound_speed, const double *xvel,
                 const double *yvel);
