// The contract of exercise 17-cloverleaf/advection-sweep.
#pragma once

// One sweep in x of the second-order advection: mass and energy go through the left and right sides
// of cells, with the volume that passes there. First the sides (faces), each from the fields before
// the sweep. The volume through a face comes from its donor cell; where volume_flux is above 0 that
// is the cell on its left, otherwise the one on its right. The cell downwind is on the other side
// of the face, and the cell upwind is on the other side of the donor. Then, with | | for the
// magnitude,
//   s            = |volume_flux| / volume of the donor
//   mass_flux    = volume_flux * (density of the donor + (1 - s) * slope of the density)
//   m            = |mass_flux| / (density of the donor * volume of the donor)
//   energy_flux  = mass_flux * (energy of the donor + (1 - m) * slope of the energy)
// The slope of a field is limited (van Leer): with a = donor - upwind and b = downwind - donor it
// is 0 where a * b <= 0, and elsewhere has the sign of b and the smallest of these magnitudes:
//   |a|      |b|      ((1 + s) * |a| + (2 - s) * |b|) / 6
//
// Then all inner cells: what flows in through the left face is added, what flows out through the
// right face is subtracted.
//   mass         = density * volume, and so is the new mass the new density * the new volume
//   energy       is per mass: energy * mass is what energy_flux changes
// What lies outside of the inner rows may be anything, NaN too.
//
//   nx, ny           inner cells of a row, and inner rows, at least 1 each
//   volume           host memory, (ny + 4) rows of nx + 4 cells: before the sweep, above 0, only
//   read volume_flux      host memory, (ny + 4) rows of nx + 5 faces, only read: the volume that
//   goes to
//                    the right, below 0: to the left; face (col, row) is the left side of cell
//                    (col, row). No cell loses all of its volume or mass.
//   density, energy  host memory, (ny + 4) rows of nx + 4 cells, density above 0, read and written:
//                    ghost cells keep their value
//   mass_flux        host memory, (ny + 4) rows of nx + 5 faces: written for the faces of inner
//                    cells; other faces keep their value
void advection_sweep(int nx, int ny, const double *volume, const double *volume_flux,
                     double *density, double *energy, double *mass_flux);
