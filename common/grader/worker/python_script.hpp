// The contract of exercises in Python: the judge sends scripts, which call the learner's functions.
#pragma once

namespace course {

struct ScriptResult {
  char error[480]; // the exception that ended the script, and the learner's line; empty: none
};

} // namespace course

// Runs `script` in the learner's process. It finds the learner's file as the module `exercise`, the
// class Grader of python_worker.py as `grader`, NumPy as `np`, and the NumPy array `values`:
// `count` elements of float32, which it may change.
course::ScriptResult python_script(const char *script, float *values, int count);
