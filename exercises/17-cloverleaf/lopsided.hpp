// Specification of exercise 17-cloverleaf/lopsided.
#pragma once

// One sweep in x of the momentum advection, after the sweep of mass and energy: mass that goes from
// node to node carries its velocity along. A quarter of each of the four cells around a node
// belongs to it:
//   mass after    = (sum of density * volume of the four cells) / 4
//   flux          = (sum of mass_flux of the faces (col, row - 1), (col + 1, row - 1), (col, row)
//                   and (col + 1, row)) / 4, from node (col, row) to node (col + 1, row)
//   mass before   = mass after - flux from the node on the left + flux to the node on the right
// The donor of a flux is the node that it comes from: the left node if the flux is above 0. The
// downwind node is the other one, and the upwind node is on the other side of the donor. With a =
// donor - upwind and b = downwind - donor, differences of the velocity,
//   s             = |flux| / mass before of the donor
//   momentum flux = flux * (velocity of the donor + (1 - s) * slope)
// The slope is 0 if a * b <= 0. Otherwise it has the sign of b and the smallest of these
// magnitudes:
//   |a|      |b|      ((1 + s) * |a| + (2 - s) * |b|) / 6
// The new velocity of a node is its momentum divided by its mass after:
//   momentum      = velocity * mass before + momentum flux from the left - to the right
//
//   nx, ny     inner cells per row, and inner rows, at least 1 each
//   density    host memory, (ny + 4) rows of nx + 4 cells, above 0, after the sweep, input
//   volume     the same: volumes of the cells after the sweep
//   mass_flux  host memory, (ny + 4) rows of nx + 5 faces, input: mass that went to
//              the right, or below 0 to the left; no node loses all of its mass
//   velocity   host memory, (ny + 5) rows of nx + 5 nodes, input and output: in x or in y; node
//              (col, row) is the lower left corner of cell (col, row); ghost nodes keep their value
void lopsided(int nx, int ny, const double *density, const double *volume, const double *mass_flux,
              double *velocity);
