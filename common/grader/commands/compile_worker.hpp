// The end of a step of compile-worker, as compiler.cpp judges it.
#pragma once

namespace course {

enum CompileStep : int {
  step_done = 0,
  step_is_wrong = 1,     // the submission is, and the output says at which line or name
  step_failed = 3,       // which may not be the submission's doing: the control tells
  step_is_not_built = 9, // a part of the grader's own
};

} // namespace course
