// Makes the sample of lesson 19: a cluster with four partitions, simulated: jobs arrive by day and
// week, each partition starts them in order and fills the gaps by backfill, and the file says of it
// what sacct would say. The same seed gives the same file. No GPU: one core.
//
// Build: g++ -O3 -std=c++17 -I. tests/19-queue-time/simulate-queue.cpp -o simulate-queue
// Run:   ./simulate-queue [jobs] [seed] [FILE]
#include "common/arguments.hpp"
#include "common/verify.hpp"
#include "lessons/19-queue-time/times.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <list>
#include <map>
#include <queue>
#include <random>
#include <string>
#include <vector>

constexpr int days = 60;
constexpr long long first_second = 1790812800; // 2026-10-01, a Thursday
constexpr long long last_second = first_second + days * day, never = -1;

struct Kind {
  const char *name;
  double share, load;        // of all jobs; of the partition's CPUs that work, if none ever waited
  int least_log2, most_log2; // of the CPUs of a job
  double hours, spread;      // of a run: the median, and the deviation of its logarithm
  int most_hours, gb_per_cpu;
};
constexpr Kind kinds[] = {{"medium", 0.60, 0.90, 0, 6, 0.5, 1.7, 48, 2},
                          {"fat", 0.05, 0.70, 2, 4, 1.0, 1.2, 96, 32},
                          {"gpu", 0.20, 0.80, 2, 4, 0.7, 1.4, 48, 8},
                          {"int", 0.15, 0.25, 0, 2, 0.2, 1.0, 2, 2}};

struct Job {
  int kind, cpus;
  std::string id;
  long long submit, eligible, start = never, end = never; // seconds since 1970
  long long run, limit, patience; // seconds; who has waited for `patience` is cancelled
  bool node_fails;                // in the middle of the run, and the job goes back to the queue
  const char *state = "PENDING";
};

class Random {
public:
  explicit Random(unsigned long seed) : bits_(seed) {}
  double uniform() { return double(bits_() >> 11) * 0x1p-53; } // 0 <= u < 1, everywhere the same
  int below(int n) { return int(uniform() * n); }
  double exponential(double mean) { return -mean * std::log(1 - uniform()); }
  double normal() {
    const double radius = std::sqrt(exponential(2));
    return radius * std::cos(2 * 3.14159265358979 * uniform());
  }

private:
  std::mt19937_64 bits_;
};

// How many jobs come before the end of each day, as a share: work days and weekends, and busy
// weeks.
std::vector<double> arrivals_by_day(Random &random) {
  std::vector<double> until(days);
  double busy = 0, sum = 0;
  for (int i = 0; i < days; ++i) {
    busy = 0.8 * busy + 0.35 * random.normal(); // today is like yesterday, up to a change
    const bool weekend = i % 7 == 2 || i % 7 == 3;
    until[i] = sum += std::exp(busy) * (weekend ? 0.4 : 1);
  }
  for (double &share : until)
    share /= sum;
  return until;
}

// The jobs in the order of their submission.
std::vector<Job> draw_jobs(int count, Random &random) {
  const std::vector<double> until = arrivals_by_day(random);
  std::vector<Job> jobs;
  while (int(jobs.size()) < count) {
    Job job{};
    double pick = random.uniform();
    while (job.kind < 3 && pick >= kinds[job.kind].share)
      pick -= kinds[job.kind++].share;
    const Kind &kind = kinds[job.kind];
    job.cpus = 1 << (kind.least_log2 + random.below(kind.most_log2 - kind.least_log2 + 1));
    job.run = 1 + (long long)(kind.hours * hour * std::exp(kind.spread * random.normal()));
    const long long asked = (long long)(double(job.run) * (0.9 + 3 * random.uniform()));
    job.limit = std::min(asked / 600 * 600 + 600, kind.most_hours * hour);

    const auto date = std::upper_bound(until.begin(), until.end(), random.uniform());
    double when = random.uniform();
    while (random.uniform() > 0.4 - 0.6 * std::cos(2 * 3.14159265358979 * (when - 0.08)))
      when = random.uniform(); // most of them in the afternoon
    job.submit = first_second + (date - until.begin()) * day + (long long)(when * day);
    const bool held_back = random.uniform() < 0.04;
    job.eligible = job.submit + (held_back ? 60 + (long long)random.exponential(5 * hour) : 0);
    job.patience =
        random.uniform() < 0.1 ? 60 + (long long)random.exponential(8 * hour) : 400 * day;
    const int tasks = random.uniform() < 0.03 ? 2 + random.below(19) : 1;
    for (int task = 0; task < tasks && int(jobs.size()) < count; ++task) {
      job.node_fails = random.uniform() < 0.005;
      job.id = tasks > 1 ? "_" + std::to_string(task) : "";
      jobs.push_back(job);
    }
  }
  std::stable_sort(jobs.begin(), jobs.end(),
                   [](const Job &a, const Job &b) { return a.submit < b.submit; });
  long number = 1000;
  for (Job &job : jobs) {
    number += job.id.empty() || job.id == "_0";
    job.id = std::to_string(number) + job.id;
  }
  return jobs;
}

// One partition: its CPUs, its queue, and what runs.
class Scheduler {
public:
  Scheduler(std::vector<Job> &jobs, int cpus) : jobs_(jobs), free_(cpus) {}

  // Starts the job at once where nobody waits and there is room; else it queues.
  void arrive(int number) {
    if (queue_.empty() && jobs_[number].cpus <= free_)
      start(number, jobs_[number].eligible + 1);
    else
      queue_.push_back(number);
  }

  // Frees the CPUs of what has ended by `now`; calls failed(number) where it was the node that
  // failed.
  template <class Failed> void finish(long long now, Failed failed) {
    for (; !ends_.empty() && ends_.top().first <= now; ends_.pop()) {
      const int number = ends_.top().second;
      Job &job = jobs_[number];
      free_ += job.cpus;
      const auto [begin, end] = limits_.equal_range(job.start + job.limit);
      limits_.erase(
          std::find_if(begin, end, [&](const auto &one) { return one.second == number; }));
      job.end = ends_.top().first;
      job.state = job.node_fails ? "REQUEUED" : job.run > job.limit ? "TIMEOUT" : "COMPLETED";
      if (job.node_fails)
        failed(number);
    }
  }

  // Who has no patience left, cancels.
  void cancel(long long now) {
    queue_.remove_if([&](int number) {
      Job &job = jobs_[number];
      if (job.eligible + job.patience > now)
        return false;
      job.state = "CANCELLED by 1000";
      job.end = now;
      return true;
    });
  }

  // In order while there is room; then, from the next ones, what does not delay the first.
  void schedule(long long now) {
    while (!queue_.empty() && jobs_[queue_.front()].cpus <= free_) {
      start(queue_.front(), now);
      queue_.pop_front();
    }
    if (queue_.empty())
      return;
    // The first starts when enough CPUs are free, at the latest when time limits have ended.
    int then_free = free_;
    auto limit = limits_.begin();
    while (then_free < jobs_[queue_.front()].cpus)
      then_free += jobs_[limit++->second].cpus;
    const long long first_starts = std::prev(limit)->first;
    int spare = then_free - jobs_[queue_.front()].cpus;
    int tried = 0;
    for (auto it = std::next(queue_.begin()); it != queue_.end() && ++tried <= 200;) {
      const Job &job = jobs_[*it];
      const bool in_time = now + job.limit <= first_starts;
      if (job.cpus > free_ || (!in_time && job.cpus > spare)) {
        ++it;
        continue;
      }
      spare -= in_time ? 0 : job.cpus;
      start(*it, now);
      it = queue_.erase(it);
    }
  }

private:
  void start(int number, long long now) {
    Job &job = jobs_[number];
    job.start = now;
    job.state = "RUNNING";
    free_ -= job.cpus;
    const long long run = std::min(job.run, job.limit);
    ends_.push({now + (job.node_fails ? run / 2 : run), number});
    limits_.emplace(now + job.limit, number);
  }

  std::vector<Job> &jobs_;
  int free_;
  std::list<int> queue_;
  using End = std::pair<long long, int>;
  std::priority_queue<End, std::vector<End>, std::greater<>> ends_;
  std::multimap<long long, int> limits_; // the latest ends of what runs
};

// As many CPUs as make the load that the partition should have.
int cpus_of(int kind, const std::vector<Job> &jobs) {
  double work = 0;
  for (const Job &job : jobs)
    if (job.kind == kind)
      work += double(job.cpus) * double(std::min(job.run, job.limit));
  return std::max(int(work / (kinds[kind].load * days * day)), 1 << kinds[kind].most_log2);
}

// Runs the jobs of one partition to the last second, in steps of half a minute.
void simulate(int kind, int cpus, std::vector<Job> &jobs) {
  using Arrival = std::pair<long long, int>;
  std::priority_queue<Arrival, std::vector<Arrival>, std::greater<>> arrivals;
  for (std::size_t i = 0; i < jobs.size(); ++i)
    if (jobs[i].kind == kind)
      arrivals.push({jobs[i].eligible, int(i)});
  Scheduler scheduler(jobs, cpus);
  for (long long now = first_second; now < last_second; now += 30) {
    for (; !arrivals.empty() && arrivals.top().first < now; arrivals.pop())
      scheduler.arrive(arrivals.top().second);
    scheduler.finish(now, [&](int number) { // the same job once more
      Job again = jobs[number];
      again.submit = again.end;
      again.eligible = again.end + 120;
      again.start = again.end = never;
      again.state = "PENDING";
      again.node_fails = false;
      arrivals.push({again.eligible, int(jobs.size())});
      jobs.push_back(again);
    });
    scheduler.cancel(now);
    scheduler.schedule(now);
  }
}

// The proof, without the scheduler's own counters: nothing starts before it is eligible, and never
// are more CPUs at work than there are.
bool feasible(int kind, int cpus, const std::vector<Job> &jobs) {
  std::vector<std::pair<long long, int>> changes; // of the CPUs at work
  for (const Job &job : jobs)
    if (job.kind == kind && job.start != never) {
      if (job.start < job.eligible)
        return false;
      changes.push_back({job.start, job.cpus});
      changes.push_back({job.end == never ? last_second + 1 : job.end, -job.cpus});
    }
  std::sort(changes.begin(), changes.end()); // at the same time those that end come first
  int working = 0;
  for (const auto &change : changes)
    if ((working += change.second) > cpus)
      return false;
  return working == 0;
}

void write(const char *path, const std::vector<Job> &jobs) {
  std::FILE *file = std::fopen(path, "w");
  if (!file) {
    std::perror(path);
    std::exit(1);
  }
  const auto time = [](long long when) { return when == never ? "Unknown" : show_time(when); };
  std::fputs("JobID|Partition|State|Submit|Eligible|Start|End|ReqCPUS|AllocCPUS|Timelimit|ReqMem\n",
             file);
  for (const Job &job : jobs) {
    const long long limit = job.limit;
    std::fprintf(file, "%s|%s|%s|%s|%s|%s|%s|%d|%d|", job.id.c_str(), kinds[job.kind].name,
                 job.state, time(job.submit).c_str(), time(job.eligible).c_str(),
                 time(job.start).c_str(), time(job.end).c_str(), job.cpus,
                 job.start == never ? 0 : job.cpus);
    if (limit >= day)
      std::fprintf(file, "%lld-", limit / day);
    std::fprintf(file, "%02lld:%02lld:%02lld|%dG\n", limit % day / hour, limit % hour / 60,
                 limit % 60, job.cpus * kinds[job.kind].gb_per_cpu);
  }
  if (std::fclose(file) != 0) {
    std::perror(path);
    std::exit(1);
  }
}

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 3, "[jobs] [seed] [FILE]");
  const int count = int(course::count_argument(argc, argv, 1, "jobs", 5000, 10'000'000));
  const long seed = course::count_argument(argc, argv, 2, "seed", 1, 1'000'000'000);
  Random random{static_cast<unsigned long>(seed)};
  std::vector<Job> jobs = draw_jobs(count, random);
  bool correct = true;
  for (int kind = 0; kind < 4; ++kind) {
    const int cpus = cpus_of(kind, jobs);
    simulate(kind, cpus, jobs);
    const bool possible = feasible(kind, cpus, jobs);
    std::printf("%-8s %6d CPUs%s\n", kinds[kind].name, cpus,
                possible ? "" : ": a job starts too early, or where there is no room");
    correct = correct && possible;
  }
  std::stable_sort(jobs.begin(), jobs.end(),
                   [](const Job &a, const Job &b) { return a.submit < b.submit; });
  if (argc > 3) {
    write(argv[3], jobs);
    std::printf("%zu records: %s\n", jobs.size(), argv[3]);
  }
  return course::verdict(correct);
}
