// Reads the text that sacct --parsable2 prints: a header line, then one line per job, with |
// between the fields. The header names the columns, so any order is accepted.
#pragma once

#include "lessons/19-queue-time/times.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <vector>

struct Job {
  enum class Fate { started, waiting, cancelled, refused }; // refused: no node could serve it
  Fate fate;
  std::string_view partition;             // valid until the next line is read
  long long submit, eligible, start, end; // seconds since 1970; -1: not yet
  double cpu_hours, gb_hours; // as requested, for the whole time limit; gb_hours may be NaN
  std::uint32_t tasks;        // array tasks that share this record because none has started; else 1
};

// The parts of `text` between commas.
inline std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> parts{""};
  for (const char letter : text)
    if (letter == ',')
      parts.emplace_back();
    else
      parts.back() += letter;
  return parts;
}

// Gigabytes of 512M, 96G or 1.5T, for the whole job. NaN: not given, or 0, the memory of the node.
inline double parse_memory(std::string_view text) {
  const std::string number(text);
  char *end = nullptr;
  const double value = std::strtod(number.c_str(), &end);
  const std::string_view units = "KMGTP", unit = end;
  const std::size_t power = unit.empty() ? 1 : units.find(unit[0]); // without a unit: megabytes
  if (!text.empty() &&
      (end == number.c_str() || !(value >= 0) || unit.size() > 1 || power == units.npos))
    throw Malformed("the memory", text);
  return value > 0 ? value * std::pow(1024, double(power) - 2) : std::nan("");
}

// The number of tasks in one record, such as 4711_[1,5-9:2]. sacct shortens long ones to
// 4711_[1,3,...]: at least the tasks that are left. With %2 at most two may start: the others wait
// for these, and not for the queue.
inline std::uint32_t array_tasks(std::string_view id) {
  constexpr long limit = 4'000'001; // Slurm's own, MaxArraySize
  const std::size_t open = id.find('[');
  const std::string list(open == id.npos ? "" : id.substr(open + 1));
  const std::size_t percent = list.find('%');
  long tasks = 0, at_once = limit;
  for (const std::string &item : split_list(list.substr(0, percent))) {
    long first = -1, last = -1, step = 1;
    if (std::sscanf(item.c_str(), "%9ld-%9ld:%9ld", &first, &last, &step) == 1)
      last = first;
    if (first >= 0 && last >= first && last <= limit && step > 0)
      tasks += (last - first) / step + 1;
  }
  if (percent != list.npos)
    std::sscanf(list.c_str() + percent, "%%%9ld", &at_once);
  return std::uint32_t(std::clamp(std::min(tasks, at_once), 1L, limit));
}

class SacctReader {
public:
  static constexpr const char *sacct_format =
      "JobID,Partition,State,Submit,Eligible,Start,End,ReqCPUS,AllocCPUS,Timelimit,ReqMem";

  // Reads the header. A header without a column that the lesson needs is an error.
  SacctReader(std::FILE *file, std::string name) : file_(file), name_(std::move(name)) {
    next_line();
    header_ = line_.substr(line_.compare(0, 3, "\xEF\xBB\xBF") ? 0 : 3); // the mark of UTF-8
    split(header_);
    columns_ = fields_.size();
    for (std::size_t i = 0; i < columns_; ++i)
      column_.emplace(fields_[i], i);
    for (const auto &[name, other] : {std::pair("JobID", "JobIDRaw"), // of records of other tools
                                      {"ReqCPUS", "ReqTRES"},
                                      {"ReqMem", "ReqTRES"}})
      if (const auto found = column_.find(other); found != column_.end())
        column_.emplace(name, found->second);
    for (const char *needed :
         {"JobID", "Partition", "State", "Submit", "Eligible", "Start", "Timelimit", "ReqCPUS"})
      if (!column_.count(needed))
        throw std::runtime_error(name_ + ":1: the header has no column " + needed +
                                 "; save with: sacct --parsable2 --format=" + sacct_format);
  }
  ~SacctReader() { std::free(text_); }

  // Reads the next job; false at the end. Steps of jobs and malformed lines are counted and
  // skipped; the first malformed lines are printed.
  bool next(Job &job) {
    while (next_line()) {
      if (line_.empty() || line_ == header_) // the header of a second file, appended to the first
        continue;
      ++lines;
      try {
        split(line_);
        if (fields_.size() != columns_)
          throw Malformed("the number of fields", std::to_string(fields_.size()));
        const std::string_view id = field("JobID").substr(0, field("JobID").find('['));
        if (id.find('.') == id.npos) // 4711.batch is a step
          return job = parse(), true;
        ++steps;
      } catch (const Malformed &error) {
        if (++malformed <= 5)
          std::fprintf(stderr, "%s:%ld: %s\n", name_.c_str(), number_, error.what());
      }
    }
    return false;
  }

  long lines = 0, steps = 0, malformed = 0; // without headers and empty lines

private:
  bool next_line() {
    const ssize_t length = getline(&text_, &capacity_, file_);
    line_ = std::string_view(text_, std::max<ssize_t>(length, 0));
    line_ = line_.substr(0, line_.find_last_not_of("\r\n") + 1);
    ++number_;
    return length >= 0;
  }
  void split(std::string_view text) {
    fields_.clear();
    for (std::size_t bar; (bar = text.find('|')) != text.npos; text.remove_prefix(bar + 1))
      fields_.push_back(text.substr(0, bar));
    fields_.push_back(text);
  }
  std::string_view field(const char *name) const { // empty if there is no such column
    const auto found = column_.find(name);
    return found == column_.end() ? std::string_view{} : fields_[found->second];
  }
  // The field; of a list, such as cpu=8,mem=64G,node=1, the part that begins so.
  std::string_view field(const char *name, std::string_view begins) const {
    std::string_view text = field(name);
    if (text.find('=') == text.npos)
      return text;
    text.remove_prefix(std::min(text.find(begins), text.size()));
    text.remove_prefix(std::min(begins.size(), text.size()));
    return text.substr(0, text.find(','));
  }
  long long time_or_none(const char *name) const {
    const std::string_view text = field(name);
    const bool none = text.empty() || text == "Unknown" || text == "None" || text == "N/A";
    return none ? -1 : parse_time(name, text);
  }

  Job parse() const {
    Job job{};
    const std::string_view state =
        field("State").substr(0, field("State").find(' ')); // CANCELLED by 7
    job.partition = field("Partition");
    if (job.partition.empty() || state.empty())
      throw Malformed(state.empty() ? "the state" : "the partition", "");
    job.submit = parse_time("Submit", field("Submit"));
    job.eligible = time_or_none("Eligible");
    job.start = time_or_none("Start");
    job.end = time_or_none("End");
    job.tasks = array_tasks(field("JobID"));
    // A job that never started has no Start, or its end as Start, or no CPU.
    const bool cancelled = state == "CANCELLED" || state == "DEADLINE" || state == "REVOKED";
    const bool started = job.start >= 0 && field("AllocCPUS") != "0" && state != "PENDING" &&
                         !(cancelled && job.start == job.end);
    job.fate = state == "PENDING" ? Job::Fate::waiting
               : started          ? Job::Fate::started
               : cancelled        ? Job::Fate::cancelled
                                  : Job::Fate::refused;
    if (started && (job.eligible < 0 || job.start < job.eligible))
      throw Malformed("Start is before Eligible, which", field("Eligible"));

    long long cpus = whole_number(field("ReqCPUS", "cpu="));
    if (cpus < 0)
      throw Malformed("the number of CPUs", field("ReqCPUS"));
    // Twice the requested CPUs may be whole cores instead of threads. More are whole nodes, and the
    // job waited for these.
    const long long given = whole_number(field("AllocCPUS"));
    if (started && given > 2 * cpus && cpus > 0)
      cpus = given;
    const double hours = parse_limit(field("Timelimit"));
    job.cpu_hours = cpus > 0 ? double(cpus) * hours : 0;
    job.gb_hours = parse_memory(field("ReqMem", "mem=")) * hours;
    return job;
  }

  std::FILE *file_;
  std::string name_, header_;
  std::string_view line_;
  char *text_ = nullptr;
  std::size_t capacity_ = 0, columns_ = 0;
  long number_ = 0;
  std::vector<std::string_view> fields_;
  std::map<std::string, std::size_t, std::less<>> column_;
};
