// Words for an answer: the call, and an array that is not what was expected.
#include "common/grader/judge/explain.hpp"
#include "common/grader/judge/pattern.hpp"

#include <algorithm>

namespace course {

static std::string values(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " value" : " values");
}

Finding compare(const Parameter &parameter, const std::string &name, const Bytes &came,
                bool has_kernels) {
  View view{parameter, came, has_kernels};
  std::vector<std::size_t> wrong;
  for (std::size_t i = 0; i < parameter.count; ++i)
    if (!view.right(i))
      wrong.push_back(i);
  if (wrong.empty())
    return {};
  auto place = [&](std::size_t i) {
    if (parameter.columns)
      return name + "[row " + std::to_string(i / parameter.columns) + ", column " +
             std::to_string(i % parameter.columns) + "]";
    return name + "[" + std::to_string(i) + "]";
  };
  std::string message;
  for (std::size_t k = 0; k < std::min<std::size_t>(3, wrong.size()); ++k) {
    const std::size_t i = wrong[k];
    const Element &element = parameter.element;
    message += std::string(k ? "\n" : "") + place(i) + ": expected " +
               element.text(view.at(parameter.expected, i)) +
               (view.stays(i) ? " (as it was)" : "") + "      got ";
    if (view.unwritten(i))
      message += "nothing (not written)";
    else
      message += element.text(view.at(came, i)) +
                 (parameter.constant  ? ""
                  : view.untouched(i) ? " (not changed)"
                  : view.fresh(i)     ? " (still the initial value of device memory)"
                                      : "");
  }
  if (parameter.constant)
    return {Kind::input, message + "\n" + name + " is const: it must not change."};
  message += "\nWrong: " + std::to_string(wrong.size()) + " of " + values(parameter.count) + ".";
  Remark seen = pattern(view, wrong);
  seen.fact = message + (seen.fact.empty() ? "" : " " + seen.fact);
  return {Kind::value, seen};
}

std::string describe(const Call &call, const std::string &function,
                     const std::vector<std::string> &names) {
  std::string text = function + "(";
  for (std::size_t i = 0; i < call.parameters.size(); ++i) {
    const Parameter &parameter = call.parameters[i];
    text += (i ? ", " : "") + names[i] + " = " +
            (parameter.pointer ? values(parameter.count)
                               : parameter.element.text(parameter.before.data()));
  }
  return text + ")";
}

} // namespace course
