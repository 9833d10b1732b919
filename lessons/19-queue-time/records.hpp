// All records of a run, added up: the waits, and what became of every line.
#pragma once

#include "lessons/19-queue-time/input.hpp"
#include "lessons/19-queue-time/sacct.hpp"
#include "lessons/19-queue-time/waits.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

struct Records {
  Partitions partitions;
  long lines = 0, malformed = 0, steps = 0, outside = 0, sizeless = 0; // outside the time range
  long started = 0, waiting = 0, cancelled = 0, refused = 0;           // of the others
  // Of those that started:
  long array_tasks = 0, het_parts = 0, requeued = 0, held_back = 0, whole_nodes = 0;
  long long now = 0; // the latest time at which something is known to have happened
  std::string user;  // of the first job; empty: not in the data
  bool several_users = false;

  // The waits themselves of the first million jobs, for the proof: 4 bytes each.
  static constexpr long most_kept = 1'000'000;
  std::map<std::string, std::array<std::vector<int>, Classes::count>, std::less<>> kept;
};

// Calls use(name) for each of a job's partitions: those that it may start in, medium,fat, until it
// has started in one.
template <class Use> void each_partition(std::string_view names, Use use) {
  for (std::size_t comma; (comma = names.find(',')) != names.npos; names.remove_prefix(comma + 1))
    use(names.substr(0, comma));
  use(names);
}

inline void add(Records &records, const Job &job, const Options &options) {
  if (records.user.empty())
    records.user = job.user;
  records.several_users = records.several_users || job.user != records.user;
  records.now = std::max({records.now, job.submit, job.start, job.end});

  const long long when = job.eligible >= 0 ? job.eligible : job.submit;
  const double size = options.classes.by_memory ? job.gb_hours : job.cpu_hours;
  if (when < options.from || when >= options.to) {
    ++records.outside;
    return;
  }
  if (job.fate == Job::Fate::refused) {
    ++records.refused;
    return;
  }
  if (std::isnan(size)) {
    ++records.sizeless;
    return;
  }
  const int size_class = options.classes.of(size);
  if (job.fate == Job::Fate::waiting)
    ++records.waiting;
  else if (job.fate == Job::Fate::cancelled)
    ++records.cancelled;
  else {
    ++records.started;
    records.array_tasks += job.array_task;
    records.het_parts += job.het_part;
    records.requeued += job.requeued;
    records.held_back += job.held_back;
    records.whole_nodes += job.whole_nodes;
  }
  each_partition(job.partition, [&](std::string_view name) {
    auto found = records.partitions.find(name);
    if (found == records.partitions.end())
      found = records.partitions.emplace(std::string(name), Partition{}).first;
    History &history = found->second[size_class];
    if (job.fate == Job::Fate::waiting) {
      if (job.eligible >= 0)
        history.add_waiting(job.eligible, job.tasks);
    } else if (job.fate == Job::Fate::cancelled) {
      if (job.eligible >= 0 && job.end >= job.eligible)
        history.add_cancelled(job.eligible, job.end, job.tasks);
    } else {
      history.add_started(job.eligible, job.start);
      if (records.started <= Records::most_kept)
        records.kept[found->first][size_class].push_back(int(std::min(
            job.start - job.eligible, static_cast<long long>(std::numeric_limits<int>::max()))));
    }
  });
}

// Reads the files, or asks sacct where there are none. Malformed lines and no job are an error.
inline Records read_records(const Options &options) {
  Records records;
  std::vector<std::string> names = options.files;
  if (names.empty()) {
    names.emplace_back();
    records.now = std::time(nullptr);
  }
  for (const std::string &name : names) {
    Input input(name, options);
    SacctReader reader(input.file(), input.name());
    for (Job job; reader.next(job);)
      add(records, job, options);
    input.finish();
    records.lines += reader.lines;
    records.malformed += reader.malformed;
    records.steps += reader.steps;
  }
  if (records.malformed > 0 && records.malformed + records.steps == records.lines)
    throw std::runtime_error("no job could be read: " + std::to_string(records.malformed) + " of " +
                             std::to_string(records.lines) + " lines are malformed");
  return records;
}

// The partitions that are named; all, where none is. One without a job is an error that names those
// with jobs.
inline Partitions select(const Partitions &all, const std::vector<std::string> &wanted) {
  std::string known;
  for (const auto &[name, partition] : all)
    known += (known.empty() ? "" : ", ") + name;
  Partitions selected;
  for (const std::string &name : wanted) {
    const auto found = all.find(name);
    if (found == all.end())
      throw std::runtime_error("no job was in a partition '" + name +
                               "'; those with jobs: " + (known.empty() ? "none" : known));
    selected[name] = found->second;
  }
  return wanted.empty() ? all : selected;
}

// The proof: each line is counted once, and the percentiles are those of the sorted waits, as far
// as these were kept.
inline bool proved(const Records &records) {
  bool correct = true;
  const long counted = records.malformed + records.steps + records.outside + records.sizeless +
                       records.started + records.waiting + records.cancelled + records.refused;
  if (counted != records.lines) {
    std::printf("  %ld lines were read, but %ld are counted\n", records.lines, counted);
    correct = false;
  }
  for (const auto &[name, partition] : records.partitions)
    for (int i = 0; i < Classes::count; ++i) {
      const Histogram &waits = partition[i].started;
      const auto found = records.kept.find(name);
      if (waits.count() == 0 || found == records.kept.end() ||
          found->second[i].size() != waits.count())
        continue;
      std::vector<int> sorted = found->second[i];
      std::sort(sorted.begin(), sorted.end());
      for (const double share : {0.5, 0.9}) {
        const double want = sorted[std::size_t(share * double(sorted.size() - 1) + 0.5)];
        const double got = waits.percentile(share);
        if (!(std::abs(got - want) <= Histogram::error * want)) {
          std::printf("  %s, class %d: %g %% wait up to %g s, but should wait up to %g s\n",
                      name.c_str(), i, 100 * share, got, want);
          correct = false;
        }
      }
    }
  return correct;
}
