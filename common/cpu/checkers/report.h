// Faults in words. A fault is told when it is met first; how often it was met, at the end.
#pragma once

#include "../fault_report.hpp"
#include "shadow.h"

#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace course_cpu {
struct SourceLine;

namespace tools {

struct Operation;

using course::Tool;

bool wanted(Tool tool); // COURSE_CPU_TOOL; none when loads and stores are counted instead

// Counts a fault, known by its kind and by one place in the code, or two for a race. True if it is
// new: then `tell` must follow, with what is wrong and with lines of details.
bool is_new(Tool tool, const char *kind, Code place, Code other = 0);
bool is_new(Tool tool, const std::string &kind, const std::string &where);
void tell(const std::string &what, const std::vector<std::string> &details);
void tell_races(); // those that are noted: race_report.cpp

// The number of a fault's place in the summary, new or known; and that it was met so often.
std::size_t place_number(Tool tool, const std::string &kind, const std::string &where);
void add_met(std::size_t place, std::size_t times);
bool was_reported(Tool tool, Code place);

// "file:line" of the code; of the first of `calls` that is no code of the CPU backend.
std::string line_of(Code code);
std::string line_of(const Calls &calls);
std::string launch_text(const Operation &operation); // "kernel f launched at file:line"
// True if the code is in the running kernel, in the file of `line` and below it.
bool is_behind(Code code, const SourceLine &line);
void tell_unseen(); // errors that nobody has looked at
void tell_passed_by(const char *operation, const SourceLine &line, unsigned thread, Code code);
void tell_returned(const SourceLine &line, unsigned thread); // before the grid's barrier
bool is_ours(const std::string &file);                       // of the CPU backend, or the system's
Code own_code(const Calls &calls);                           // 0: none is the program's own
std::string describe(const Access &access, bool is_write);
std::string describe_who(const Access &access);
std::string describe_memory(std::uintptr_t address);
struct Symbol {
  std::uintptr_t begin;
  std::size_t bytes;
  std::string name;
};
const Symbol *symbol_at(std::uintptr_t address); // of the program; nullptr: not known
bool is_table(const Symbol *symbol);             // of the virtual functions of a class

// ---- words that several files share ----

inline std::string size_text(std::size_t bytes) {
  return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
}

// A path as short as it can be from where the program runs.
inline std::string shortened(const std::string &path) {
  char folder[4096];
  if (!getcwd(folder, sizeof folder))
    return path;
  const std::string prefix = std::string(folder) + "/";
  return path.compare(0, prefix.size(), prefix) == 0 ? path.substr(prefix.size()) : path;
}

// The two lines of a race, in the same order whichever was met first.
inline std::string lines_text(std::string first, std::string second) {
  if (second < first)
    std::swap(first, second);
  return first == second ? first : first + ", " + second;
}

// For two threads of one block, or of one warp.
inline std::string race_advice(bool same_warp) {
  return std::string("Nothing orders the two: ") +
         (same_warp ? "a __syncwarp or a __syncthreads" : "a __syncthreads") +
         " is missing between them, or an atomic." +
         (same_warp ? " Shuffles and votes order no memory." : "");
}

} // namespace tools
} // namespace course_cpu
