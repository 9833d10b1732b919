// A stretch of steps, by NCCL: all of them are queued before the host waits, one by one or as a
// graph.
#pragma once

#include "common/check.hpp"
#include "common/nccl.hpp"
#include "lessons/15-jacobi-mpi/part.hpp"
#include "lessons/15-jacobi-mpi/streams.hpp"
#include "lessons/15-jacobi-mpi/ways.hpp"
#include "lessons/16-jacobi-nccl/halo.hpp"
#include "lessons/16-jacobi-nccl/pass.hpp"

#include <cmath>
#include <map>
#include <utility>

// The iteration of one part. Its halo says how many steps a pass does: with one row it is a step.
class Iteration {
public:
  enum class Queue { in_turn, overlapped, graph }; // graph: overlapped, too

  Iteration(Part &part, ncclComm_t comm, Queue queue) : part(part), comm(comm), queue(queue) {
    CUDA_CHECK(cudaMallocHost(&sum, sizeof *sum));
    exchange(part, comm, streams.edges); // NCCL connects at the first call: not in a graph
    add_squares();
    CUDA_CHECK(cudaStreamSynchronize(streams.edges));
  }
  ~Iteration() {
    for (const auto &[start, graph] : graphs)
      cudaGraphExecDestroy(graph.work);
    cudaFreeHost(sum);
  }
  Iteration(const Iteration &) = delete;
  Iteration &operator=(const Iteration &) = delete;

  // Does `steps` steps, and returns the residual of the last one, the same on all ranks.
  double advance(int steps) {
    if (queue == Queue::graph) {
      const Graph &graph = captured(steps);
      CUDA_CHECK(cudaGraphLaunch(graph.work, streams.edges));
      part.d_now = graph.now;
      part.d_next = graph.next;
    } else {
      add_work(steps);
    }
    CUDA_CHECK(cudaStreamSynchronize(streams.edges)); // the host waits: here only
    return std::sqrt(*sum);
  }

private:
  // Queues `steps` steps. The inner stream begins and ends with the stream of the edges.
  void add_work(int steps) {
    CUDA_CHECK(cudaEventRecord(streams.edges_done, streams.edges));
    for (; steps >= part.halo; steps -= part.halo) {
      add_pass(steps == part.halo);
      std::swap(part.d_now, part.d_next);
    }
    if (steps > 0)
      add_single_steps(steps);
    add_squares();
  }

  // [pass]
  void add_pass(bool with_residual) {
    if (queue == Queue::in_turn) {
      launch_pass(part, all_rows(part), with_residual, streams.edges);
      exchange(part, comm, streams.edges);
      return;
    }
    CUDA_CHECK(cudaStreamWaitEvent(streams.inner, streams.edges_done)); // of the pass before
    launch_pass(part, edges_of(part), with_residual, streams.edges);
    CUDA_CHECK(cudaEventRecord(streams.edges_done, streams.edges));
    launch_pass(part, inner_rows(part), with_residual, streams.inner);
    CUDA_CHECK(cudaEventRecord(streams.inner_done, streams.inner));
    exchange(part, comm, streams.edges);
    CUDA_CHECK(cudaStreamWaitEvent(streams.edges, streams.inner_done));
  }
  // [end]

  // Fewer steps than the halo has rows, each a pass of its own, without an exchange between them.
  // Each step makes one more row of the halo out of date: so the first one computes `steps` - 1 of
  // its rows on each side, too, and the last one none.
  // [single]
  void add_single_steps(int steps) {
    for (int more = steps - 1; more >= 0; --more) {
      const Rows rows{part.halo - more, part.count + 2 * more, 1, 0};
      launch(part, rows, more == 0, streams.edges);
      if (more == 0)
        exchange(part, comm, streams.edges);
      std::swap(part.d_now, part.d_next);
    }
  }
  // [end]

  // The sum over all ranks goes to the host, and the next one begins with 0.
  void add_squares() {
    double *const d_sum = part.d_squares;
    NCCL_CHECK(ncclAllReduce(d_sum, d_sum, 1, ncclDouble, ncclSum, comm, streams.edges));
    CUDA_CHECK(cudaMemcpyAsync(sum, d_sum, sizeof *sum, cudaMemcpyDefault, streams.edges));
    CUDA_CHECK(cudaMemsetAsync(d_sum, 0, sizeof *d_sum, streams.edges));
  }

  struct Graph {
    cudaGraphExec_t work;
    float *now, *next; // after it
  };

  // The graph of `steps` steps from d_now on. A graph holds the addresses that its work was queued
  // with: after an odd number of passes, those of the next one are the other way round.
  // [graph]
  const Graph &captured(int steps) {
    const auto [found, is_new] = graphs.try_emplace({steps, part.d_now});
    if (is_new) {
      cudaGraph_t graph;
      CUDA_CHECK(cudaStreamBeginCapture(streams.edges, cudaStreamCaptureModeThreadLocal));
      add_work(steps); // runs nothing: it becomes the graph
      CUDA_CHECK(cudaStreamEndCapture(streams.edges, &graph));
      cudaGraphExec_t work;
      CUDA_CHECK(cudaGraphInstantiate(&work, graph, 0));
      CUDA_CHECK(cudaGraphDestroy(graph));
      found->second = {work, part.d_now, part.d_next};
    }
    return found->second;
  }
  // [end]

  Part &part;
  ncclComm_t comm;
  Queue queue;
  Streams streams;
  double *sum; // on the host
  std::map<std::pair<int, float *>, Graph> graphs;
};
