#include "common/grader/commands/junit.hpp"

#include "common/grader/sandbox/confine.hpp"
#include "common/grader/sandbox/text.hpp"

namespace course {
namespace {

// A text as XML, in an element or, if it is one line, between quotes.
std::string markup(const std::string &text) {
  std::string safe;
  for (const char c : printable(text))
    safe += c == '&'   ? "&amp;"
            : c == '<' ? "&lt;"
            : c == '>' ? "&gt;"
            : c == '"' ? "&quot;"
                       : std::string(1, c);
  return safe;
}

} // namespace

// A suite is an exercise; one without cases has one with the name of the exercise.
std::string junit(const std::vector<Verdict> &verdicts) {
  const auto is = [](const char *name, const std::string &value) {
    return std::string(" ") + name + "=\"" + markup(value.substr(0, value.find('\n'))) + "\"";
  };
  const auto number = [](auto value) { return std::to_string(value); };
  double seconds = 0;
  for (const Verdict &verdict : verdicts)
    seconds += verdict.seconds;
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" +
                    is("time", number(seconds)) + ">\n";
  for (const Verdict &verdict : verdicts) {
    const std::string text = report(verdict), body = ">" + markup(text) + "</";
    std::vector<CaseResult> tests = verdict.tests;
    if (tests.empty() || verdict.kind == Kind::error)
      tests = {{verdict.exercise, state_of(verdict), verdict.seconds}};
    std::string cases;
    int failures = 0, errors = 0, skipped = 0;
    for (const auto &[title, state, its_seconds] : tests) {
      cases += "    <testcase" + is("classname", verdict.exercise) + is("name", title) +
               is("time", number(its_seconds)) + ">";
      if (state == "error" && ++errors)
        cases += "<error" + is("message", text) + body + "error>";
      else if (state == "failed" && ++failures == 1)
        cases +=
            "<failure" + is("type", name(verdict.kind)) + is("message", text) + body + "failure>";
      else if (state == "failed")
        cases += "<failure message=\"also wrong\"/>";
      else if (state != "passed" && ++skipped)
        cases += "<skipped" + is("message", state == "skipped" ? "not tested" : text) + "/>";
      cases += "</testcase>\n";
    }
    out += "  <testsuite" + is("name", verdict.exercise) + is("tests", number(tests.size())) +
           is("failures", number(failures)) + is("errors", number(errors)) +
           is("skipped", number(skipped)) + is("time", number(verdict.seconds)) +
           ">\n    <properties><property name=\"isolation\"" + is("value", name(isolation())) +
           "/></properties>\n" + cases + "  </testsuite>\n";
  }
  return out + "</testsuites>\n";
}

} // namespace course
