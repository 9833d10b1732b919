// Specification of exercise 17-cloverleaf/halo-update.
#pragma once

// The kind of a field defines the positions of its values, and their mirror image at a wall. Past a
// wall the gas continues as its own mirror image: a value that points across the wall changes its
// sign. The check's messages show the number of the kind: CELLS is 0, Y_FLUX is 4.
//
//                                    array                        left, right   lower, upper wall
enum Kind {
  CELLS,      // density, energy ...  (ny + 4) rows of nx + 4      copied        copied
  X_VELOCITY, // at nodes             (ny + 5) rows of nx + 5      sign changes  copied
  Y_VELOCITY, // at nodes             (ny + 5) rows of nx + 5      copied        sign changes
  X_FLUX,     // through faces in x   (ny + 4) rows of nx + 5      sign changes  copied
  Y_FLUX,     // through faces in y   (ny + 5) rows of nx + 4      copied        sign changes
};

// Fills the two ghost layers on all four sides of this rank's part of a field, corners included,
// with the values that the neighbours have there. Called by every rank of MPI_COMM_WORLD. The parts
// form a grid with ranks_x columns: rank r is in column r % ranks_x and row r / ranks_x. Row 0 is
// the lowest, and rows of an array go upwards. There is a wall around the whole grid.
//
// Inner cells are cells 2 to nx + 1 of a row. Nodes and faces in x lie on the edges between cells:
// edge i is on the left of cell i, so nodes 2 to nx + 2 are the part's own. Nodes on the edge
// between two parts belong to both and have the same value there. An edge that lies on a wall is
// its own mirror image, and keeps its value. The same holds for rows: face (col, row) in y is the
// lower side of cell (col, row).
//
//   nx, ny   inner cells per row, and inner rows, at least 2 each; all ranks of a column have the
//            same nx, all ranks of a row the same ny
//   ranks_x  columns of ranks, a divisor of their number
//   kind     CELLS, X_VELOCITY, Y_VELOCITY, X_FLUX or Y_FLUX, the same on every rank
//   field    host memory, input and output: own values do not change; a 0 may get any sign
//
// MPI gets host memory only: not every MPI accepts device pointers.
void halo_update(int nx, int ny, int ranks_x, int kind, double *field);
