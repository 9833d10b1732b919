// The text that sacct --parsable2 prints, as a stream of jobs: a header line, then a line for each
// job, with | between fields. The header says which field is which, so any order of columns will
// do.
#pragma once

#include "lessons/19-queue-time/times.hpp"

#include <cmath>
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
  std::string_view partition;             // valid until the next line is read
  long long submit, eligible, start, end; // seconds since 1970; -1: not yet
  double cpu_hours, gb_hours; // as requested, for the whole time limit; gb_hours may be NaN
  bool array_task, requeued, held_back; // held_back: eligible later than submitted
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

class SacctReader {
public:
  // Reads the header. One without what the lesson needs is an error.
  SacctReader(std::FILE *file, std::string name) : file_(file), name_(std::move(name)) {
    if (!next_line())
      throw std::runtime_error(name_ + ": is empty; sacct prints a header line first");
    header_ = line();
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
        if (field(id_).find('.') == field(id_).npos) {
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

private:
  static constexpr int named = 5; // malformed lines

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
    job.array_task = field(id_).find('_') != std::string_view::npos;
    job.requeued = state == "REQUEUED";
    job.held_back = job.eligible > job.submit;

    std::string_view cpus = field(cpus_);
    if (cpus_ < 0)
      cpus = tres_value(field(tres_), "cpu");
    const long long count = whole_number(cpus);
    if (count < 0)
      throw Malformed("the number of CPUs", cpus);
    const double hours = parse_limit(field(limit_));
    job.cpu_hours = count > 0 ? double(count) * hours : 0;
    job.gb_hours =
        hours * parse_memory(memory_ >= 0 ? field(memory_) : tres_value(field(tres_), "mem"));

    // A job that never started has no Start, or that of its end, or no CPU.
    const bool cancelled = state == "CANCELLED";
    if (state == "PENDING")
      job.fate = Job::Fate::waiting;
    else if (job.start >= 0 && field(allocated_) != "0" && !(cancelled && job.start == job.end))
      job.fate = Job::Fate::started;
    else
      job.fate = cancelled ? Job::Fate::cancelled : Job::Fate::refused;
    if (job.fate == Job::Fate::started && (job.eligible < 0 || job.start < job.eligible))
      throw Malformed("Start is before Eligible, which", field(eligible_));
    return job;
  }

public:
  static constexpr const char *sacct_format =
      "JobID,Partition,State,Submit,Eligible,Start,End,ReqCPUS,AllocCPUS,Timelimit,ReqMem,ReqTRES";

private:
  std::FILE *file_;
  std::string name_, header_;
  char *text_ = nullptr;
  std::size_t capacity_ = 0, columns_ = 0;
  ssize_t length_ = 0;
  long number_ = 0;
  std::vector<std::string_view> fields_;
  int id_, partition_, state_, submit_, eligible_, start_, end_, limit_, allocated_, tres_, cpus_,
      memory_;
};
