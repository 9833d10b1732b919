// The halo update: fills the ghost cells of fields, at a wall with a mirror image of the cells
// inside, else with those of the neighbour, which come by MPI.
#pragma once

#include "common/cuda_aware.hpp"
#include "common/mpi.hpp"
#include "lessons/17-cloverleaf/chunk.hpp"

#include <algorithm>
#include <initializer_list>

// Where the values of a field are, and what a mirror makes of them. A velocity or flux changes its
// sign in a mirror that it points at.
struct Kind {
  int nodes_x, nodes_y; // 1: on the nodes of this axis, else between them
  double sign_x, sign_y;
};
constexpr Kind of_cells = {0, 0, 1, 1}, x_velocity = {1, 1, -1, 1}, y_velocity = {1, 1, 1, -1},
               x_flux = {1, 0, -1, 1}, y_flux = {0, 1, 1, -1};

struct Field {
  double *values;
  Kind kind;
};
constexpr int most_fields = 6;
struct FieldList {
  Field field[most_fields];
  int count;

  FieldList(std::initializer_list<Field> fields) : field{}, count(int(fields.size())) {
    std::copy(fields.begin(), fields.end(), field);
  }
};

// A line of a field along one side of the chunk: the edge is inside, `layer` steps from the
// outermost line of the chunk, the ghost as far outside. Nodes on the side itself belong to both
// neighbours, who compute the same there: they are neither edge nor ghost.
struct Line {
  std::ptrdiff_t edge, ghost, stride; // of the first element; to the next one
  int first, count;                   // elements
  double sign;

  __device__ Line(const Grid &grid, const Kind &kind, int side, int layer) {
    const bool is_x = side == left || side == right, is_low = side == left || side == bottom;
    const int cells = is_x ? grid.nx : grid.ny, nodes = is_x ? kind.nodes_x : kind.nodes_y;
    const int inside = is_low ? nodes + layer : cells - 1 - layer;
    const int outside = is_low ? -1 - layer : cells + nodes + layer;
    const std::ptrdiff_t across = is_x ? 1 : grid.pitch;
    edge = inside * across;
    ghost = outside * across;
    stride = is_x ? grid.pitch : 1;
    // Columns first, without corners; then rows with the ghosts at both ends.
    first = is_x ? 0 : -ghosts;
    count = is_x ? grid.ny + kind.nodes_y : grid.nx + kind.nodes_x + 2 * ghosts;
    sign = is_x ? kind.sign_x : kind.sign_y;
  }
};

// A bit for each side that a kernel works on. Blocks: x along the lines, y for layers of fields, z
// for the two sides of an axis.
inline __device__ bool has(int sides, int side) { return sides >> side & 1; }

__global__ void mirror(Grid grid, FieldList fields, int axis, int sides) {
  const int side = 2 * axis + blockIdx.z, k = blockIdx.x * blockDim.x + threadIdx.x;
  const Field &field = fields.field[blockIdx.y / ghosts];
  const Line line(grid, field.kind, side, blockIdx.y % ghosts);
  if (!has(sides, side) || k >= line.count)
    return;
  const std::ptrdiff_t i = (line.first + k) * line.stride;
  field.values[i + line.ghost] = line.sign * field.values[i + line.edge];
}

// Packs the edges of two sides into a message for each, or unpacks two messages into the ghosts. In
// a message each line has `length` places.
template <bool to_message>
__global__ void pack(Grid grid, FieldList fields, int axis, int sides, int length,
                     double *messages) {
  const int side = 2 * axis + blockIdx.z, k = blockIdx.x * blockDim.x + threadIdx.x;
  const Field &field = fields.field[blockIdx.y / ghosts];
  const Line line(grid, field.kind, side, blockIdx.y % ghosts);
  if (!has(sides, side) || k >= line.count)
    return;
  const std::ptrdiff_t i = (line.first + k) * line.stride;
  double &place = messages[std::size_t(blockIdx.z * gridDim.y + blockIdx.y) * length + k];
  if (to_message)
    place = field.values[i + line.edge];
  else
    field.values[i + line.ghost] = place;
}

class Halo {
public:
  explicit Halo(const Chunk &chunk) : chunk(chunk), cuda_aware(course::mpi_is_cuda_aware()) {
    int with_neighbour = 0;
    for (int side : {left, right, bottom, top})
      with_neighbour |= (chunk.place.neighbours[side] != wall) << side;
    neighbours = with_neighbour;
    for (double **messages : {&d_sent, &d_received}) {
      CUDA_CHECK(cudaMalloc(messages, bytes(chunk.place)));
      CUDA_CHECK(cudaMemset(*messages, 0, bytes(chunk.place))); // not all places are used
    }
    for (double **messages : {&sent, &received})
      CUDA_CHECK(cudaMallocHost(messages, bytes(chunk.place)));
  }
  virtual ~Halo() {
    for (double *messages : {d_sent, d_received})
      cudaFree(messages);
    for (double *messages : {sent, received})
      cudaFreeHost(messages);
  }
  Halo(const Halo &) = delete;
  Halo &operator=(const Halo &) = delete;

  // Device memory of each of the two buffers: the messages for two sides.
  static std::size_t bytes(const Place &place) {
    return sizeof(double) * 2 * most_fields * ghosts * longest(place);
  }

  // [update]
  void update(const FieldList &fields) {
    for (int axis : {0, 1}) { // the second also fills the corners
      const int both = 3 << 2 * axis, walls = both & ~neighbours;
      const dim3 block(128),
          grid((longest(chunk.place) + block.x - 1) / block.x, fields.count * ghosts, 2);
      if (walls)
        mirror<<<grid, block>>>(chunk.grid, fields, axis, walls);
      CUDA_CHECK(cudaGetLastError());
      if (both & neighbours)
        exchange(fields, axis, grid, block);
    }
  }
  // [end]

private:
  static int longest(const Place &place) { return std::max(place.nx, place.ny) + 1 + 2 * ghosts; }

  void exchange(const FieldList &fields, int axis, dim3 grid, dim3 block) {
    const int length = axis == 0 ? chunk.grid.ny + 1 : chunk.grid.nx + 1 + 2 * ghosts;
    pack<true><<<grid, block>>>(chunk.grid, fields, axis, neighbours, length, d_sent);
    CUDA_CHECK(cudaGetLastError());
    transfer(chunk.place.neighbours + 2 * axis, fields.count * ghosts * length);
    pack<false><<<grid, block>>>(chunk.grid, fields, axis, neighbours, length, d_received);
    CUDA_CHECK(cudaGetLastError());
  }

  // Brings the messages, each of `count` numbers, to two neighbours: of d_sent to d_received.
  virtual void transfer(const int *neighbours, int count) {
    const bool has_low = neighbours[0] != wall, has_high = neighbours[1] != wall;
    const std::size_t begin = has_low ? 0 : count; // a side with a wall has no message
    const std::size_t size = (has_low + has_high) * count * sizeof(double);
    if (cuda_aware)
      CUDA_CHECK(cudaDeviceSynchronize()); // MPI does not wait for a kernel
    else
      CUDA_CHECK(cudaMemcpy(sent + begin, d_sent + begin, size, cudaMemcpyDeviceToHost));
    double *const from = cuda_aware ? d_sent : sent, *const to = cuda_aware ? d_received : received;
    MPI_Request requests[4];
    int started = 0;
    for (int i : {0, 1}) {
      if (neighbours[i] == wall)
        continue;
      MPI_CHECK(MPI_Irecv(to + i * count, count, MPI_DOUBLE, neighbours[i], 1 - i, MPI_COMM_WORLD,
                          &requests[started++]));
      MPI_CHECK(MPI_Isend(from + i * count, count, MPI_DOUBLE, neighbours[i], i, MPI_COMM_WORLD,
                          &requests[started++]));
    }
    MPI_CHECK(MPI_Waitall(started, requests, MPI_STATUSES_IGNORE));
    if (!cuda_aware)
      CUDA_CHECK(cudaMemcpy(d_received + begin, received + begin, size, cudaMemcpyHostToDevice));
  }

  const Chunk &chunk;
  const bool cuda_aware; // MPI takes device pointers
  int neighbours;        // a bit for each side
  double *sent, *received;

protected:
  double *d_sent, *d_received;
};
