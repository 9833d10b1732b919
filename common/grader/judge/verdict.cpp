#include "common/grader/judge/verdict.hpp"

#include "common/grader/sandbox/confine.hpp"
#include "common/grader/sandbox/text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <stdexcept>

namespace course {

void to_json(nlohmann::json &json, Kind kind) { json = name(kind); }

void from_json(const nlohmann::json &json, Kind &kind) {
  const auto found = std::find(std::begin(kind_names), std::end(kind_names), json);
  if (found == std::end(kind_names))
    throw std::runtime_error("no kind of verdict: " + json.dump());
  kind = Kind(found - std::begin(kind_names));
}

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Remark, fact, often, about)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CaseResult, name, state, seconds)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Verdict, exercise, file, kind, passed, cases, number, title,
                                   remarks, rerun, seed, also, warnings, tests, seconds, max_points)

std::string text_of(const Remarks &remarks) {
  std::string text;
  for (const Remark &remark : remarks) {
    text += (text.empty() ? "" : "\n") + remark.fact;
    if (!remark.often.empty())
      text += "\nOften: " + remark.often;
  }
  return text;
}

void Verdict::add(int its_number, const std::string &its_title, const Finding &finding,
                  const std::string &its_rerun, double its_seconds) {
  ++cases;
  const bool is_graded = finding.kind != Kind::error;
  tests.push_back(
      {its_title, finding.is_wrong() ? is_graded ? "failed" : "skipped" : "passed", its_seconds});
  if (!finding.is_wrong()) {
    ++passed;
  } else if (kind != Kind::pass) {
    also.push_back(its_title);
  } else {
    kind = finding.kind;
    number = its_number;
    title = its_title;
    remarks = finding.remarks;
    rerun = its_rerun;
  }
}

void Verdict::add_skipped(const std::string &its_title) {
  ++cases;
  tests.push_back({its_title, "skipped"});
}

std::string state_of(const Verdict &verdict) {
  if (verdict.kind == Kind::pass)
    return "passed";
  const bool is_graded = verdict.kind != Kind::not_started && verdict.kind != Kind::error;
  return is_graded ? "failed" : name(verdict.kind);
}

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

std::string to_json(const Verdict &verdict) {
  nlohmann::json json = verdict;
  json["message"] = text_of(verdict.remarks);
  json["report"] = report(verdict);
  json["state"] = state_of(verdict);
  json["isolation"] = name(isolation());
  json["points"] = verdict.points();
  if (verdict.kind == Kind::error)
    json["points"] = nullptr;
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Verdict verdict_of_json(const std::string &text) { return nlohmann::json::parse(text); }

} // namespace course
