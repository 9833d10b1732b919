#include "tests/grader/verdict.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace course {

void to_json(nlohmann::json &json, Kind kind) { json = name(kind); }

void from_json(const nlohmann::json &json, Kind &kind) {
  const auto found = std::find(std::begin(kind_names), std::end(kind_names), json);
  if (found == std::end(kind_names))
    throw std::runtime_error("no kind of verdict: " + json.dump());
  kind = Kind(found - std::begin(kind_names));
}

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Verdict, exercise, file, kind, passed, cases, title, message,
                                   rerun, also)

void Verdict::add(const std::string &its_title, const Finding &finding,
                  const std::string &its_rerun) {
  ++cases;
  if (!finding.is_wrong()) {
    ++passed;
  } else if (kind != Kind::pass) {
    also.push_back(its_title);
  } else {
    kind = finding.kind;
    title = its_title;
    message = finding.message;
    rerun = its_rerun;
  }
}

std::string state_of(const Verdict &verdict) {
  switch (verdict.kind) {
  case Kind::pass:
    return "passed";
  case Kind::not_started:
    return "not-started";
  case Kind::error:
    return "error";
  default:
    return "failed";
  }
}

// A learner's program and the compiler may print bytes that are not UTF-8.
std::string to_json(const Verdict &verdict) {
  nlohmann::json json = verdict;
  json["state"] = state_of(verdict);
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Verdict verdict_of_json(const std::string &text) { return nlohmann::json::parse(text); }

std::string indented(const std::string &text) {
  std::string result;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    result += "  " + line + "\n";
  return result;
}

} // namespace course
