// Functions that execution.h defines inline for the plain build.
#include "runtime/observer.h"

#include "runtime/worker.h"

namespace course_cpu {

void continue_next(Fiber *me) {
  Fiber *next = block.ready;
  if (!next)
    next = next_ready();
  block.ready = next->next;
  block.running = next;
  tools::begin_thread(next->rank);
  switch_stack(me->stack, next->stack);
}

void barrier(SourceLine line) {
  Fiber *me = running_fiber();
  me->line = line;
  tools::barrier_reached();
  if (line.line != block.line.line || line.nth != block.line.nth || line.file != block.line.file)
    other_line(line);
  block.last_waiting->next = me;
  block.last_waiting = me;
  continue_next(me);
  threadIdx = me->index;
}

} // namespace course_cpu
