// Shows the grades of a class, and fills a teacher's grade export. `grades --help` has the options.
#include "common/grader/commands/gradebook.hpp"
#include "common/grader/judge/verdict.hpp"
#include "common/grader/sandbox/sandbox.hpp"
#include "common/grader/sandbox/text.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <fstream>
#include <iostream>

namespace fs = std::filesystem;

namespace {
void say(const std::string &text) { std::cerr << "grades: " << course::printable(text) << "\n"; }
} // namespace

int main(int argc, char **argv) try {
  std::vector<std::string> folders, notes;
  std::string format = "text", canvas, moodle, exercise, column = "Grade", text;
  CLI::App app("Shows the grades of a class, and fills a grade export.\nExit code: 0; 1 something "
               "is wrong, and nothing is written; 2 wrong use.",
               "grades");
  app.add_option("FOLDER", folders, "Folders with files check-*.result")
      ->required()
      ->check(CLI::ExistingDirectory);
  app.add_option("--format", format, "The table")->check(CLI::IsMember({"text", "csv", "html"}));
  app.add_option("--exercise", exercise, "Only the results of this exercise");
  CLI::Option *its_canvas = app.add_option("--canvas", canvas, "Also fill this Canvas export");
  app.add_option("--moodle", moodle, "Also fill this Moodle export")->excludes(its_canvas);
  app.add_option("--column", column, "The column of the export that gets the points")
      ->capture_default_str();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    return app.exit(error) ? 2 : 0;
  }
  course::Problems problems;
  auto results = course::read_results(folders, problems);
  if (!exercise.empty()) {
    const std::string name = course::exercise_named(exercise, course::all_exercises());
    const auto is_other = [&](const course::Result &result) { return result.exercise != name; };
    results.erase(std::remove_if(results.begin(), results.end(), is_other), results.end());
  }
  const course::Table table = table_of(results, problems);
  const fs::path its_export = canvas + moodle;
  fs::path filled = its_export;
  filled.replace_extension(".graded.csv");
  if (!its_export.empty()) {
    text = course::fill_export(course::text_of_file(its_export), moodle.empty(), column, results,
                               problems, notes);
    if (fs::exists(fs::symlink_status(filled)))
      problems.push_back(filled.string() + " exists: rename or delete it");
  }
  if (problems.empty() && !its_export.empty()) {
    std::ofstream file(filled, std::ios::binary);
    if (!(file << text) || !file.flush()) {
      problems.push_back("cannot write " + filled.string());
      fs::remove(filled);
    }
  }
  for (const std::string &problem : problems)
    say(problem);
  if (!problems.empty())
    return say(its_export.empty() ? "no table" : "nothing is written"), 1;
  for (const std::string &note : notes)
    say(note);
  if (!its_export.empty())
    say(filled.string() + " is written");
  std::cout << course::show(table, format);
} catch (const std::exception &error) {
  say(error.what());
  return 2;
}
