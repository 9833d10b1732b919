// Lesson 19: while a job waits: how long jobs of a size wait in each partition, from what sacct
// says; a forecast, and how long to wait for a GPU before the CPUs are the better choice. No GPU:
// one core.
//
// Build: g++ -O3 -std=c++17 -I. lessons/19-queue-time/queue-time.cpp -o queue-time
// Run:   ./queue-time [-p PARTITION,...] [-it FIRST,FACTOR] [-m] [-S FROM] [-E TO]
//        [--stop-loss PARTITION=SECONDS,PARTITION=SECONDS] [--plot FILE.svg] [FILE]...
#include "common/verify.hpp"
#include "lessons/19-queue-time/options.hpp"
#include "lessons/19-queue-time/plot.hpp"
#include "lessons/19-queue-time/records.hpp"
#include "lessons/19-queue-time/report.hpp"

#include <cstdio>
#include <exception>

int main(int argc, char **argv) try {
  const Options options = read_options(argc, argv);

  // 1. Read: one line after the other, none of which is kept.
  const Records records = read_records(options);
  print_counts(records, options);

  // 2. The waits of each partition and class of size.
  const Partitions partitions = select(records.partitions, options.partitions);
  print_waits(partitions, options.classes, records.now);

  // 3. The forecast, tested on days that are over.
  const Plan plan = make_plan(partitions);
  print_forecast(partitions, options.classes, plan);

  // 4. When to give up waiting.
  const StopLoss &runs = options.stop_loss;
  if (runs.asked_for())
    print_stop_loss(select(records.partitions, {runs.wait_for, runs.give_up_for}), options.classes,
                    runs, records.now);

  // 5. All of it as a picture.
  const bool drawn = options.plot.empty() || write_plot(options, records, partitions, plan);
  std::puts("");
  return course::verdict(proved(records) && drawn);
} catch (const std::exception &fault) {
  std::fflush(stdout);
  std::fprintf(stderr, "%s: %s\n", argv[0], fault.what());
  return 1;
}
