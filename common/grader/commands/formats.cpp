#include "common/grader/commands/formats.hpp"

#include "common/grader/judge/environment.hpp"
#include "common/grader/sandbox/confine.hpp"
#include "common/grader/sandbox/text.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <ctime>
#include <sstream>
#include <stdexcept>

namespace course {
namespace {

using Json = nlohmann::ordered_json;
using Verdicts = std::vector<Verdict>;

std::string text_of(const Json &json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

struct Total {
  int points = 0, max_points = 0;
  double seconds = 0;
  bool has_error = false;
  explicit Total(const Verdicts &verdicts) {
    for (const Verdict &verdict : verdicts) {
      points += verdict.points();
      max_points += verdict.max_points;
      seconds += verdict.seconds;
      has_error |= verdict.kind == Kind::error;
    }
  }
};

// A verdict as a learner reads it.
std::string report(const Verdict &verdict) {
  if (verdict.kind == Kind::not_started)
    return "not started";
  std::string text =
      verdict.kind == Kind::error ? "this machine could not check the file, which may be right"
      : verdict.kind == Kind::compile
          ? "does not compile"
          : std::to_string(verdict.passed) + " of " + std::to_string(verdict.cases) + " cases pass";
  if (!verdict.title.empty())
    text += "; wrong: \"" + verdict.title + "\"";
  if (!verdict.remarks.empty())
    text += "\n" + text_of(verdict.remarks);
  if (!verdict.rerun.empty())
    text += "\nRun this case again: " + verdict.rerun;
  return printable(text);
}

std::string json_lines(const Verdicts &verdicts) {
  std::string lines;
  for (const Verdict &verdict : verdicts)
    lines += to_json(verdict) + "\n";
  return lines;
}

// A suite is an exercise; one without cases has one with the name of the exercise.
std::string junit(const Verdicts &verdicts) {
  const auto is = [](const char *name, const std::string &value) {
    return std::string(" ") + name + "=\"" + markup(value.substr(0, value.find('\n'))) + "\"";
  };
  const auto number = [](auto value) { return std::to_string(value); };
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" +
                    is("time", number(Total(verdicts).seconds)) + ">\n";
  for (const Verdict &verdict : verdicts) {
    const std::string text = report(verdict), body = ">" + markup(text) + "</";
    std::vector<CaseResult> tests = verdict.tests;
    if (tests.empty() || verdict.kind == Kind::error)
      tests = {{verdict.exercise, state_of(verdict), verdict.seconds}};
    std::string cases;
    int failures = 0, errors = 0, skipped = 0;
    for (const auto &[title, state, seconds] : tests) {
      cases += "    <testcase" + is("classname", verdict.exercise) + is("name", title) +
               is("time", number(seconds)) + ">";
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

// The exercises, with the names that a platform has for the fields.
Json tests_of(const Verdicts &verdicts, const char *name, const char *most, const char *text) {
  Json tests = Json::array();
  for (const Verdict &verdict : verdicts)
    tests.push_back({{name, printable(verdict.exercise)},
                     {"score", verdict.points()},
                     {most, verdict.max_points},
                     {text, report(verdict)}});
  return tests;
}

// Gradescope requires score or tests: without both, no points can be recorded.
std::string gradescope(const Verdicts &verdicts) {
  const Total total(verdicts);
  Json json{{"execution_time", std::lround(total.seconds)}, {"output_format", "text"}};
  std::string output;
  for (const Verdict &verdict : verdicts)
    output += printable(verdict.exercise) + ": " + report(verdict) + "\n";
  if (total.has_error)
    json["output"] = output;
  else
    json["tests"] = tests_of(verdicts, "name", "max_score", "output");
  return text_of(json);
}

// The runner of Classroom 50 sets the variables, and reports an error where there is no result.
std::string classroom50(const Verdicts &verdicts) {
  const Total total(verdicts);
  const std::string commit = variable("COMMIT_URL");
  Json json{{"schema", "classroom50/result/v1"},
            {"classroom", variable("CLASSROOM")},
            {"assignment", variable("ASSIGNMENT")},
            {"submission", variable("SUBMISSION_TAG")},
            {"commit", commit},
            {"release", variable("RELEASE_URL")},
            {"review", variable("REVIEW_URL", commit)}};
  for (const auto &field : json.items())
    if (field.value() == "")
      throw std::runtime_error("the format classroom50 needs the variables that the runner of "
                               "Classroom 50 sets. There is none for " +
                               field.key());
  char date[32];
  const std::time_t now = std::time(nullptr);
  std::strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
  json["datetime"] = date;
  json["score"] = total.points;
  json["max-score"] = total.max_points;
  json["tests"] = tests_of(verdicts, "test-name", "max-score", "message");
  for (Json &test : json["tests"])
    test["passed"] = test["score"] == test["max-score"];
  return total.has_error ? "" : text_of(json);
}

// In a comment, a line that begins with - is a title, and VPL shows a line that begins with > as it
// is: no line of a message can end the comment or be a grade.
std::string vpl(const Verdicts &verdicts) {
  const Total total(verdicts);
  std::string text;
  for (const Verdict &verdict : verdicts) {
    text += "<|--\n-" + printable(verdict.exercise.substr(0, verdict.exercise.find('\n'))) + ": " +
            state_of(verdict) + "\n";
    std::istringstream lines(report(verdict));
    for (std::string line; std::getline(lines, line);)
      text += ">" + line + "\n";
    text += "--|>\n";
  }
  return total.has_error ? text : text + "Grade :=>>" + std::to_string(total.points) + "\n";
}

std::string csv(const Verdicts &verdicts) {
  std::string text = "exercise,file,state,points,max_points,seconds,message\n";
  for (const Verdict &verdict : verdicts)
    text += csv_cell(verdict.exercise) + "," + csv_cell(verdict.file) + "," + state_of(verdict) +
            "," + (verdict.kind == Kind::error ? "" : std::to_string(verdict.points())) + "," +
            std::to_string(verdict.max_points) + "," + std::to_string(verdict.seconds) + "," +
            csv_cell(report(verdict)) + "\n";
  return text;
}

} // namespace

const std::map<std::string, Format> &formats() {
  static const std::map<std::string, Format> all{
      {"json", json_lines},         {"junit", junit}, {"gradescope", gradescope},
      {"classroom50", classroom50}, {"vpl", vpl},     {"csv", csv}};
  return all;
}

std::string csv_cell(const std::string &text) {
  const std::string shown = printable(text);
  std::string cell = shown.find_first_of("=+-@\t") == 0 ? "\"'" : "\"";
  for (const char c : shown)
    cell += std::string(c == '"' ? 2 : 1, c);
  return cell + "\"";
}

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

} // namespace course
