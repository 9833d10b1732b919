// Lesson 16 without MPI: one process has all GPUs, a rank of NCCL for each.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/16-jacobi-nccl/one-process.cu -lnccl -o one-process
// Run:   ./one-process [columns [rows [steps]]]
#include "common/arguments.hpp"
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/figures.hpp"
#include "common/nccl.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"
#include "lessons/16-jacobi-nccl/halo.hpp"
#include "lessons/16-jacobi-nccl/part.hpp"
#include "lessons/16-jacobi-nccl/step.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

// A GPU of this process, with its rows of the mesh. It must be the current device (cudaSetDevice)
// when it is made, and when its kernels are launched.
struct Gpu {
  Part part;
  ncclComm_t comm;
  cudaStream_t stream;

  Gpu(int rank, int ranks, const Mesh &mesh, ncclComm_t comm)
      : part(rank, ranks, mesh), comm(comm) {
    CUDA_CHECK(cudaStreamCreate(&stream));
  }
  ~Gpu() {
    cudaStreamDestroy(stream);
    ncclCommDestroy(comm);
  }
};

// The steps; returns the residual of the last one. The calls of all ranks are one group: alone, the
// first rank's could wait for the second's, which this thread has not made yet.
double iterate(std::vector<std::unique_ptr<Gpu>> &gpus, int steps) {
  // [iterate]
  for (int step = 1; step <= steps; ++step) {
    for (std::size_t device = 0; device < gpus.size(); ++device) {
      const Gpu &gpu = *gpus[device];
      CUDA_CHECK(cudaSetDevice(int(device)));
      launch(gpu.part, all_rows(gpu.part), step == steps ? gpu.part.d_squares : nullptr,
             gpu.stream);
    }
    NCCL_CHECK(ncclGroupStart());
    for (const auto &gpu : gpus)
      exchange(gpu->part, gpu->comm, gpu->stream);
    NCCL_CHECK(ncclGroupEnd());
    for (const auto &gpu : gpus)
      std::swap(gpu->part.d_now, gpu->part.d_next);
  }
  // [end]
  NCCL_CHECK(ncclGroupStart());
  for (const auto &gpu : gpus)
    NCCL_CHECK(ncclAllReduce(gpu->part.d_squares, gpu->part.d_squares, 1, ncclDouble, ncclSum,
                             gpu->comm, gpu->stream));
  NCCL_CHECK(ncclGroupEnd());
  for (const auto &gpu : gpus)
    CUDA_CHECK(cudaStreamSynchronize(gpu->stream));
  double squares = 0; // the same on all ranks
  CUDA_CHECK(cudaMemcpy(&squares, gpus[0]->part.d_squares, sizeof squares, cudaMemcpyDeviceToHost));
  return std::sqrt(squares);
}

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 3, "[columns [rows [steps]]]");
  const Mesh mesh{
      int(course::count_argument(argc, argv, 1, "columns", course::size(16384, 200), 40000)),
      int(course::count_argument(argc, argv, 2, "rows", course::size(16382, 101), 40000)),
      int(course::count_argument(argc, argv, 3, "steps", course::size(1000, 100)))};
  course::print_device();
  int devices = 0;
  CUDA_CHECK(cudaGetDeviceCount(&devices));
  const int ranks = std::min(devices, mesh.ny); // each needs at least one row

  // First, while GPU 0 has room for the whole mesh.
  const PlainRun expected = plain_run(mesh.nx, mesh.ny, mesh.max_steps);

  std::vector<ncclComm_t> comms(ranks);
  NCCL_CHECK(ncclCommInitAll(comms.data(), ranks, nullptr)); // nullptr: devices 0, 1, 2, ...
  std::vector<std::unique_ptr<Gpu>> gpus;
  for (int rank = 0; rank < ranks; ++rank) {
    CUDA_CHECK(cudaSetDevice(rank));
    gpus.push_back(std::make_unique<Gpu>(rank, ranks, mesh, comms[rank]));
  }
  std::printf("%d columns, %d rows; GPUs: %d\n\n", mesh.nx, mesh.ny, ranks);

  iterate(gpus, 1); // not timed: kernels are loaded, and NCCL connects the ranks
  for (int rank = 0; rank < ranks; ++rank) {
    CUDA_CHECK(cudaSetDevice(rank));
    gpus[rank]->part.start(mesh.ny);
  }
  const course::Timer timer;
  const double residual = iterate(gpus, mesh.max_steps);
  const double seconds = timer.seconds();

  bool correct = course::verify_value("residual", residual, expected.residual, 1e-9);
  for (int rank = 0; rank < ranks; ++rank) {
    CUDA_CHECK(cudaSetDevice(rank));
    const Part &part = gpus[rank]->part;
    const float *const rows = &expected.values[std::size_t(part.first) * mesh.nx];
    correct = prove_rows("GPU " + std::to_string(rank), part, rows) && correct;
  }
  std::printf("%d steps, residual %g\n", mesh.max_steps, residual);
  course::figure("time", seconds, "s");
  course::figure("cells", 1e-9 * mesh.nx * mesh.ny * mesh.max_steps / seconds, "Gcell/s");
  return course::verdict(correct);
}
