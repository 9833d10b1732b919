// Records kernels, copies, waits and the ranges of NVTX, where a timeline is asked for.
#include "timeline.h"

#include "device.h"
#include "nvtx3/nvToolsExt.h"
#include "runtime.h"
#include "timeline_records.hpp"

#include <string>
#include <vector>

namespace course_cpu {
namespace {

// nullptr where no timeline is asked for. Never destroyed: destructors of the program's own objects
// may still wait for a device.
course_timeline::Recorder *recorder() {
  static course_timeline::Recorder *const its = [] {
    auto *made = new course_timeline::Recorder("cpu");
    return made->is_on() ? made : nullptr;
  }();
  static const int registered = its ? std::atexit([] { recorder()->write(); }) : 0;
  (void)registered;
  return its;
}

int row_of_running_work() {
  const Stream *const stream = running_stream;
  if (!stream)
    return course_timeline::host;
  const bool is_default = stream == stream->device.default_stream.get();
  return course_timeline::row_of(stream->device.index, is_default ? 0 : int(stream->number));
}

struct Range {
  explicit Range(const char *message) : name(message ? message : "") {}
  std::string name;
  std::int64_t begin = course_timeline::now();
};

std::vector<Range> &open_ranges() { // of this thread
  return of_this_thread<std::vector<Range>>();
}

std::mutex timeline_mutex;
std::vector<Range> &started() { // by nvtxRangeStart; the id is the place
  static auto &all = *new std::vector<Range>;
  return all;
}

void add(const Range &range) {
  recorder()->add(course_timeline::ranges, "range", range.name, range.begin,
                  course_timeline::now());
}

} // namespace

Span::Span(Kind kind, const char *name, std::size_t bytes)
    : kind_(kind), name_(recorder() ? name : nullptr), bytes_(bytes),
      begin_(name_ ? course_timeline::now() : 0) {}

Span::~Span() {
  static const char *const kinds[] = {"kernel", "copy", "fill", "wait"};
  if (name_)
    recorder()->add(kind_ == wait ? course_timeline::host : row_of_running_work(), kinds[kind_],
                    name_, begin_, course_timeline::now(), bytes_);
}

} // namespace course_cpu

using namespace course_cpu;

int nvtxRangePushA(const char *message) {
  if (!recorder())
    return -1; // as NVTX returns if no profiler listens
  open_ranges().emplace_back(message);
  return int(open_ranges().size()) - 1;
}

int nvtxRangePop() {
  if (!recorder() || open_ranges().empty())
    return -1;
  add(open_ranges().back());
  open_ranges().pop_back();
  return int(open_ranges().size());
}

nvtxRangeId_t nvtxRangeStartA(const char *message) {
  if (!recorder())
    return 0;
  std::lock_guard<std::mutex> lock(timeline_mutex);
  started().emplace_back(message);
  return started().size();
}

void nvtxRangeEnd(nvtxRangeId_t id) {
  std::lock_guard<std::mutex> lock(timeline_mutex);
  if (id > 0 && id <= started().size())
    add(started()[id - 1]);
}
