// The grades of a class: from the result files of a job array (jobs/template-check.sh) to a table,
// and to a column of the grade export that the teacher has downloaded.
#pragma once

#include "common/grader/commands/registry.hpp"

namespace course {

struct Result {
  std::string learner, exercise, state; // "ann", "03-add-list/axpby", "right"
  int points = 0, max_points = 1;
  std::string source = ""; // the file of the result
  std::string id = "";     // from the file's name in a bulk download of Canvas or Moodle
};

using Problems = std::vector<std::string>; // if there is one, nothing is written
using Table = std::vector<std::vector<std::string>>;

// The full name of the exercise that ./course takes the word for. Throws std::runtime_error.
std::string exercise_named(const std::string &word, const std::vector<Exercise> &exercises);
// The result that a line holds: state, exercise and file. Throws std::runtime_error for any other
// text.
Result read_result(const std::string &line, const std::vector<Exercise> &exercises);
// The results in the files check-*.result of these folders.
std::vector<Result> read_results(const std::vector<std::string> &folders, Problems &problems);

// A row per learner, after the header.
Table table_of(const std::vector<Result> &results, Problems &problems);
std::string show(Table table, const std::string &format); // "text", "csv", "html"

// The export with the learners' grades in one column, every other byte as it was. `notes`: who
// keeps the old grade, and why; which grades change.
std::string fill_export(const std::string &csv, bool is_canvas, const std::string &column,
                        const std::vector<Result> &results, Problems &problems,
                        std::vector<std::string> &notes);

} // namespace course
