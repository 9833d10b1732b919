// Records what a GPU does, and when, for a timeline (timeline_records.hpp): a library that CUDA
// loads into a program where CUDA_INJECTION64_PATH names it. It asks CUPTI, on which NVIDIA's
// profilers are built, for its activity records. Ranges of NVTX come from CUPTI, too, where
// NVTX_INJECTION64_PATH names libcupti.
#include "common/cpu/runtime/timeline_records.hpp"

#include <cupti.h>

#include <cxxabi.h>
#include <map>

namespace {

course_timeline::Recorder &recorder() {
  static auto &its = *new course_timeline::Recorder("cupti");
  return its;
}

std::int64_t clocks_differ; // the Recorder's clock minus CUPTI's
std::int64_t time_of(std::uint64_t cupti) { return std::int64_t(cupti) + clocks_differ; }

int row_of(std::uint32_t device, std::uint32_t stream) { // 7 is the legacy default stream
  return course_timeline::row_of(int(device), stream == 7 ? 0 : int(stream));
}

std::string readable(const char *symbol) { // the name without its parameters
  int status = 0;
  char *text = abi::__cxa_demangle(symbol, nullptr, nullptr, &status);
  std::string name = status == 0 ? text : symbol;
  std::free(text);
  const std::string unnamed = "(anonymous namespace)::";
  for (std::size_t at; (at = name.find(unnamed)) != name.npos;)
    name.erase(at, unnamed.size());
  if (name.rfind("void ", 0) == 0)
    name.erase(0, 5);
  int depth = 0; // template arguments have parentheses, too: the parameters' are the last
  for (std::size_t i = name.size(); i-- > 0;) {
    depth += name[i] == ')' ? 1 : name[i] == '(' ? -1 : 0;
    if (name[i] == '(' && depth == 0)
      return name.substr(0, i);
  }
  return name;
}

const char *direction_of(std::uint8_t kind) {
  switch (kind) {
  case CUPTI_ACTIVITY_MEMCPY_KIND_HTOD:
    return "copy to the device";
  case CUPTI_ACTIVITY_MEMCPY_KIND_DTOH:
    return "copy to the host";
  case CUPTI_ACTIVITY_MEMCPY_KIND_HTOH:
    return "copy on the host";
  default:
    return "copy on the device";
  }
}

struct Marker {
  std::string name;
  std::uint64_t begin;
};
std::map<std::uint32_t, Marker> open_ranges; // by their ids; touched by one thread of CUPTI

void take_marker(const CUpti_ActivityMarker2 &its) {
  if (its.flags & CUPTI_ACTIVITY_FLAG_MARKER_START)
    open_ranges[its.id] = {its.name ? its.name : "", its.timestamp};
  else if (const auto found = open_ranges.find(its.id);
           its.flags & CUPTI_ACTIVITY_FLAG_MARKER_END && found != open_ranges.end()) {
    recorder().add(course_timeline::ranges, "range", found->second.name,
                   time_of(found->second.begin), time_of(its.timestamp));
    open_ranges.erase(found);
  }
}

// The host's calls that show in a timeline: launches, and those that wait.
void take_call(const CUpti_ActivityAPI &its) {
  const char *text = nullptr;
  if (cuptiGetCallbackName(CUPTI_CB_DOMAIN_RUNTIME_API, its.cbid, &text) != CUPTI_SUCCESS)
    return;
  const std::string name(text, std::strcspn(text, "_")); // cudaMemcpy_v3020
  const auto holds = [&](const char *part) { return name.find(part) != name.npos; };
  const char *const kind =
      holds("Launch") ? "launch"
      : holds("Synchronize") || name == "cudaFree" || (holds("Memcpy") && !holds("Async"))
          ? "wait"
          : nullptr;
  if (kind)
    recorder().add(course_timeline::host, kind, name, time_of(its.start), time_of(its.end));
}

void take(const CUpti_Activity *record) {
  switch (record->kind) {
  case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL: {
    // The newest type has its first members where the oldest ones have them.
    const auto &its = *reinterpret_cast<const CUpti_ActivityKernel7 *>(record);
    recorder().add(row_of(its.deviceId, its.streamId), "kernel", readable(its.name),
                   time_of(its.start), time_of(its.end));
    break;
  }
  case CUPTI_ACTIVITY_KIND_MEMCPY: {
    const auto &its = *reinterpret_cast<const CUpti_ActivityMemcpy5 *>(record);
    recorder().add(row_of(its.deviceId, its.streamId), "copy", direction_of(its.copyKind),
                   time_of(its.start), time_of(its.end), its.bytes);
    break;
  }
  case CUPTI_ACTIVITY_KIND_MEMCPY2: {
    const auto &its = *reinterpret_cast<const CUpti_ActivityMemcpyPtoP4 *>(record);
    recorder().add(row_of(its.deviceId, its.streamId), "copy", "copy to another GPU",
                   time_of(its.start), time_of(its.end), its.bytes);
    break;
  }
  case CUPTI_ACTIVITY_KIND_MEMSET: {
    const auto &its = *reinterpret_cast<const CUpti_ActivityMemset4 *>(record);
    recorder().add(row_of(its.deviceId, its.streamId), "fill", "fill", time_of(its.start),
                   time_of(its.end), its.bytes);
    break;
  }
  case CUPTI_ACTIVITY_KIND_RUNTIME:
    take_call(*reinterpret_cast<const CUpti_ActivityAPI *>(record));
    break;
  case CUPTI_ACTIVITY_KIND_MARKER:
    take_marker(*reinterpret_cast<const CUpti_ActivityMarker2 *>(record));
    break;
  default:
    break;
  }
}

constexpr std::size_t buffer_bytes = 8 << 20;

void CUPTIAPI give_buffer(std::uint8_t **buffer, std::size_t *bytes, std::size_t *most_records) {
  *buffer = static_cast<std::uint8_t *>(std::aligned_alloc(8, buffer_bytes));
  *bytes = *buffer ? buffer_bytes : 0;
  *most_records = 0; // as many as fit
}

void CUPTIAPI take_buffer(CUcontext, std::uint32_t, std::uint8_t *buffer, std::size_t,
                          std::size_t valid) {
  for (CUpti_Activity *record = nullptr;
       cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS;)
    take(record);
  std::free(buffer);
}

bool succeeded(CUptiResult result, const char *call) {
  const char *why = "";
  if (result == CUPTI_SUCCESS)
    return true;
  cuptiGetResultString(result, &why);
  std::fprintf(stderr, "no timeline: %s: %s\n", call, why);
  return false;
}
#define CUPTI(call) succeeded(call, #call)

} // namespace

extern "C" int InitializeInjection() { // CUDA calls it when it starts
  std::uint64_t its_time = 0;
  if (!recorder().is_on() || !CUPTI(cuptiGetTimestamp(&its_time)))
    return 1;
  clocks_differ = course_timeline::now() - std::int64_t(its_time);
  if (!CUPTI(cuptiActivityRegisterCallbacks(give_buffer, take_buffer)))
    return 1;
  for (const auto kind : {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY,
                          CUPTI_ACTIVITY_KIND_MEMCPY2, CUPTI_ACTIVITY_KIND_MEMSET,
                          CUPTI_ACTIVITY_KIND_RUNTIME, CUPTI_ACTIVITY_KIND_MARKER})
    if (!CUPTI(cuptiActivityEnable(kind)))
      return 1;
  std::atexit([] {
    CUPTI(cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED));
    recorder().write();
  });
  return 1;
}
