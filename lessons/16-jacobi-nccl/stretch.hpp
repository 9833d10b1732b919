// A stretch of steps, by NCCL: all of them are queued before the host waits, one by one or as a
// graph.
#pragma once

#include "common/check.hpp"
#include "common/nccl.hpp"
#include "lessons/16-jacobi-nccl/halo.hpp"
#include "lessons/16-jacobi-nccl/part.hpp"
#include "lessons/16-jacobi-nccl/pass.hpp"
#include "lessons/16-jacobi-nccl/step.hpp"
#include "lessons/16-jacobi-nccl/streams.hpp"

#include <cmath>
#include <map>
#include <tuple>
#include <utility>

// The iteration of one part. Its halo says how many steps a pass does: with one row it is one.
class Iteration {
public:
  enum class Queue { in_turn, overlapped, graph }; // graph: overlapped, too

  // Does some steps, since a first call may do what a capture must not: NCCL connects, kernels are
  // loaded. There are four: of passes and of single steps, with and without a residual.
  Iteration(Part &part, ncclComm_t comm, Queue queue)
      : part(part), comm(comm), queue(queue), begins_in(part.d_now) {
    for (Sum &sum : sums) {
      CUDA_CHECK(cudaMalloc(&sum.d_value, sizeof *sum.d_value));
      CUDA_CHECK(cudaMemset(sum.d_value, 0, sizeof *sum.d_value));
      CUDA_CHECK(cudaMallocHost(&sum.value, sizeof *sum.value));
      CUDA_CHECK(cudaEventCreateWithFlags(&sum.ready, cudaEventDisableTiming));
    }
    add_work(2 * part.halo, sums[0]);     // two passes
    add_work(2 * part.halo - 1, sums[0]); // one, and single steps
    CUDA_CHECK(cudaStreamSynchronize(streams.edges));
  }
  ~Iteration() {
    for (const auto &[start, graph] : graphs)
      cudaGraphExecDestroy(graph.work);
    for (const Sum &sum : sums) {
      cudaFree(sum.d_value);
      cudaFreeHost(sum.value);
      cudaEventDestroy(sum.ready);
    }
  }
  Iteration(const Iteration &) = delete;
  Iteration &operator=(const Iteration &) = delete;

  // Goes back to the start values. Graphs hold addresses: this run begins in the same array and
  // with the same sum as the one before, so it finds the graphs of that one.
  void restart(int ny) {
    if (part.d_now != begins_in)
      std::swap(part.d_now, part.d_next);
    part.start(ny);
    started = finished = 0;
  }

  // Queues `steps` steps; the host waits for nothing. At most two stretches may be unfinished.
  void start(int steps) {
    const Sum &sum = sums[started++ % 2];
    if (queue == Queue::graph) {
      const Graph &graph = captured(steps, sum);
      CUDA_CHECK(cudaGraphLaunch(graph.work, streams.edges));
      part.d_now = graph.now;
      part.d_next = graph.next;
    } else {
      add_work(steps, sum);
    }
    CUDA_CHECK(cudaEventRecord(sum.ready, streams.edges));
  }

  // Waits for the first stretch that is unfinished: the residual of its last step, the same on all
  // ranks.
  double finish() {
    const Sum &sum = sums[finished++ % 2];
    CUDA_CHECK(cudaEventSynchronize(sum.ready));
    return std::sqrt(*sum.value);
  }

private:
  // The squares of the changes in a stretch's last step. There are two, so that the next stretch
  // may begin while this one's sum travels.
  struct Sum {
    double *d_value, *value; // on the device, on the host
    cudaEvent_t ready;
  };

  void add_work(int steps, const Sum &sum) {
    for (; steps >= part.halo; steps -= part.halo) {
      add_pass(steps == part.halo ? sum.d_value : nullptr);
      std::swap(part.d_now, part.d_next);
    }
    if (steps > 0)
      add_single_steps(steps, sum.d_value);
    add_up(sum);
  }

  // [pass]
  void add_pass(double *d_squares) {
    if (queue == Queue::in_turn) {
      launch_pass(part, all_rows(part), d_squares, streams.edges);
      return exchange(part, comm, streams.edges);
    }
    CUDA_CHECK(cudaStreamWaitEvent(streams.inner, streams.edges_done)); // of the pass before
    launch_pass(part, edges_of(part), d_squares, streams.edges);
    CUDA_CHECK(cudaEventRecord(streams.edges_done, streams.edges));
    launch_pass(part, inner_rows(part), d_squares, streams.inner);
    CUDA_CHECK(cudaEventRecord(streams.inner_done, streams.inner));
    exchange(part, comm, streams.edges);
    CUDA_CHECK(cudaStreamWaitEvent(streams.edges, streams.inner_done));
  }
  // [end]

  // Fewer steps than the halo has rows, each a pass of its own, without an exchange between them.
  // Each step makes one more row of the halo out of date: so the first one computes `steps` - 1 of
  // its rows on each side, too, and the last one none.
  void add_single_steps(int steps, double *d_squares) {
    for (int more = steps - 1; more > 0; --more) {
      const Rows rows{part.halo - more, part.count + 2 * more, 1, 0};
      launch(part, rows, nullptr, streams.edges);
      std::swap(part.d_now, part.d_next);
    }
    launch(part, all_rows(part), d_squares, streams.edges);
    CUDA_CHECK(cudaEventRecord(streams.edges_done, streams.edges));
    exchange(part, comm, streams.edges);
    std::swap(part.d_now, part.d_next);
  }

  // The sum over all ranks goes to the host, and the next one begins with 0.
  void add_up(const Sum &sum) {
    NCCL_CHECK(
        ncclAllReduce(sum.d_value, sum.d_value, 1, ncclDouble, ncclSum, comm, streams.edges));
    CUDA_CHECK(cudaMemcpyAsync(sum.value, sum.d_value, sizeof *sum.value, cudaMemcpyDefault,
                               streams.edges));
    CUDA_CHECK(cudaMemsetAsync(sum.d_value, 0, sizeof *sum.d_value, streams.edges));
  }

  struct Graph {
    cudaGraphExec_t work;
    float *now, *next; // after it
  };

  // The graph of `steps` steps from d_now on. A graph holds the addresses that its work was queued
  // with, so each start has its own: after an odd number of passes d_now and d_next have changed
  // places. Without UseNodePriority all of it would run with the priority of the stream that it is
  // launched in, and the rows between would go before the exchange.
  // [graph]
  const Graph &captured(int steps, const Sum &sum) {
    const auto [found, is_new] = graphs.try_emplace({steps, part.d_now, sum.d_value});
    if (is_new) {
      cudaGraph_t graph;
      CUDA_CHECK(cudaStreamBeginCapture(streams.edges, cudaStreamCaptureModeThreadLocal));
      CUDA_CHECK(
          cudaEventRecord(streams.edges_done, streams.edges)); // the inner stream waits for it
      add_work(steps, sum);                                    // runs nothing: it becomes the graph
      CUDA_CHECK(cudaStreamEndCapture(streams.edges, &graph));
      cudaGraphExec_t work;
      CUDA_CHECK(cudaGraphInstantiate(&work, graph, cudaGraphInstantiateFlagUseNodePriority));
      CUDA_CHECK(cudaGraphDestroy(graph));
      found->second = {work, part.d_now, part.d_next};
    }
    return found->second;
  }
  // [end]

  Part &part;
  ncclComm_t comm;
  Queue queue;
  float *const begins_in; // d_now where a run begins
  Streams streams;
  Sum sums[2];
  int started = 0, finished = 0; // stretches
  std::map<std::tuple<int, float *, double *>, Graph> graphs;
};
