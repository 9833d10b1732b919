// Calls of exercises in Python, for judges.
#pragma once

#include "common/grader/judge/judge.hpp"
#include "common/grader/worker/python_script.hpp"

#include <cstring>
#include <string>
#include <vector>

using Script = course::Question<decltype(python_script)>;

// The learner's process wrote the result: it may lack the 0 at its end.
inline std::string error_of(const course::ScriptResult &result) {
  return {result.error, strnlen(result.error, sizeof result.error)};
}

// The script leaves `after` in the array `values`, which has the numbers `before`. `exception`: the
// type of the exception that it raises; empty: none.
inline Script &run(Script &question, const std::string &script, const std::vector<float> &before,
                   const std::vector<float> &after, double tolerance = 0,
                   const std::string &exception = "") {
  const std::vector<char> text(script.c_str(), script.c_str() + script.size() + 1);
  question.with(text, course::in_out(before, after, tolerance), int(before.size()));
  return question.returns_such_that(
      exception.empty() ? "no exception" : exception,
      [=](const course::ScriptResult &result) {
        const std::string error = error_of(result);
        return exception.empty() ? error.empty() : error.rfind(exception, 0) == 0;
      },
      [](const course::ScriptResult &result) {
        return *result.error ? error_of(result) : "no exception";
      });
}

// It raises an exception of this type, and does not change `values`.
inline Script &raises(Script &question, const std::string &script, const std::vector<float> &values,
                      const std::string &exception) {
  return run(question, script, values, values, 0, exception);
}
