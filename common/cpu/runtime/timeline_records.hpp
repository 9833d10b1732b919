// What a process did, and when, for ./course profile; not part of CUDA. The CPU backend's runtime
// records here, the recorder of a GPU (common/profiling/cupti_timeline.cpp) and that of MPI
// (common/profiling/mpi_timeline.cpp).
#pragma once

#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
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

// Keeps records while COURSE_TIMELINE names a folder, and writes them there in the end: a line each
// of RANK.SOURCE.tsv: row, kind, name, begin, end, bytes, with tabs between them. RANK is that of
// MPI.
class Recorder {
public:
  explicit Recorder(const char *source) {
    if (const char *folder = std::getenv("COURSE_TIMELINE"))
      path_ = std::string(folder) + "/" + rank() + "." + source + ".tsv";
  }
  bool is_on() const { return !path_.empty(); }

  // `row`: host, ranges, MPI, or a stream; `kind`: kernel, copy, fill, wait, launch, range, mpi.
  // `name` is the program's own: a tab or a line's end in it becomes a blank.
  void add(const std::string &row, const char *kind, std::string name, std::int64_t begin,
           std::int64_t end, std::uint64_t bytes = 0) {
    for (char &c : name)
      if (std::iscntrl(static_cast<unsigned char>(c)))
        c = ' ';
    std::lock_guard<std::mutex> lock(mutex_);
    records_.push_back({row, kind, std::move(name), begin, end, bytes});
  }

  void write() {
    std::lock_guard<std::mutex> lock(mutex_);
    std::FILE *file = std::fopen(path_.c_str(), "w");
    bool written = file;
    for (const Record &r : records_)
      written = written && std::fprintf(file, "%s\t%s\t%s\t%lld\t%lld\t%llu\n", r.row.c_str(),
                                        r.kind, r.name.c_str(), static_cast<long long>(r.begin),
                                        static_cast<long long>(r.end),
                                        static_cast<unsigned long long>(r.bytes)) > 0;
    if (file && std::fclose(file) != 0)
      written = false;
    if (!written) // no such folder, no room on the disk
      std::fprintf(stderr, "error: COURSE_TIMELINE: cannot write %s: %s\n", path_.c_str(),
                   std::strerror(errno));
  }

private:
  struct Record {
    std::string row;
    const char *kind;
    std::string name;
    std::int64_t begin, end;
    std::uint64_t bytes;
  };
  static std::string rank() { // before MPI_Init, too
    for (const char *name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"})
      if (const char *text = std::getenv(name))
        return text;
    return "0";
  }

  std::string path_;
  std::mutex mutex_;
  std::vector<Record> records_;
};

} // namespace course_timeline
