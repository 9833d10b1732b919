// The waits of all jobs by partition and size of the request, their percentiles, and forecasts.
#pragma once

#include "lessons/19-queue-time/options.hpp"

#include <array>

// The wait of a job. If the job left the queue without a start, it would have waited longer.
struct Wait {
  long long eligible, left; // the times at which the wait began and ended
  bool started;
  std::uint32_t jobs; // tasks of an array can share a record
  double seconds() const { return double(left - eligible); }
};
using Waits = std::vector<Wait>;

constexpr int sizes = 4;
using Partition = std::array<Waits, sizes>;
using Partitions = std::map<std::string, Partition>;

inline double bound(const Options &options, int size) { // between this size and the next
  return options.first * std::pow(options.factor, size);
}
inline std::string size_name(const Options &options, int size) {
  char text[80];
  if (size == 0)
    std::snprintf(text, sizeof text, "< %g", bound(options, 0));
  else if (size < sizes - 1)
    std::snprintf(text, sizeof text, "%g - %g", bound(options, size - 1), bound(options, size));
  else
    std::snprintf(text, sizeof text, ">= %g", bound(options, size - 1));
  return text + std::string(options.by_memory ? " GBh" : " CPUh");
}

struct Records {
  Partitions partitions;
  long lines = 0, malformed = 0, steps = 0, skipped = 0, started = 0, waiting = 0, cancelled = 0;
  long long first = Options::no_end, now = 0; // the times of the first Eligible and the last event
};

inline void add(Records &records, const Job &job, const Options &options) {
  records.now = std::max({records.now, job.submit, job.start, job.end});

  const long long when = job.eligible >= 0 ? job.eligible : job.submit;
  const double hours = options.by_memory ? job.gb_hours : job.cpu_hours;
  if (when < options.from || when >= options.to || std::isnan(hours) ||
      job.fate == Job::Fate::refused) {
    ++records.skipped;
    return;
  }
  records.first = std::min(records.first, when);
  const bool started = job.fate == Job::Fate::started, waits = job.fate == Job::Fate::waiting;
  ++(started ? records.started : waits ? records.waiting : records.cancelled);
  const long long left = started ? job.start : waits ? Options::no_end : job.end;
  if (job.eligible < 0 || left < job.eligible)
    return;
  int size = 0;
  while (size < sizes - 1 && hours >= bound(options, size))
    ++size;
  for (const std::string &name : split_list(job.partition)) // medium,fat: it may start in both
    records.partitions[name][size].push_back({job.eligible, left, started, job.tasks});
}

// Reads the files, or calls sacct if there are none.
inline Records read_records(const Options &options) {
  Records records;
  records.now = options.files.empty() ? std::time(nullptr) : 0;
  const std::vector<std::string> sacct{""};
  for (const std::string &name : options.files.empty() ? sacct : options.files)
    read_text(name, options, [&](std::FILE *file) {
      SacctReader reader(file, name.empty() ? "sacct" : name);
      for (Job job; reader.next(job);)
        add(records, job, options);
      records.lines += reader.lines;
      records.malformed += reader.malformed;
      records.steps += reader.steps;
    });
  if (records.malformed > 0 && records.malformed + records.steps == records.lines)
    throw std::runtime_error("no job could be read: " + std::to_string(records.malformed) + " of " +
                             std::to_string(records.lines) + " lines are malformed");
  return records;
}

// The partitions that the options name; all if they name none.
inline Partitions select(const Partitions &all, const Options &options) {
  Partitions selected;
  for (const std::string &wanted : options.partitions) {
    if (!all.count(wanted))
      throw std::runtime_error("no job was in a partition '" + wanted + "'");
    selected[wanted] = all.at(wanted);
  }
  return options.partitions.empty() ? all : selected;
}

// The jobs that became eligible from `first` on and before `last`, as they were known at `now`.
inline Waits as_of(const Waits &waits, long long first, long long last, long long now) {
  Waits known;
  for (const Wait &w : waits)
    if (w.eligible >= first && w.eligible < last)
      known.push_back({w.eligible, std::min(w.left, now), w.started && w.left < now, w.jobs});
  return known;
}

inline Waits started(const Waits &waits, long long first, long long last) {
  Waits jobs;
  std::copy_if(waits.begin(), waits.end(), std::back_inserter(jobs), [&](const Wait &wait) {
    return wait.started && wait.left >= first && wait.left < last;
  });
  return jobs;
}

inline long job_count(const Waits &waits) {
  long jobs = 0;
  for (const Wait &wait : waits)
    jobs += wait.jobs;
  return jobs;
}

// Calls use(seconds, share) for each wait in ascending order, with the share of the jobs that wait
// no longer. This is Kaplan and Meier's estimate: the exercise rosy-forecast explains it.
template <class Use> void each_wait(Waits waits, Use use) {
  std::sort(waits.begin(), waits.end(), [](const Wait &a, const Wait &b) {
    return a.seconds() != b.seconds() ? a.seconds() < b.seconds() : a.started > b.started;
  });
  double in_queue = double(job_count(waits)), still_waiting = 1; // jobs; their share
  for (const Wait &wait : waits) {
    if (wait.started)
      still_waiting *= 1 - wait.jobs / in_queue;
    in_queue -= wait.jobs;
    use(wait.seconds(), 1 - still_waiting);
  }
}

struct Percentile {
  double seconds; // NaN: no jobs
  bool or_longer; // only this lower bound is known
};

// The wait that `share` of the jobs do not exceed.
inline Percentile percentile(const Waits &waits, double share) {
  Percentile longest{std::nan(""), true};
  each_wait(waits, [&](double seconds, double started) {
    if (longest.or_longer)
      longest = {seconds, started < share - 1e-12};
  });
  return longest;
}

// Today like yesterday: the median wait of the jobs that started on the day before.
inline Percentile naive_forecast(const Waits &waits, long long today) {
  return percentile(started(waits, today - day, today), 0.5);
}

// [forecast]
// The median wait of the jobs that became eligible in the last two days. Jobs that still wait when
// `today` begins, and cancelled ones, count as lower bounds.
inline Percentile forecast(const Waits &waits, long long today) {
  return percentile(as_of(waits, today - 2 * day, today, today), 0.5);
}
// [end]

// The mean factors by which both forecasts are wrong, for the jobs that became eligible in these
// days and started. A minute is added to both times, because 1 s instead of 10 s is a small error.
struct Score {
  double naive, forecast;
  long jobs;
};
inline Score back_test(const Partitions &partitions, long long first, long long last) {
  Score score{};
  for (const auto &[name, partition] : partitions)
    for (const Waits &waits : partition)
      for (long long today = first; today < last; today += day) {
        const double naive = naive_forecast(waits, today).seconds;
        const double median = forecast(waits, today).seconds;
        if (std::isnan(naive + median)) // one has no jobs to use
          continue;
        for (const Wait &wait : started(as_of(waits, today, today + day, last), first, last)) {
          score.naive += std::abs(std::log((wait.seconds() + 60) / (naive + 60)));
          score.forecast += std::abs(std::log((wait.seconds() + 60) / (median + 60)));
          ++score.jobs;
        }
      }
  const double jobs = double(score.jobs);
  return {std::exp(score.naive / jobs), std::exp(score.forecast / jobs), score.jobs};
}
