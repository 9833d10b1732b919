// Lesson 19: how long jobs wait in a Slurm queue, by partition and size of the request, and a
// forecast that is tested on days that are over. No GPU: it reads the records that sacct prints.
//
// Build: g++ -O3 -std=c++17 -I. lessons/19-queue-time/queue-time.cpp -o queue-time
// Run:   ./queue-time [-p PARTITION,...] [-it FIRST,FACTOR] [-m] [-S FROM] [-E TO]
//        [--plot FILE.svg] [FILE]...
#include "common/verify.hpp"
#include "lessons/19-queue-time/plot.hpp"

// "> 12.0 h": the wait is longer, but it is not known by how much.
std::string show(Percentile wait) {
  const std::string bound = wait.or_longer ? "> " : "";
  return std::isnan(wait.seconds) ? "NA" : bound + show_duration(wait.seconds);
}

// A row for each partition, and a column for each size of the request.
template <class Cell>
void print_table(const Partitions &partitions, const Options &options, Cell cell) {
  std::printf("%-16s", "Partition");
  for (int size = 0; size < sizes; ++size)
    std::printf(" %24s", size_name(options, size).c_str());
  for (const auto &[name, partition] : partitions) {
    std::printf("\n%-16s", name.c_str());
    for (const Waits &waits : partition)
      std::printf(" %24s", cell(waits).c_str());
  }
  std::puts("\n");
}

// Every record is counted once. At most half of the jobs that started waited less than their
// median, and at most half waited longer.
bool verify(const Records &r) {
  bool correct = r.lines == r.malformed + r.steps + r.skipped + r.started + r.waiting + r.cancelled;
  for (const auto &[name, partition] : r.partitions)
    for (const Waits &waits : partition) {
      const Waits jobs = started(waits, 0, Options::no_end);
      const double median = percentile(jobs, 0.5).seconds;
      std::size_t less = 0, longer = 0;
      for (const Wait &job : jobs) {
        less += job.seconds() < median;
        longer += job.seconds() > median;
      }
      correct = correct && std::isnan(median) == jobs.empty() &&
                2 * std::max(less, longer) <= jobs.size();
    }
  return correct;
}

int main(int argc, char **argv) try {
  const Options options = read_options(argc, argv);
  const Records records = read_records(options);
  const long long now = records.now + 1, days = std::max((now - records.first) / day, 0LL);
  std::printf(
      "%ld records: %ld jobs started; %ld still wait; %ld were cancelled while they waited\n"
      "not in the table: %ld steps, %ld malformed lines, %ld jobs outside the time range, "
      "without a memory request, or that never had a CPU\n",
      records.lines, records.started, records.waiting, records.cancelled, records.steps,
      records.malformed, records.skipped);
  const Partitions partitions = select(records.partitions, options);
  std::puts("\nmedian wait, 90 % wait no longer than, (jobs):");
  // [table]
  print_table(partitions, options, [now](const Waits &waits) -> std::string {
    const Waits known = as_of(waits, 0, now, now); // all that are eligible by now
    return known.empty() ? "NA"
                         : show(percentile(known, 0.5)) + ", " + show(percentile(known, 0.9)) +
                               " (" + std::to_string(job_count(known)) + ")";
  });
  // [end]
  std::puts("forecast of the median wait, for a job that becomes eligible now:");
  print_table(partitions, options, [now](const Waits &w) { return show(forecast(w, now)); });
  const Score score = back_test(partitions, now - days / 3 * day, now);
  if (score.jobs > 0)
    std::printf(
        "back-test on the last %lld of %lld days, %ld jobs: on average wrong by a factor of\n"
        "  %.2f  today like yesterday\n  %.2f  this forecast\n\n",
        days / 3, days, score.jobs, score.naive, score.forecast);
  const bool drawn = options.plot.empty() || write_plot(options, records, partitions);
  return course::verdict(verify(records) && drawn);
} catch (const std::exception &error) {
  std::fflush(stdout);
  std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
  return 1;
}
