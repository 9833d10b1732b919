// Meetings of the lanes of a warp.
#include "observer.h"
#include "worker.h"

#include <cstdio>
#include <cstring>

namespace course_cpu {

static Meeting &open_meeting(Worker &self, Warp &warp, const char *operation, unsigned mask,
                             SourceLine line, bool gathers) {
  if (!self.free_meetings) {
    self.all_meetings.emplace_back();
    self.all_meetings.back().next = nullptr;
    self.free_meetings = &self.all_meetings.back();
  }
  Meeting &meeting = *self.free_meetings;
  self.free_meetings = meeting.next;
  meeting.line = line;
  meeting.operation = operation;
  meeting.mask = mask;
  meeting.arrived = meeting.leaving = meeting.waiting = 0;
  meeting.gathers = gathers;
  meeting.first = meeting.last = nullptr;
  meeting.next = warp.meetings;
  warp.meetings = &meeting;
  if (gathers) {
    meeting.next_gathering = self.gathering;
    self.gathering = &meeting;
  }
  return meeting;
}

static bool same(const char *a, const char *b) { return a == b || !std::strcmp(a, b); }

static Meeting &find_meeting(Worker &self, Warp &warp, const char *operation, unsigned mask,
                             SourceLine line, bool gathers) {
  for (Meeting *meeting = warp.meetings; meeting; meeting = meeting->next)
    if (meeting->line.line == line.line && meeting->mask == mask &&
        same(meeting->operation, operation) && same(meeting->line.file, line.file))
      return *meeting;
  return open_meeting(self, warp, operation, mask, line, gathers);
}

static bool is_complete(const Warp &warp, const Meeting &meeting) {
  return (meeting.mask & ~warp.gone & ~meeting.arrived) == 0;
}

// Lets those that wait at the meeting continue, before all others.
static void complete(Worker &self, Warp &warp, Meeting &meeting) {
  Meeting **link = &warp.meetings;
  while (*link != &meeting)
    link = &(*link)->next;
  *link = meeting.next;
  if (meeting.gathers) {
    link = &self.gathering;
    while (*link != &meeting)
      link = &(*link)->next_gathering;
    *link = meeting.next_gathering;
  }
  if (!meeting.gathers)
    tools::lanes_met(static_cast<unsigned>(&warp - self.warps), meeting);
  meeting.leaving = static_cast<unsigned>(__builtin_popcount(meeting.arrived));
  if (!meeting.first)
    return;
  self.meeting_lanes -= meeting.waiting;
  meeting.last->next = block.ready;
  block.ready = meeting.first;
}

[[noreturn]] static void lane_left_out(Worker &self, const Fiber *me, const char *operation,
                                       SourceLine line) {
  const std::string what = std::string("calls ") + operation + " at " + line.file + ":" +
                           std::to_string(line.line) + " with a mask that leaves its own lane out";
  if (tools::wrong_mask(line, describe_place(*self.grid, &me->index) + ": " + what))
    abandon(cudaErrorLaunchFailure, "");
  fault(cudaErrorLaunchFailure, what.c_str(), me->index);
}

Meeting &attend(Fiber *me, const char *operation, unsigned mask, std::uint64_t value,
                SourceLine line, bool gathers) {
  Worker &self = *block.worker;
  Warp &warp = self.warps[me->rank / 32];
  const unsigned lane = me->rank % 32;
  if (!(mask >> lane & 1))
    lane_left_out(self, me, operation, line);
  Meeting &meeting = find_meeting(self, warp, operation, mask, line, gathers);
  meeting.values[lane] = value;
  meeting.arrived |= 1u << lane;
  if (is_complete(warp, meeting)) {
    complete(self, warp, meeting);
    return meeting;
  }
  ++self.meeting_lanes;
  ++meeting.waiting;
  me->line = line;
  me->next = nullptr;
  (meeting.first ? meeting.last->next : meeting.first) = me;
  meeting.last = me;
  return meeting;
}

void source_missing(const Meeting &meeting, int lane) {
  const Worker &self = worker();
  char what[128];
  if (meeting.mask >> lane & 1)
    std::snprintf(what, sizeof what, "lane %d, which ended without this call", lane);
  else
    std::snprintf(what, sizeof what, "lane %d, which is not in its mask 0x%08x", lane,
                  meeting.mask);
  tools::wrong_mask(meeting.line, describe_place(*self.grid, &running_fiber()->index) + ": " +
                                      meeting.operation + " at " + meeting.line.file + ":" +
                                      std::to_string(meeting.line.line) + " takes the value of " +
                                      what);
}

void end_meeting(Meeting &meeting) {
  Worker &self = *block.worker;
  meeting.next = self.free_meetings;
  self.free_meetings = &meeting;
}

void complete_meetings(Worker &self, Warp &warp) {
  for (Meeting *meeting = warp.meetings; meeting;) {
    Meeting *next = meeting->next;
    if (is_complete(warp, *meeting))
      complete(self, warp, *meeting);
    meeting = next;
  }
}

// The one of the first line: lanes that left it out are further on, and others may still come to
// where they are.
void end_gathering(Worker &self) {
  Meeting *first = self.gathering;
  for (Meeting *meeting = first->next_gathering; meeting; meeting = meeting->next_gathering)
    if (meeting->line.line < first->line.line)
      first = meeting;
  complete(self, self.warps[first->first->rank / 32], *first);
}

} // namespace course_cpu
