// Exercise 17-cloverleaf/halo-update: two ghost layers, from neighbours and from walls.
//
// Build: nvcc -O3 -ccbin mpicxx -I. exercises/17-cloverleaf/halo-update.cu -o halo-update
// Run:   mpirun -n 4 ./halo-update
//
// Both axes are handled by the same code: layers across the axis, each with one value per line.

#include "common/device.hpp"
#include "common/mpi.hpp"
#include "common/verify.hpp"
#include "exercises/17-cloverleaf/field.hpp"
#include "exercises/17-cloverleaf/halo-update.hpp"

#include <cstdio>
#include <string>
#include <vector>

// One axis of an array. A layer across it is a column in x, and a row in y.
struct Axis {
  int n;             // inner cells along the axis
  int edges;         // 1: the values are on the edges between cells, one more than cells; else 0
  int lines;         // values in a layer
  int to_next_layer; // elements from a layer to the next one
  int to_next_line;  // elements from a value to the next one in its layer
  double sign;       // of a mirror image at a wall: 1 or -1
  int before, after; // ranks on both sides, MPI_PROC_NULL at a wall

  __host__ __device__ size_t at(int layer, int line) const {
    return size_t(layer) * to_next_layer + size_t(line) * to_next_line;
  }
};

// Copies two layers of a field, from layer `first` on, to a contiguous array.
__global__ void pack(const double *field, Axis axis, int first, double *list) {
  const int line = blockIdx.x * blockDim.x + threadIdx.x;
  if (line < axis.lines)
    for (int i = 0; i < 2; ++i)
      list[i * axis.lines + line] = field[axis.at(first + i, line)];
}

// Copies them back.
__global__ void unpack(double *field, Axis axis, int first, const double *list) {
  const int line = blockIdx.x * blockDim.x + threadIdx.x;
  if (line < axis.lines)
    for (int i = 0; i < 2; ++i)
      field[axis.at(first + i, line)] = list[i * axis.lines + line];
}

// Fills both ghost layers at a wall: before the first cell, or after the last one.
__global__ void mirror(double *field, Axis axis, bool after) {
  const int line = blockIdx.x * blockDim.x + threadIdx.x;
  // TODO 1: outside the wall the ghosts are the mirror image of the values inside
  if (line < axis.lines)
    for (int i = 0; i < 2; ++i) {
      const int ghost = after ? axis.n + 2 + axis.edges + i : 1 - i;
      const int inner = after ? axis.n + 1 - i : 2 + axis.edges + i;
      field[axis.at(ghost, line)] = axis.sign * field[axis.at(inner, line)];
    }
  // TODO end
}

// Fills the ghost layers before the first cell and after the last one.
void update_along(const Axis &axis, double *d_field) {
  const int n = 2 * axis.lines, grid = (axis.lines + 127) / 128;
  Field d_list(n);
  std::vector<double> to_before(n), to_after(n), from_before(n), from_after(n);
  const auto read = [&](int first_layer, std::vector<double> &list) {
    pack<<<grid, 128>>>(d_field, axis, first_layer, d_list.data());
    CUDA_CHECK(cudaGetLastError());
    d_list.copy_to(list.data());
  };
  const auto write = [&](int first_layer, const std::vector<double> &list) {
    CUDA_CHECK(cudaMemcpy(d_list.data(), list.data(), n * sizeof(double), cudaMemcpyHostToDevice));
    unpack<<<grid, 128>>>(d_field, axis, first_layer, d_list.data());
    CUDA_CHECK(cudaGetLastError());
  };

  // TODO 2: read the own layers that the neighbours need, and exchange them
  read(2 + axis.edges, to_before);
  read(axis.n, to_after);
  MPI_CHECK(MPI_Sendrecv(to_before.data(), n, MPI_DOUBLE, axis.before, 0, from_after.data(), n,
                         MPI_DOUBLE, axis.after, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  MPI_CHECK(MPI_Sendrecv(to_after.data(), n, MPI_DOUBLE, axis.after, 1, from_before.data(), n,
                         MPI_DOUBLE, axis.before, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  // TODO end

  // TODO 3: write the ghost layers where there is a neighbour
  if (axis.before != MPI_PROC_NULL)
    write(0, from_before);
  if (axis.after != MPI_PROC_NULL)
    write(axis.n + 2 + axis.edges, from_after);
  // TODO end

  if (axis.before == MPI_PROC_NULL)
    mirror<<<grid, 128>>>(d_field, axis, false);
  if (axis.after == MPI_PROC_NULL)
    mirror<<<grid, 128>>>(d_field, axis, true);
  CUDA_CHECK(cudaGetLastError());
}

void halo_update(int nx, int ny, int ranks_x, int kind, double *field) {
  int rank, ranks;
  MPI_CHECK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
  MPI_CHECK(MPI_Comm_size(MPI_COMM_WORLD, &ranks));
  const bool nodes = kind == X_VELOCITY || kind == Y_VELOCITY;
  const int edges_x = nodes || kind == X_FLUX, edges_y = nodes || kind == Y_FLUX;
  const int columns = nx + 4 + edges_x, rows = ny + 4 + edges_y;
  const int left = rank % ranks_x > 0 ? rank - 1 : MPI_PROC_NULL;
  const int right = rank % ranks_x < ranks_x - 1 ? rank + 1 : MPI_PROC_NULL;
  const int lower = rank >= ranks_x ? rank - ranks_x : MPI_PROC_NULL;
  const int upper = rank + ranks_x < ranks ? rank + ranks_x : MPI_PROC_NULL;
  Axis x{nx, edges_x, rows, 1, columns, 1, left, right};
  Axis y{ny, edges_y, columns, columns, 1, 1, lower, upper};

  Field d_field(field, size_t(columns) * rows);
  // TODO 4: the signs that are not 1; then both axes, so that the corners are correct
  if (kind == X_VELOCITY || kind == X_FLUX)
    x.sign = -1;
  if (kind == Y_VELOCITY || kind == Y_FLUX)
    y.sign = -1;
  update_along(x, d_field.data());
  update_along(y, d_field.data());
  // TODO end
  d_field.copy_to(field);
}

// The part of one rank. The part in column c and row r has 3 + c by 2 + r cells.
struct TestPart {
  int ranks_x, ranks_y, column, row, nx, ny;

  TestPart(int rank, int count)
      : ranks_x(count % 2 == 0 ? 2 : 1), ranks_y(count / ranks_x), column(rank % ranks_x),
        row(rank / ranks_x), nx(3 + column), ny(2 + row) {}

  // The first cell of a part: part 0 has `least` cells, and every part one more than the one
  // before.
  static int first(int part, int least) { return part * least + part * (part - 1) / 2; }

  static int mirrored(int node, int cells) {
    return node < 0 ? -node : node > cells ? 2 * cells - node : node;
  }

  // The velocity in x of node i: computed from the position of the node in the whole grid.
  double velocity(size_t i) const {
    const int all_x = first(ranks_x, 3), all_y = first(ranks_y, 2); // cells
    const int x = first(column, 3) + int(i) % (nx + 5) - 2;
    const int y = first(row, 2) + int(i) / (nx + 5) - 2;
    return (x < 0 || x > all_x ? -1 : 1) * (1 + mirrored(x, all_x) + 100 * mirrored(y, all_y));
  }
};

// weak: a program that links this file may have its own main.
__attribute__((weak)) int main(int argc, char **argv) {
  const course::Ranks ranks(&argc, &argv);
  if (ranks.rank == 0)
    course::print_device();
  course::choose_device();

  const TestPart part(ranks.rank, ranks.count);
  const int nx = part.nx, ny = part.ny;
  const auto value = [&](size_t i) { return part.velocity(i); };
  std::vector<double> xvel((nx + 5) * (ny + 5), 0.0);
  for (int y = 2; y <= ny + 2; ++y)
    for (int x = 2; x <= nx + 2; ++x)
      xvel[y * (nx + 5) + x] = value(y * (nx + 5) + x);
  halo_update(nx, ny, part.ranks_x, X_VELOCITY, xvel.data());
  const std::string its = "rank " + std::to_string(ranks.rank) + ": xvel";
  const bool correct = course::verify(its.c_str(), xvel.data(), xvel.size(), value);
  const bool all_correct = ranks.sum(correct ? 0 : 1) == 0;
  if (ranks.rank > 0)
    return all_correct ? EXIT_SUCCESS : EXIT_FAILURE;
  if (!all_correct)
    std::puts("not correct yet: fill in TODO 1 to TODO 4");
  return course::verdict(all_correct);
}
