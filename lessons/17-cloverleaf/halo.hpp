// The halo update fills the ghost cells of several fields: at a wall with a mirror image of the
// cells inside, elsewhere with a neighbour's cells, which arrive by MPI.
#pragma once

#include "common/buffer.hpp"
#include "common/check.hpp"
#include "common/mpi.hpp"
#include "lessons/17-cloverleaf/mesh.hpp"

#include <algorithm>
#include <cstddef>
#include <initializer_list>

// The positions of a field's values, and the signs of their mirror images. A velocity or flux that
// points at the wall changes its sign.
struct Kind {
  int nodes_x, nodes_y; // 1: on the nodes of this axis, 0: between them
  double sign_x, sign_y;
};
constexpr Kind of_cells = {0, 0, 1, 1}, x_velocity = {1, 1, -1, 1}, y_velocity = {1, 1, 1, -1},
               x_flux = {1, 0, -1, 1}, y_flux = {0, 1, 1, -1};

struct HaloField {
  double *values;
  Kind kind;
};
constexpr int max_fields = 6;
struct FieldList {
  HaloField field[max_fields];
  int count;

  FieldList(std::initializer_list<HaloField> fields) : field{}, count(int(fields.size())) {
    std::copy(fields.begin(), fields.end(), field);
  }
};

// A line of a field along one side of the chunk: the edge is inside, `layer` steps from the
// outermost line, the ghost equally far outside. Nodes on the side itself belong to both
// neighbours. Both compute the same value there, so they are neither edge nor ghost.
struct Line {
  std::ptrdiff_t edge, ghost, stride; // of the first element; to the next one
  int first, count;                   // elements
  double sign;

  __device__ Line(const Grid &grid, const Kind &kind, int side, int layer) {
    const bool is_x = side == left || side == right, is_low = side == left || side == bottom;
    const int cells = is_x ? grid.nx : grid.ny, nodes = is_x ? kind.nodes_x : kind.nodes_y;
    const std::ptrdiff_t across = is_x ? 1 : grid.pitch;
    edge = (is_low ? nodes + layer : cells - 1 - layer) * across;
    ghost = (is_low ? -1 - layer : cells + nodes + layer) * across;
    stride = is_x ? grid.pitch : 1;
    // Columns first, without corners; then rows with the ghosts at both ends.
    first = is_x ? 0 : -ghosts;
    count = is_x ? grid.ny + kind.nodes_y : grid.nx + kind.nodes_x + 2 * ghosts;
    sign = is_x ? kind.sign_x : kind.sign_y;
  }
};

// The kernels work on the sides with a 1 in the bits of `sides`. Blocks: x along the lines, y for
// layers of fields, z for the two sides of an axis.
inline __device__ bool has(int sides, int side) { return sides >> side & 1; }

static __global__ void mirror(Grid grid, FieldList fields, int axis, int sides) {
  const int side = 2 * axis + blockIdx.z, k = blockIdx.x * blockDim.x + threadIdx.x;
  const HaloField &field = fields.field[blockIdx.y / ghosts];
  const Line line(grid, field.kind, side, blockIdx.y % ghosts);
  if (!has(sides, side) || k >= line.count)
    return;
  const std::ptrdiff_t i = (line.first + k) * line.stride;
  field.values[i + line.ghost] = line.sign * field.values[i + line.edge];
}

// Packs the edges of two sides into a message for each, or unpacks two messages into the ghosts. In
// a message each line has room for `length` values.
template <bool to_message>
__global__ void pack(Grid grid, FieldList fields, int axis, int sides, int length,
                     double *messages) {
  const int side = 2 * axis + blockIdx.z, k = blockIdx.x * blockDim.x + threadIdx.x;
  const HaloField &field = fields.field[blockIdx.y / ghosts];
  const Line line(grid, field.kind, side, blockIdx.y % ghosts);
  if (!has(sides, side) || k >= line.count)
    return;
  const std::ptrdiff_t i = (line.first + k) * line.stride;
  double &value = messages[std::size_t(blockIdx.z * gridDim.y + blockIdx.y) * length + k];
  if (to_message)
    value = field.values[i + line.edge];
  else
    field.values[i + line.ghost] = value;
}

class Halo {
public:
  explicit Halo(const Chunk &chunk)
      : chunk(chunk), longest(std::max(chunk.grid.nx, chunk.grid.ny) + 1 + 2 * ghosts) {
    for (int side : {left, right, bottom, top})
      neighbours |= (chunk.place.neighbours[side] != wall) << side;
    CUDA_CHECK(cudaMemset(d_sent.data(), 0, d_sent.bytes())); // some lines are shorter than others
    for (double **messages : {&sent, &received})
      CUDA_CHECK(cudaMallocHost(messages, d_sent.bytes()));
  }
  virtual ~Halo() {
    for (double *messages : {sent, received})
      cudaFreeHost(messages);
  }
  Halo(const Halo &) = delete;
  Halo &operator=(const Halo &) = delete;

  void update(const FieldList &fields) {
    for (int axis : {0, 1}) { // the second axis also fills the corners
      const int both = 3 << 2 * axis, walls = both & ~neighbours;
      const dim3 block(128), grid((longest + block.x - 1) / block.x, fields.count * ghosts, 2);
      if (walls)
        mirror<<<grid, block>>>(chunk.grid, fields, axis, walls);
      CUDA_CHECK(cudaGetLastError());
      if (both & neighbours)
        exchange(fields, axis, grid, block);
    }
  }

private:
  void exchange(const FieldList &fields, int axis, dim3 grid, dim3 block) {
    const int length = axis == 0 ? chunk.grid.ny + 1 : chunk.grid.nx + 1 + 2 * ghosts;
    pack<true><<<grid, block>>>(chunk.grid, fields, axis, neighbours, length, d_sent.data());
    CUDA_CHECK(cudaGetLastError());
    transfer(chunk.place.neighbours + 2 * axis, fields.count * ghosts * length);
    pack<false><<<grid, block>>>(chunk.grid, fields, axis, neighbours, length, d_received.data());
    CUDA_CHECK(cudaGetLastError());
  }

  // Exchanges messages of `count` numbers with two neighbours, through the host: from d_sent to
  // d_received.
  virtual void transfer(const int *ranks, int count) {
    const bool has_low = ranks[0] != wall, has_high = ranks[1] != wall;
    const std::size_t begin = has_low ? 0 : count; // a wall needs no message
    const std::size_t bytes = (has_low + has_high) * count * sizeof(double);
    CUDA_CHECK(cudaMemcpy(sent + begin, d_sent.data() + begin, bytes, cudaMemcpyDeviceToHost));
    MPI_Request requests[4];
    int started = 0;
    for (int i : {0, 1}) {
      if (ranks[i] == wall)
        continue;
      MPI_CHECK(MPI_Irecv(received + i * count, count, MPI_DOUBLE, ranks[i], 1 - i, MPI_COMM_WORLD,
                          &requests[started++]));
      MPI_CHECK(MPI_Isend(sent + i * count, count, MPI_DOUBLE, ranks[i], i, MPI_COMM_WORLD,
                          &requests[started++]));
    }
    MPI_CHECK(MPI_Waitall(started, requests, MPI_STATUSES_IGNORE));
    CUDA_CHECK(
        cudaMemcpy(d_received.data() + begin, received + begin, bytes, cudaMemcpyHostToDevice));
  }

  const Chunk &chunk;
  const int longest;       // line, in values
  int neighbours = 0;      // a bit for each side: 1 if a rank is there
  double *sent, *received; // pinned host memory

protected:
  course::Buffer<double> d_sent{std::size_t(2) * max_fields * ghosts * longest};
  course::Buffer<double> d_received{d_sent.size()};
};
