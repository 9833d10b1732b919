// The timeline of operations, and their vector clocks.
#include "clock.h"

#include "access.h"
#include "count.h"
#include "report.h"
#include "runtime/allocations.h"
#include "runtime/capture.h"
#include "runtime/observer.h"

#include <algorithm>
#include <deque>
#include <execinfo.h>
#include <unordered_map>

namespace course_cpu {
namespace tools {

Tick now = 1;
std::recursive_mutex timeline_mutex;

namespace {

struct StreamClock {
  std::shared_ptr<Stream> stream; // kept, so that no other stream gets its address
  VectorClock last;               // of the operation queued last, itself included
  std::deque<std::pair<std::uint64_t, VectorClock>> queued; // that the host has not waited for
  std::uint64_t executed = 0;
};

struct Timeline {
  std::vector<StreamClock> streams;
  std::unordered_map<const Stream *, unsigned> numbers;
  std::unordered_map<std::uint64_t, std::shared_ptr<Operation>> waiting; // by Operation::sequence
  std::deque<Segment> segments{{now, nullptr, false}};
  VectorClock host;
  Tick host_has_all = 0; // everything up to here is ordered before the host
  std::shared_ptr<Operation> current;
  Tick floor = 0; // of the current operation
};

Timeline &timeline() {
  static auto &timeline = *new Timeline;
  return timeline;
}

unsigned number_of(const std::shared_ptr<Stream> &stream) {
  Timeline &t = timeline();
  const auto found = t.numbers.try_emplace(stream.get(), t.streams.size());
  if (found.second)
    t.streams.push_back({stream, {}, {}, 0});
  return found.first->second;
}

void join(VectorClock &clock, const VectorClock &other) {
  clock.resize(std::max(clock.size(), other.size()));
  for (size_t i = 0; i < other.size(); ++i)
    clock[i] = std::max(clock[i], other[i]);
}

bool covers(const VectorClock &clock, const Operation &operation) {
  return operation.stream < clock.size() && clock[operation.stream] >= operation.number;
}

// Adds what is known at a point of a stream. Operations that are no longer kept are older than what
// the host has waited for, which `clock` has anyway.
void join(VectorClock &clock, const Mark &mark) {
  if (!mark.stream || mark.number == 0)
    return;
  const auto &queued = timeline().streams[number_of(mark.stream)].queued;
  if (!queued.empty() && queued.front().first <= mark.number)
    join(clock, queued[mark.number - queued.front().first].second);
}

void begin_segment(std::shared_ptr<Operation> operation) {
  auto &segments = timeline().segments;
  if (!segments.empty() && !segments.back().operation && !segments.back().host_was_here)
    segments.pop_back();
  segments.push_back({++now, std::move(operation), false});
}

Tick find_floor(const Operation &operation) {
  const auto &segments = timeline().segments;
  Tick floor = operation.begin - 1;
  Tick end = operation.begin; // of the segment
  for (auto segment = segments.rbegin(); segment != segments.rend() && end > operation.all_before;
       ++segment) {
    // The clock does not tick while the host uses memory: all it does in a segment is at its begin.
    const bool ordered = segment->operation ? covers(operation.before, *segment->operation)
                                            : segment->begin <= operation.queued;
    if (!ordered && segment->operation.get() != &operation)
      floor = std::max(operation.all_before, segment->begin - 1);
    end = segment->begin;
  }
  return floor;
}

} // namespace

Calls calls_of_host() {
  void *addresses[24];
  const int count = backtrace(addresses, 24);
  Calls calls;
  for (int i = 1; i < count; ++i)
    calls.push_back(code_of(addresses[i]));
  return calls;
}

Operation &current_operation() { return *timeline().current; }

Segment segment_at(Tick tick) {
  const auto &segments = timeline().segments;
  const auto after =
      std::upper_bound(segments.begin(), segments.end(), tick,
                       [](Tick t, const Segment &segment) { return t < segment.begin; });
  return after == segments.begin() ? Segment{0, nullptr, false} : *std::prev(after);
}

Tick floor_of_operation() { return timeline().floor; }

bool ordered_before_operation(Tick tick) {
  const Operation &me = current_operation();
  const Segment segment = segment_at(tick);
  if (segment.operation.get() == &me)
    return true; // an earlier part of it
  return segment.operation ? covers(me.before, *segment.operation) : tick <= me.queued;
}

bool ordered_before_host(Tick tick) {
  if (tick <= timeline().host_has_all)
    return true;
  const Segment segment = segment_at(tick);
  return !segment.operation || covers(timeline().host, *segment.operation);
}

void host_is_here() { timeline().segments.back().host_was_here = true; }

bool in_operation() { return self.in_operation; }

// ---- stream.cpp ----

void queued(std::uint64_t sequence, const Mark &point, const std::vector<Mark> &after) {
  Calls calls = calls_of_host();
  std::lock_guard<std::recursive_mutex> lock(timeline_mutex);
  Timeline &t = timeline();
  auto operation = std::make_shared<Operation>();
  operation->stream = number_of(point.stream);
  operation->number = point.number;
  operation->calls = std::move(calls);
  operation->before = t.host;
  join(operation->before, t.streams[operation->stream].last);
  for (const Mark &mark : after)
    join(operation->before, mark);
  operation->queued = now;
  operation->all_before = t.host_has_all;
  begin_segment(nullptr); // the host's later accesses are not ordered before the operation

  StreamClock &stream = t.streams[operation->stream];
  stream.last = operation->before;
  stream.last.resize(std::max(stream.last.size(), t.streams.size()));
  stream.last[operation->stream] = operation->number;
  stream.queued.emplace_back(operation->number, stream.last);
  t.waiting[sequence] = std::move(operation);
}

void begin_operation(std::uint64_t sequence) {
  timeline_mutex.lock();
  Timeline &t = timeline();
  const auto found = t.waiting.find(sequence);
  t.current = std::move(found->second);
  t.waiting.erase(found);
  begin_segment(t.current);
  t.current->begin = now;
  t.floor = find_floor(*t.current);
  t.streams[t.current->stream].executed = t.current->number;
  enter_operation();
}

void end_operation() {
  leave_operation();
  if (counting)
    count_operation(current_operation());
  begin_segment(nullptr);
  if (const Operation &me = current_operation(); me.host_learns)
    host_waited({timeline().streams[me.stream].stream, me.number});
  timeline_mutex.unlock();
}

void host_may_learn() { current_operation().host_learns = true; }

void host_waited(const Mark &mark) {
  if (!mark.stream || mark.number == 0 || in_operation())
    return;
  std::lock_guard<std::recursive_mutex> lock(timeline_mutex);
  Timeline &t = timeline();
  join(t.host, mark);
  t.host.resize(t.streams.size());
  bool all = true;
  for (unsigned i = 0; i < t.streams.size(); ++i) {
    auto &queued = t.streams[i].queued;
    while (!queued.empty() && queued.front().first <= t.host[i] && queued.size() > 1)
      queued.pop_front();
    all = all && t.host[i] >= t.streams[i].executed;
  }
  if (!all)
    return;
  if (t.waiting.empty())
    end_of_unordered();
  t.host_has_all = now;
  begin_segment(nullptr);
  // Operations that are queued already may still ask for older ones.
  Tick needed = now;
  for (const auto &waiting : t.waiting)
    needed = std::min(needed, waiting.second->all_before);
  while (t.segments.size() > 1 && t.segments[1].begin <= needed)
    t.segments.pop_front();
}

} // namespace tools
} // namespace course_cpu
