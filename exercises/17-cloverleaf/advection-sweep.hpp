// Specification of exercise 17-cloverleaf/advection-sweep.
#pragma once

// One sweep in x of the second-order advection: volumes pass through the left and right sides of
// cells, their faces, and carry mass and energy.
//
// First the fluxes, from the fields before the sweep. If volume_flux is above 0, the donor is
// the cell on the left of the face, otherwise the cell on its right. The downwind cell is on the
// other side of the face, and the upwind cell is on the other side of the donor. |x| is the
// magnitude of x.
//   s           = |volume_flux| / volume of the donor
//   mass_flux   = volume_flux * (density of the donor + (1 - s) * slope of the density)
//   m           = |mass_flux| / (density of the donor * volume of the donor)
//   energy_flux = mass_flux * (energy of the donor + (1 - m) * slope of the energy)
// The slope of a field is limited (van Leer). With a = donor - upwind and b = downwind - donor it
// is 0 if a * b <= 0. Otherwise it has the sign of b, and its size is the smallest of
//   |a|,  |b|  and  ((1 + s) * |a| + (2 - s) * |b|) / 6
// with the same s for density and energy.
//
// Then the inner cells, from the fluxes through their left and right faces:
//   new mass    = density * volume + mass_flux on the left - mass_flux on the right
//   new volume  = volume + volume_flux on the left - volume_flux on the right
//   new energy  = (energy * density * volume + energy_flux on the left - on the right) / new mass
//   new density = new mass / new volume
//
//   nx, ny           inner cells per row, and inner rows, at least 1 each
//   volume           host memory, (ny + 4) rows of nx + 4 cells, input: their volume before
//                    the sweep, above 0
//   volume_flux      host memory, (ny + 4) rows of nx + 5 faces, input: the volume that goes to
//                    the right, or below 0 to the left; face (col, row) is the left side of cell
//                    (col, row)
//   density, energy  host memory, (ny + 4) rows of nx + 4 cells, input and output: density, and
//                    energy per mass, both above 0; ghost cells keep their value
//   mass_flux        host memory, (ny + 4) rows of nx + 5 faces: written for the faces of inner
//                    cells; other faces keep their value
//
// No cell loses all of its volume or mass. Values outside the inner rows may be anything, NaN
// included.
void advection_sweep(int nx, int ny, const double *volume, const double *volume_flux,
                     double *density, double *energy, double *mass_flux);
