// Copies and fills. One function serves one and two dimensions: rows of `width` bytes.
#include "allocations.h"
#include "capture.h"
#include "course_cpu/api.h"
#include "course_cpu_grader.h"
#include "observer.h"
#include "refusals.hpp"
#include "timeline.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

namespace course_cpu {
namespace {

std::atomic<CopyNote *> note_copy{nullptr};

constexpr size_t staged_up_to = 64 << 10; // bytes that an asynchronous copy takes over at the call

struct Extent {
  size_t width, height; // bytes of a row, and rows

  size_t bytes() const { return width * height; }
};

// Rows in memory: where they start, and their distance in bytes.
struct Rows {
  Rows(const void *start, size_t pitch)
      : start(static_cast<char *>(const_cast<void *>(start))), pitch(pitch) {}

  char *row(size_t y) const { return start + y * pitch; }

  char *start;
  size_t pitch;
};

// Bytes from the start to the end of the last row.
size_t span(const Rows &rows, const Extent &e) { return (e.height - 1) * rows.pitch + e.width; }

bool pitch_fits(const Rows &rows, const Extent &e) {
  return e.height <= 1 || rows.pitch >= e.width;
}

bool contiguous(const Rows &rows, const Extent &e) {
  return e.height == 1 || rows.pitch == e.width;
}

bool device_accessible(const Location &where, size_t bytes) {
  return where.place != Place::pageable && bytes <= where.size;
}

// Not where only the first of the bytes are pinned or managed. (CUDA looks at the beginning:
// pageable memory may go on into pinned memory.)
bool host_accessible(const Location &where, const char *start, size_t bytes) {
  if (where.place == Place::device || where.place == Place::pageable)
    return where.place == Place::pageable;
  const size_t known = known_bytes(start, bytes);
  if (known >= bytes)
    return true;
  say_refused(text_of(course::RefusedCopy{bytes, known, "pinned"}));
  return false;
}

// The location of memory that has to be the device's. Host code may have the address of a variable
// from a kernel, by way of memory.
Location locate_on_device(const Rows &rows, const Extent &e) {
  const Location where = locate(rows.start);
  Dl_info variable;
  if (where.place == Place::pageable && dladdr(rows.start, &variable) && kernels_keep(rows.start))
    return {Place::device, current_device().index, rows.start, span(rows, e)};
  return where;
}

const char *direction_of(const Location &to, const Location &from) {
  const auto on_device = [](const Location &its) {
    return its.place == Place::device || its.place == Place::managed;
  };
  if (on_device(to))
    return on_device(from) ? "copy on the device" : "copy to the device";
  return on_device(from) ? "copy to the host" : "copy on the host";
}

// Checks that the two sides are where the kind of the copy says.
cudaError_t check_kind(const Location &target, const Rows &to, const Location &source,
                       const Rows &from, const Extent &e, cudaMemcpyKind kind) {
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  const auto fits = [&](const Location &where, const Rows &rows, bool device) {
    const size_t bytes = span(rows, e);
    if (where.place == Place::device && bytes > where.size)
      say_refused(text_of(course::RefusedCopy{bytes, where.size, "device"}));
    if (kind == cudaMemcpyDefault)
      device = where.place == Place::device;
    return device ? device_accessible(where, bytes) : host_accessible(where, rows.start, bytes);
  };
  return fits(target, to, to_device) && fits(source, from, from_device) ? cudaSuccess
                                                                        : cudaErrorInvalidValue;
}

void copy_rows(const Rows &to, const Rows &from, const Extent &e) {
  for (size_t y = 0; tools::on && y < e.height; y++)
    tools::copied(to.row(y), from.row(y), e.width);
  if (contiguous(to, e) && contiguous(from, e)) {
    copy_bytes(to.start, from.start, e.bytes());
    return tools::has_copied(to.start, from.start, e.bytes());
  }
  for (size_t y = 0; y < e.height; y++) {
    std::memcpy(to.row(y), from.row(y), e.width);
    tools::has_copied(to.row(y), from.row(y), e.width);
  }
}

// Tells a grader of a copy that has run. `from`: as the program gave it.
void tell_note(const Location &target, const Rows &to, const Location &source, const Rows &from,
               const Extent &e) {
  CopyNote *const note = note_copy;
  if (!note || (target.place == Place::device) == (source.place == Place::device))
    return;
  if (target.place == Place::pinned || source.place == Place::pinned)
    pinned_was_copied = true;
  for (size_t y = 0; y < e.height; y++)
    note(to.row(y), from.row(y), e.width, target.place == Place::device);
}

// As a stream runs it; `direction` is for a timeline.
void run_copy(const Rows &to, const Rows &from, const Extent &e, const char *direction) {
  const Span span(Span::copy, direction, e.bytes());
  copy_rows(to, from, e);
}

void run_fill(const Rows &rows, int value, const Extent &e) {
  const Span span(Span::fill, "fill", e.bytes());
  for (size_t y = 0; tools::on && y < e.height; y++)
    tools::filled(rows.row(y), e.width);
  if (contiguous(rows, e))
    return fill_bytes(rows.start, value, e.bytes());
  for (size_t y = 0; y < e.height; y++)
    std::memset(rows.row(y), value, e.width);
}

// True if a row of one side shares bytes with a row of the other. Rows of the two sides that are
// not equally far apart are compared only as a whole, where that is exact.
bool overlap(const Rows &to, const Rows &from, const Extent &e) {
  const std::ptrdiff_t distance = to.start - from.start, width = std::ptrdiff_t(e.width);
  const bool whole = contiguous(to, e) && contiguous(from, e);
  if (whole || to.pitch != from.pitch)
    return whole && std::abs(distance) < std::ptrdiff_t(span(to, e));
  const std::ptrdiff_t pitch = std::ptrdiff_t(to.pitch), rows = distance / pitch;
  for (std::ptrdiff_t y = rows - 1; y <= rows + 1; ++y)
    if (std::abs(y) < std::ptrdiff_t(e.height) && std::abs(distance - y * pitch) < width)
      return true;
  return false;
}

// True if host memory, of malloc or new, also where it is registered, ends before the rows do; a
// tool has reported it then.
bool ends_before(const Rows &rows, const Location &where, const Extent &e, const char *side) {
  const size_t room = where.place != Place::device ? tools::room_at(rows.start) : 0;
  if (room == 0 || span(rows, e) <= room)
    return false;
  tools::tell_copy("a copy of " + std::to_string(span(rows, e)) + " bytes " + side +
                   " host memory, which has only " + std::to_string(room) + " bytes");
  return true;
}

enum class Host { waits, goes_on };

// Queues a copy on a stream. The host waits where CUDA makes it wait.
cudaError_t copy(const Rows &to, const Rows &from, const Extent &e, cudaMemcpyKind kind,
                 cudaStream_t handle, Host host) {
  return api_call([&]() -> cudaError_t {
    auto stream = find_stream(handle);
    if (!stream)
      return cudaErrorInvalidResourceHandle;
    if (cudaError_t error = capture_forbids(*stream, Use::queues))
      return error;
    if (e.bytes() == 0)
      return cudaSuccess;
    if (!pitch_fits(to, e) || !pitch_fits(from, e))
      return cudaErrorInvalidPitchValue;
    if (!to.start || !from.start)
      return cudaErrorInvalidValue;
    const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    const Location target = to_device ? locate_on_device(to, e) : locate(to.start);
    const Location source = from_device ? locate_on_device(from, e) : locate(from.start);
    if (cudaError_t error = check_kind(target, to, source, from, e, kind))
      return error;
    if (tools::on && to.start != from.start && overlap(to, from, e))
      tools::tell_copy("the source and the target of a copy overlap");
    if (tools::on && (ends_before(to, target, e, "to") || ends_before(from, source, e, "from")))
      return cudaErrorInvalidValue;
    const bool between_devices = target.place == Place::device && source.place == Place::device;
    const bool pageable = target.place == Place::pageable || source.place == Place::pageable;
    const size_t bytes = e.bytes();
    const char *const direction = direction_of(target, source);

    // A small pageable source is taken over now, so the program may change it at once.
    if (host == Host::goes_on && !stream->capture && source.place == Place::pageable &&
        target.place != Place::pageable && bytes <= staged_up_to) {
      auto staged = std::make_shared<std::vector<char>>(bytes);
      const Rows packed(staged->data(), e.width);
      copy_rows(packed, from, e);
      enqueue(stream, [=] {
        run_copy(to, packed, e, direction), void(staged);
        tell_note(target, to, source, from, e);
      });
      return cudaSuccess;
    }
    tools::HostMemory target_memory, source_memory;
    if (stream->capture) { // the caller goes on before a captured copy runs
      target_memory = tools::HostMemory(to.start);
      source_memory = tools::HostMemory(from.start);
    }
    const Mark mark = enqueue(stream, cudaGraphNodeTypeMemcpy, [=] {
      if (target_memory.is_gone("copy", true))
        return;
      if (source_memory.is_gone("copy", false))
        return run_fill(to, 0xFF, e);
      run_copy(to, from, e, direction);
      tell_note(target, to, source, from, e);
    });
    if (host == Host::goes_on ? !pageable : between_devices)
      return cudaSuccess;
    finish(mark);
    return stream->device.sticky;
  });
}

cudaError_t fill(const Rows &rows, int value, const Extent &e, cudaStream_t handle, Host host) {
  return api_call([&]() -> cudaError_t {
    auto stream = find_stream(handle);
    if (!stream)
      return cudaErrorInvalidResourceHandle;
    if (cudaError_t error = capture_forbids(*stream, Use::queues))
      return error;
    if (e.bytes() == 0)
      return cudaSuccess;
    if (!pitch_fits(rows, e))
      return cudaErrorInvalidPitchValue;
    const Location where = locate_on_device(rows, e);
    if (!device_accessible(where, span(rows, e)))
      return cudaErrorInvalidValue;
    const Mark mark = enqueue(stream, cudaGraphNodeTypeMemset, [=] { run_fill(rows, value, e); });
    if (host == Host::goes_on || where.place == Place::device)
      return cudaSuccess;
    finish(mark);
    return stream->device.sticky;
  });
}

// Advice and prefetches change nothing here; they are checked.
cudaError_t check_managed(const void *pointer, size_t bytes, int device, cudaStream_t stream) {
  return api_call([&] {
    if (device != cudaCpuDeviceId && !device_exists(device))
      return cudaErrorInvalidDevice;
    if (!find_stream(stream))
      return cudaErrorInvalidResourceHandle;
    const Location where = locate(pointer);
    return where.place == Place::managed && bytes <= where.size ? cudaSuccess
                                                                : cudaErrorInvalidValue;
  });
}

int device_of(cudaMemLocation location) {
  return location.type == cudaMemLocationTypeDevice ? location.id : int(cudaCpuDeviceId);
}

} // namespace

// Memory of a stack or a heap belongs to no file that is loaded.
bool is_symbol(const void *address) {
  Dl_info file;
  return dladdr(address, &file) != 0;
}

cudaError_t no_symbol() {
  return api_call([] { return cudaErrorInvalidSymbol; });
}

void watch_copies(CopyNote *note) { note_copy = note; }

} // namespace course_cpu

using namespace course_cpu;

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind) {
  return copy({to, bytes}, {from, bytes}, {bytes, 1}, kind, nullptr, Host::waits);
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return copy({to, bytes}, {from, bytes}, {bytes, 1}, kind, stream, Host::goes_on);
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                         size_t width_bytes, size_t height, cudaMemcpyKind kind) {
  return copy({to, to_pitch}, {from, from_pitch}, {width_bytes, height}, kind, nullptr,
              Host::waits);
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width_bytes, size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
  return copy({to, to_pitch}, {from, from_pitch}, {width_bytes, height}, kind, stream,
              Host::goes_on);
}

cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
                                size_t bytes, cudaStream_t stream) {
  if (!devices().empty() && (!device_exists(to_device) || !device_exists(from_device)))
    return record_error(cudaErrorInvalidDevice);
  return copy({to, bytes}, {from, bytes}, {bytes, 1}, cudaMemcpyDeviceToDevice, stream,
              Host::goes_on);
}

cudaError_t cudaMemset(void *pointer, int value, size_t bytes) {
  return fill({pointer, bytes}, value, {bytes, 1}, nullptr, Host::waits);
}

cudaError_t cudaMemsetAsync(void *pointer, int value, size_t bytes, cudaStream_t stream) {
  return fill({pointer, bytes}, value, {bytes, 1}, stream, Host::goes_on);
}

cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, int device,
                                 cudaStream_t stream) {
  return check_managed(pointer, bytes, device, stream);
}

cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, cudaMemLocation location,
                                 unsigned int, cudaStream_t stream) {
  return check_managed(pointer, bytes, device_of(location), stream);
}

cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, cudaMemoryAdvise, int device) {
  return check_managed(pointer, bytes, device, nullptr);
}

cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, cudaMemoryAdvise,
                          cudaMemLocation location) {
  return check_managed(pointer, bytes, device_of(location), nullptr);
}
