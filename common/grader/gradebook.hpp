// The grades of a class: from the result files of a job array (jobs/template-check.sh) to a table,
// and to a column of the grade export that the teacher has downloaded.
#pragma once

#include "common/grader/registry.hpp"

namespace course {

struct Result {
  std::string learner, exercise, state; // "ann", "03-add-list/axpby", "right"
  int points = 0;
  std::string source; // the file of the result
};

using Problems = std::vector<std::string>; // where there is one, nothing is written
using Table = std::vector<std::vector<std::string>>;

// The result that a line holds: state, exercise, and file as bash's %q quotes it. Throws
// std::runtime_error for any other text.
Result read_result(const std::string &line, const std::vector<Exercise> &exercises);
// The results in the files check-*.result of these folders.
std::vector<Result> read_results(const std::vector<std::string> &folders, Problems &problems);

// A row per learner, after the header.
Table table_of(const std::vector<Result> &results, Problems &problems);
std::string show(Table table, const std::string &format); // "text", "csv", "html"

// The export with the learners' points in one column, every other byte as it was. A learner with an
// error keeps the old cell, and is named in `kept`.
std::string fill_export(const std::string &csv, bool is_canvas, const std::string &column,
                        const std::vector<Result> &results, Problems &problems,
                        std::vector<std::string> &kept);

} // namespace course
