// The verdicts of one `check` as other programs and course platforms read them. Each format has its
// own way to report that this machine could not grade a file: never 0 points.
#pragma once

#include "common/grader/judge/verdict.hpp"

#include <map>

namespace course {

using Format = std::string (*)(const std::vector<Verdict> &);
const std::map<std::string, Format> &formats(); // by name; common/grader/README.md describes them

// A text as a cell of a CSV file that no spreadsheet takes for a formula.
std::string csv_cell(const std::string &text);
// A text as XML or HTML, in an element or, if it is one line, between quotes.
std::string markup(const std::string &text);

} // namespace course
