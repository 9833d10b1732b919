// The findings of a tool (memcheck, racecheck, initcheck, synccheck) of the CPU backend in a
// program, as text. The tools print it, the grader reads it: each fault when it is first met, and
// at the program's end the places of all faults, with how often each was met.
//
//   ========= memcheck: read of 4 bytes outside any array
//   =========   read at add.cu:10 by thread (232, 0, 0) of block (3, 0, 0), kernel add ...
//   =========   an array of 4000 bytes, 0 bytes past the end
//   ========= 1 fault
//   =========   memcheck add.cu:10: 24
#pragma once

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

namespace course {

constexpr int exit_with_faults = 86; // the exit code of a program in which a tool finds a fault

enum class Tool { memcheck, racecheck, initcheck, synccheck };
constexpr const char *tool_names[] = {"memcheck", "racecheck", "initcheck", "synccheck"};

struct Fault {
  std::string tool, what;
  std::vector<std::string> details; // lines
};

// An access outside of any array, next to one.
struct OutsideAccess {
  std::string where;                 // "add.cu:10"
  std::size_t bytes = 0;             // of the access
  std::size_t array = 0;             // bytes of the nearest array
  std::size_t before = 0;            // bytes before its start
  std::size_t past = 0;              // else past its end
  bool is_linear = false;            // thread and block have y = z = 0
  std::size_t thread = 0, block = 0; // x
};

struct FaultPlace {
  std::string tool, where; // "add.cu:10"; of a race "add.cu:10, add.cu:12"
  std::size_t met = 0;     // times
};

struct FaultReport {
  std::vector<Fault> faults;
  std::vector<FaultPlace> places;
};

// ---- printing ----

namespace fault_report {
constexpr const char *mark = "========= ", *detail = "  ";
}

inline std::string text_of(const Fault &fault) {
  using namespace fault_report;
  std::string text = mark + fault.tool + ": " + fault.what + "\n";
  for (const std::string &line : fault.details)
    text += std::string(mark) + detail + line + "\n";
  return text;
}

// "2 errors"
inline std::string count_of(const std::vector<FaultPlace> &places) {
  return std::to_string(places.size()) + (places.size() == 1 ? " error" : " errors");
}

inline std::string text_of(const FaultPlace &place) {
  return place.tool + " " + place.where + ": " + std::to_string(place.met);
}

inline std::string text_of(const std::vector<FaultPlace> &places) {
  using namespace fault_report;
  std::string text = mark + count_of(places) + "\n";
  for (const FaultPlace &place : places)
    text += std::string(mark) + detail + text_of(place) + "\n";
  return text;
}

// ---- reading ----

// Reads a report from the output of a program, or of several ranks of MPI: the other lines are the
// program's own, and one place of several ranks becomes one.
inline FaultReport read_fault_report(const std::string &output) {
  using namespace fault_report;
  const std::string line_mark = mark;
  FaultReport report;
  bool in_places = false;
  for (std::size_t begin = 0, end; begin < output.size(); begin = end + 1) {
    end = std::min(output.find('\n', begin), output.size());
    if (output.compare(begin, line_mark.size(), line_mark) != 0)
      continue;
    std::string line = output.substr(begin + line_mark.size(), end - begin - line_mark.size());
    const bool is_detail = line.rfind(detail, 0) == 0;
    if (!is_detail) {
      const std::size_t colon = line.find(": ");
      in_places = std::isdigit(static_cast<unsigned char>(line[0]));
      const std::string tool = line.substr(0, colon);
      if (colon != line.npos && std::count(std::begin(tool_names), std::end(tool_names), tool) > 0)
        report.faults.push_back({tool, line.substr(colon + 2), {}});
      continue;
    }
    line.erase(0, 2);
    const std::size_t blank = line.find(' '), colon = line.rfind(": ");
    if (!in_places) {
      if (!report.faults.empty()) // the output may have lost its begin
        report.faults.back().details.push_back(line);
    } else if (blank < colon && colon != line.npos) {
      const FaultPlace read{line.substr(0, blank), line.substr(blank + 1, colon - blank - 1),
                            std::strtoull(line.c_str() + colon + 2, nullptr, 10)};
      const auto known =
          std::find_if(report.places.begin(), report.places.end(), [&](const FaultPlace &p) {
            return p.tool == read.tool && p.where == read.where;
          });
      if (known == report.places.end())
        report.places.push_back(read);
      else
        known->met += read.met;
    }
  }
  return report;
}

inline bool reads_uninitialised_array(const Fault &fault) {
  return fault.what == "read of uninitialised memory" && fault.details.size() > 1 &&
         fault.details[0].find("read at ") == 0 && fault.details[1].find("an array of ") == 0;
}

inline std::optional<OutsideAccess> outside_access(const Fault &fault) {
  OutsideAccess its;
  if (fault.details.size() < 2 || fault.what.find(" outside any array") == std::string::npos ||
      std::sscanf(fault.what.c_str(), "%*s of %zu", &its.bytes) != 1 || its.bytes == 0)
    return {};
  const std::string &access = fault.details[0], &array = fault.details[1];
  const std::size_t at = access.find(" at "), by = access.rfind(" by thread ("),
                    comma = array.rfind(", ");
  if (at >= by || by == access.npos || comma == array.npos ||
      std::sscanf(array.c_str(), "an array of %zu", &its.array) != 1)
    return {};
  its.where = access.substr(at + 4, by - at - 4);
  const bool is_before = array.find(" before the start", comma) != array.npos;
  (is_before ? its.before : its.past) = std::strtoull(array.c_str() + comma + 2, nullptr, 10);
  its.is_linear = std::sscanf(access.c_str() + by, " by thread (%zu, 0, 0) of block (%zu, 0, 0)",
                              &its.thread, &its.block) == 2;
  return its;
}

// ---- names ----

// A text whose names are as the program writes them: without anonymous namespaces.
inline std::string without_anonymous(std::string text) {
  for (const std::string name : {"(anonymous namespace)::", "<unnamed>::", "{anonymous}::"})
    for (std::size_t at; (at = text.find(name)) != text.npos;)
      text.erase(at, name.size());
  return text;
}

} // namespace course
