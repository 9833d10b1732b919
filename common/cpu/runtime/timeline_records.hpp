// The trace of a process, which ui.perfetto.dev opens; not part of CUDA. The CPU backend's runtime
// records here, the recorder of a GPU (common/profiling/cupti_timeline.cpp) and that of MPI
// (common/profiling/mpi_timeline.cpp).
#pragma once

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace course_timeline {

// Nanoseconds since 1970: the clocks of a job's nodes agree on that, more or less.
inline std::int64_t now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

// The rows of a process, numbered like threads in the trace.
constexpr int ranges = 1, mpi = 2, host = 3;
constexpr int streams_of_a_device = 1'000'000;
inline int row_of(int device, int stream) { // stream 0: the default stream
  return 4 + device * streams_of_a_device + stream;
}
inline std::string name_of(int row) {
  if (row < row_of(0, 0))
    return row == ranges ? "ranges" : row == mpi ? "MPI" : "host";
  const int device = (row - row_of(0, 0)) / streams_of_a_device;
  const int stream = (row - row_of(0, 0)) % streams_of_a_device;
  return (device > 0 ? "device " + std::to_string(device) + ", " : "") +
         (stream > 0 ? "stream " + std::to_string(stream) : "default stream");
}

// Keeps records while COURSE_TIMELINE names a folder, and in the end writes them there, an event
// per line, to RANK.SOURCE.json: Chrome's trace format. Its process 1 is rank 0 of MPI.
class Recorder {
public:
  explicit Recorder(const char *source) {
    for (const char *name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"}) // before MPI_Init
      if (const char *text = std::getenv(name))
        rank_ = std::max(rank_, std::atoi(text));
    if (const char *folder = std::getenv("COURSE_TIMELINE"))
      path_ = std::string(folder) + "/" + std::to_string(rank_) + "." + source + ".json";
  }
  bool is_on() const { return !path_.empty(); }

  // `kind`: kernel, copy, fill, wait, launch, range, mpi. `name` is the program's own.
  void add(int row, const char *kind, std::string name, std::int64_t begin, std::int64_t end,
           std::uint64_t bytes = 0) {
    name.resize(std::min<std::size_t>(name.size(), 400));
    for (char &c : name) // so that nothing in it has a meaning in JSON
      c = c == '"' ? '\'' : c == '\\' ? '/' : std::iscntrl(static_cast<unsigned char>(c)) ? ' ' : c;
    std::lock_guard<std::mutex> lock(mutex_);
    records_.push_back({row, kind, name.empty() ? "unnamed" : name, begin, end, bytes});
  }

  void write() {
    std::lock_guard<std::mutex> lock(mutex_);
    std::FILE *file = std::fopen(path_.c_str(), "w");
    if (!file || (print(file), std::ferror(file)) || std::fclose(file) != 0)
      std::fprintf(stderr, "error: COURSE_TIMELINE: cannot write %s: %s\n", path_.c_str(),
                   std::strerror(errno)); // no such folder, no room on the disk
  }

private:
  struct Record {
    int row;
    const char *kind;
    std::string name;
    std::int64_t begin, end;
    std::uint64_t bytes;
  };

  static std::string microseconds(std::int64_t nanoseconds) { // with a point in any locale
    const std::string parts = std::to_string(1000 + nanoseconds % 1000);
    return std::to_string(nanoseconds / 1000) + "." + parts.substr(1);
  }

  void print(std::FILE *file) const {
    std::fprintf(file,
                 "[\n{\"ph\":\"M\",\"pid\":%d,\"name\":\"process_name\",\"args\":{\"name\":\"rank "
                 "%d\"}}",
                 rank_ + 1, rank_);
    std::map<int, std::string> rows;
    for (const Record &its : records_)
      rows[its.row] = name_of(its.row);
    for (const auto &[row, name] : rows)
      std::fprintf(file,
                   ",\n{\"ph\":\"M\",\"pid\":%d,\"tid\":%d,\"name\":\"thread_name\","
                   "\"args\":{\"name\":\"%s\"}}",
                   rank_ + 1, row, name.c_str());
    for (const Record &its : records_)
      std::fprintf(file,
                   ",\n{\"ph\":\"X\",\"pid\":%d,\"tid\":%d,\"ts\":%s,\"dur\":%s,\"cat\":\"%s\","
                   "\"name\":\"%s\",\"args\":{\"bytes\":%llu}}",
                   rank_ + 1, its.row, microseconds(its.begin - midnight_).c_str(),
                   microseconds(its.end - its.begin).c_str(), its.kind, its.name.c_str(),
                   static_cast<unsigned long long>(its.bytes));
    std::fputs("\n]\n", file);
  }

  // All ranks count from here, so that a double holds microseconds to the nanosecond.
  static constexpr std::int64_t day = 86'400'000'000'000;
  const std::int64_t midnight_ = now() / day * day;
  int rank_ = 0;
  std::string path_;
  std::mutex mutex_;
  std::vector<Record> records_;
};

} // namespace course_timeline
