// The text that sacct --parsable2 prints, as a stream of jobs: a header line, then a line for each
// job, with | between fields. The header says which field is which, so any order of columns will
// do.
#pragma once

#include "lessons/19-queue-time/times.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// What one line says of a job.
struct Job {
  enum class Fate {
    started,
    waiting,   // when sacct was called
    cancelled, // before it started: it waited at least until then
    refused    // failed without ever having a CPU, as a request that no node can serve
  };
  Fate fate;
  std::string_view partition, user;       // valid until the next line is read
  long long submit, eligible, start, end; // seconds since 1970; -1: not yet
  double cpu_hours, gb_hours; // as requested, for the whole time limit; gb_hours may be NaN
  std::uint32_t tasks;        // of an array that share this line, since none has started; else 1
  bool array_task, het_part, requeued;
  bool held_back;   // eligible later than submitted
  bool whole_nodes; // given more than twice the CPUs that were requested: sized by what was given
};

// Gigabytes, of text such as 512M, 96G or 1.5T, which is for the whole job since Slurm 21.08. NaN:
// not given, or 0, which means all the memory of the node.
inline double parse_memory(std::string_view text) {
  char number[32], *end = nullptr; // a string_view does not end with 0, as strtod needs it
  std::snprintf(number, sizeof number, "%.*s", int(text.size()), text.data());
  const double value = std::strtod(number, &end);
  const std::string_view units = "KMGTP", unit = end;
  const std::size_t power = unit.empty() ? 1 : units.find(unit[0]); // without a unit: megabytes
  if (!text.empty() && (end == number || !(value >= 0) || unit.size() > 1 || power == units.npos))
    throw Malformed("the memory", text);
  return value > 0 ? value * std::pow(1024, double(power) - 2) : std::nan("");
}

// The value of `name` in text such as cpu=24,mem=96G,node=1; empty: it is not there.
inline std::string_view tres_value(std::string_view text, std::string_view name) {
  while (!text.empty()) {
    const std::string_view item = text.substr(0, text.find(','));
    if (item.size() > name.size() && item.substr(0, name.size()) == name &&
        item[name.size()] == '=')
      return item.substr(name.size() + 1);
    text.remove_prefix(item.size() < text.size() ? item.size() + 1 : item.size());
  }
  return {};
}

// How many tasks share the line of an array that has not started, such as 4711_[1,5-9:2] or, where
// sacct has cut a long list off, 4711_[1,3,...]: at least as many as it names. With %2 only two may
// start: the others wait for these, and not for the queue. Others: 1.
inline std::uint32_t array_tasks(std::string_view id) {
  constexpr long long most = 4'000'001; // Slurm's own limit, MaxArraySize
  const std::size_t open = id.find('[');
  if (open == id.npos)
    return 1;
  std::string_view list = id.substr(open + 1, id.find_first_of("%]", open) - open - 1);
  long long tasks = 0;
  while (!list.empty()) {
    const std::string_view item = list.substr(0, list.find(','));
    const std::size_t dash = item.find('-'), colon = item.find(':');
    const long long first = whole_number(item.substr(0, dash));
    const long long last =
        dash == item.npos ? first : whole_number(item.substr(dash + 1, colon - dash - 1));
    const long long step = colon == item.npos ? 1 : whole_number(item.substr(colon + 1));
    if (first >= 0 && last >= first && last <= most && step > 0)
      tasks += (last - first) / step + 1;
    list.remove_prefix(std::min(item.size() + 1, list.size()));
  }
  if (const std::size_t percent = id.find('%'); percent != id.npos)
    if (const long long at_once = whole_number(id.substr(percent + 1, id.find(']') - percent - 1));
        at_once > 0)
      tasks = std::min(tasks, at_once);
  return std::uint32_t(std::clamp(tasks, 1LL, most));
}

class SacctReader {
public:
  static constexpr const char *sacct_format =
      "JobID,User,Partition,State,Submit,Eligible,Start,End,ReqCPUS,AllocCPUS,Timelimit,ReqMem,"
      "AllocTRES";

  // Reads the header. One without what the lesson needs is an error.
  SacctReader(std::FILE *file, std::string name) : file_(file), name_(std::move(name)) {
    if (!next_line())
      throw std::runtime_error(name_ + ": is empty; sacct prints a header line first");
    header_ = line();
    if (header_.compare(0, 3, "\xEF\xBB\xBF") == 0) // the mark with which some editors begin UTF-8
      header_.erase(0, 3);
    split(header_);
    id_ = column({"JobID", "JobIDRaw"});
    partition_ = column({"Partition"});
    state_ = column({"State"});
    submit_ = column({"Submit"});
    eligible_ = column({"Eligible"});
    start_ = column({"Start"});
    end_ = column({"End"}, false);
    limit_ = column({"Timelimit", "TimelimitRaw"});
    allocated_ = column({"AllocCPUS"}, false);
    tres_ = column({"ReqTRES"}, false);
    given_ = column({"AllocTRES"}, false);
    user_ = column({"User"}, false);
    // What was requested, where the file has it: an exclusive job is given more.
    cpus_ = column({"ReqCPUS", "NCPUS", "AllocCPUS"}, tres_ < 0);
    memory_ = column({"ReqMem"}, false);
    columns_ = fields_.size();
  }
  ~SacctReader() { std::free(text_); }
  SacctReader(const SacctReader &) = delete;
  SacctReader &operator=(const SacctReader &) = delete;

  // The next job; false: there is none. A malformed line is counted, and the first few are named on
  // standard error; steps of jobs are counted; both are passed over.
  bool next(Job &job) {
    while (next_line()) {
      if (line().empty() || line() == header_) // that of a second file, appended to the first
        continue;
      ++lines;
      try {
        split(line());
        if (fields_.size() != columns_)
          throw Malformed("the number of fields", std::to_string(fields_.size()));
        if (!is_step(field(id_))) {
          job = parse();
          return true;
        }
        ++steps;
      } catch (const Malformed &fault) {
        if (++malformed <= named)
          std::fprintf(stderr, "%s:%ld: %s\n", name_.c_str(), number_, fault.what());
      }
    }
    return false;
  }

  long lines = 0, steps = 0, malformed = 0; // without headers and empty lines
  int named = 5;                            // malformed lines

private:
  bool next_line() {
    length_ = getline(&text_, &capacity_, file_);
    ++number_;
    return length_ >= 0;
  }
  std::string_view line() const {
    std::string_view text(text_, length_);
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r'))
      text.remove_suffix(1);
    return text;
  }

  void split(std::string_view text) {
    fields_.clear();
    for (std::size_t bar; (bar = text.find('|')) != text.npos; text.remove_prefix(bar + 1))
      fields_.push_back(text.substr(0, bar));
    fields_.push_back(text);
  }
  std::string_view field(int column) const {
    return column < 0 ? std::string_view{} : fields_[column];
  }

  // The place of the first of these names that the header has; -1: it has none, and need not.
  int column(std::initializer_list<const char *> names, bool needed = true) const {
    for (const char *name : names)
      for (std::size_t i = 0; i < fields_.size(); ++i)
        if (fields_[i] == name)
          return int(i);
    if (needed)
      throw std::runtime_error(name_ + ":1: the header has no column " + *names.begin() +
                               "; save with: sacct --parsable2 --format=" + sacct_format);
    return -1;
  }

  // 4711.batch, and not 4711_[1,3,...]
  static bool is_step(std::string_view id) {
    const std::size_t point = id.find_first_of(".[");
    return point != id.npos && id[point] == '.';
  }

  static long long time_or_none(const char *what, std::string_view text) {
    const bool none = text.empty() || text == "Unknown" || text == "None" || text == "N/A";
    return none ? -1 : parse_time(what, text);
  }

  Job parse() const {
    Job job{};
    const std::string_view state =
        field(state_).substr(0, field(state_).find(' ')); // CANCELLED by 7
    job.partition = field(partition_);
    if (job.partition.empty() || state.empty())
      throw Malformed(state.empty() ? "the state" : "the partition", "");
    job.submit = parse_time("Submit", field(submit_));
    job.eligible = time_or_none("Eligible", field(eligible_));
    job.start = time_or_none("Start", field(start_));
    job.end = time_or_none("End", field(end_));
    job.user = field(user_);
    job.tasks = array_tasks(field(id_));
    job.array_task = field(id_).find('_') != std::string_view::npos;
    job.het_part = field(id_).find('+') != std::string_view::npos;
    job.requeued = state == "REQUEUED";
    job.held_back = job.eligible > job.submit;
    job.fate = fate(state, job);
    const bool started = job.fate == Job::Fate::started;
    if (started && (job.eligible < 0 || job.start < job.eligible))
      throw Malformed("Start is before Eligible, which", field(eligible_));
    set_size(job);
    return job;
  }

  Job::Fate fate(std::string_view state, const Job &job) const {
    if (state == "PENDING")
      return Job::Fate::waiting;
    // A job that never started has no Start, or that of its end, or no CPU.
    const bool cancelled = state == "CANCELLED" || state == "DEADLINE" || state == "REVOKED";
    if (job.start >= 0 && field(allocated_) != "0" && !(cancelled && job.start == job.end))
      return Job::Fate::started;
    return cancelled ? Job::Fate::cancelled : Job::Fate::refused;
  }

  void set_size(Job &job) const {
    const std::string_view text = cpus_ < 0 ? tres_value(field(tres_), "cpu") : field(cpus_);
    long long cpus = whole_number(text);
    if (cpus < 0)
      throw Malformed("the number of CPUs", text);
    double gigabytes = parse_memory(memory_ < 0 ? tres_value(field(tres_), "mem") : field(memory_));
    const double hours = parse_limit(field(limit_));
    // Up to twice as many CPUs may be whole cores in place of threads. More are whole nodes: that
    // is what such a job has waited for. Of one that has not started nobody knows it.
    const long long given = whole_number(field(allocated_));
    job.whole_nodes = job.fate == Job::Fate::started && given > 2 * cpus && cpus > 0;
    if (job.whole_nodes) {
      cpus = given;
      if (const double memory = parse_memory(tres_value(field(given_), "mem")); memory > gigabytes)
        gigabytes = memory;
    }
    job.cpu_hours = cpus > 0 ? double(cpus) * hours : 0;
    job.gb_hours = hours * gigabytes;
  }

  std::FILE *file_;
  std::string name_, header_;
  char *text_ = nullptr;
  std::size_t capacity_ = 0, columns_ = 0;
  ssize_t length_ = 0;
  long number_ = 0;
  std::vector<std::string_view> fields_;
  int id_, partition_, state_, submit_, eligible_, start_, end_, limit_, allocated_, tres_, given_,
      user_, cpus_, memory_;
};
