// What scripts in Python give, for judges.
#pragma once

#include "common/grader/judge.hpp"
#include "exercises/18-python-interop/answer.hpp"

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

inline std::vector<char> text_of(const std::string &script) {
  return {script.c_str(), script.c_str() + script.size() + 1};
}

inline std::string exception_of(const Answer &answer) { // empty: none
  return std::string(answer.error, strnlen(answer.error, sizeof answer.error));
}

inline std::string text_of(const Answer &answer) {
  if (answer.error[0])
    return "the exception " + exception_of(answer);
  return "the result " + course::element_of<double>().text(&answer.value);
}

template <class Question> void gives(const Question &question, double value, double tolerance = 0) {
  Question(question).returns_such_that(
      course::element_of<double>().text(&value),
      [=](const Answer &answer) {
        return !answer.error[0] && std::abs(answer.value - value) <= tolerance;
      },
      [](const Answer &answer) { return text_of(answer); });
}

// An exception of this call, whose text has `says` in it.
template <class Question>
void raises(const Question &question, const std::string &call, const std::string &error,
            const std::string &says) {
  Question(question).returns_such_that(
      error + (says.empty() ? "" : " with \"" + says + "\" in its text") + " of " + call,
      [=](const Answer &answer) {
        const std::string text = exception_of(answer);
        return text.rfind(error + ": ", 0) == 0 && text.find(says) != text.npos;
      },
      [](const Answer &answer) { return answer.error[0] ? text_of(answer) : "no exception"; });
}
