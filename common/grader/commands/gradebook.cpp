#include "common/grader/commands/gradebook.hpp"

#include "common/grader/commands/formats.hpp"
#include "common/grader/sandbox/sandbox.hpp"
#include "common/grader/sandbox/text.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>

namespace course {
namespace {

namespace fs = std::filesystem;

// True if ./course accepts the word for this exercise: axpby, add-list/axpby, 3/axpby.
bool is_named(const Exercise &exercise, const fs::path &word) {
  const std::string lesson = word.parent_path(), number = exercise.lesson.substr(0, 2);
  return word.filename() == exercise.name &&
         (lesson.empty() || lesson == exercise.lesson || lesson == exercise.lesson.substr(3) ||
          lesson == number || "0" + lesson == number);
}

std::string two_results(const Result &one, const Result &other) {
  return "two results of " + one.learner + " for " + one.exercise + ": " + one.state + " in " +
         one.source + ", " + other.state + " in " + other.source +
         ". Delete the file that does not count";
}

// Without blanks around it, in lower case.
std::string plain(const std::string &text) {
  const auto first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t");
  std::string result = first == text.npos ? "" : text.substr(first, last - first + 1);
  for (char &c : result)
    c = char(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

struct Cell {
  std::size_t begin, end; // bytes of the file, with quotes
  std::string text;
};
using Row = std::vector<Cell>;

std::string line_of(const std::string &csv, std::size_t at) {
  return "line " + std::to_string(std::count(csv.begin(), csv.begin() + at, '\n') + 1);
}

// The rows of a CSV file. Its first separator tells which one it has.
std::vector<Row> rows_of(const std::string &csv, Problems &problems) {
  const char separator = csv[std::min(csv.find_first_of(",;\t"), csv.size())];
  std::vector<Row> rows;
  bool goes_on = false; // the row
  for (std::size_t at = csv.compare(0, 3, "\xEF\xBB\xBF") ? 0 : 3; at < csv.size() || goes_on;) {
    if (!goes_on)
      rows.emplace_back();
    const std::size_t begin = at;
    const bool has_quotes = csv[at] == '"';
    if (has_quotes)
      while ((at = csv.find('"', at + 1)) != csv.npos && csv[++at] == '"') {
      }
    else
      at = csv.find_first_of(std::string("\"\r\n") + separator, at);
    const std::size_t end = std::min(at, csv.size());
    std::string text = csv.substr(begin + has_quotes, end - begin - 2 * has_quotes);
    for (std::size_t quote = 0; has_quotes && (quote = text.find("\"\"", quote)) != text.npos;)
      text.erase(quote++, 1);
    rows.back().push_back({begin, end, text});
    goes_on = end < csv.size() && csv[end] == separator;
    const std::size_t ends = goes_on                       ? 1
                             : csv.compare(end, 2, "\r\n") ? csv.compare(end, 1, "\n") == 0
                                                           : 2;
    if ((has_quotes && at == csv.npos) || (end < csv.size() && ends == 0)) {
      problems.push_back(line_of(csv, begin) +
                         ": a quote is not closed, or a quote or a line's end "
                         "is inside a cell without quotes");
      return rows;
    }
    at = end + ends;
    const Row &row = rows.back();
    if (!goes_on && row.size() == 1 && begin == end)
      rows.pop_back(); // an empty line
    else if (!goes_on && row.size() != rows[0].size())
      problems.push_back(line_of(csv, begin) + " has " + std::to_string(row.size()) +
                         " cells, but the first line has " + std::to_string(rows[0].size()));
  }
  return rows;
}

// The names of a learner with this cell: also ann of ann@example.org, and 123 of Participant 123.
std::set<std::string> keys_of(const std::string &column, const std::string &cell) {
  const std::string text = plain(cell);
  std::set<std::string> keys{text, text.substr(0, text.find('@'))};
  if (column == "identifier")
    keys.insert(text.substr(text.find_last_not_of("0123456789") + 1));
  keys.erase("");
  return keys;
}

// True if a cell holds a grade, which it stores in `grade`; Moodle writes - if there is none.
bool is_grade(const std::string &text, double &grade) {
  char *end = nullptr;
  grade = std::strtod(text.c_str(), &end);
  return !text.empty() && !*end;
}

// All points are worth the largest grade; where that is not known, a point is a grade of 1.
std::string grade_of(int points, int max_points, double most) {
  std::ostringstream text;
  text.precision(10);
  text << (most > 0 ? points * most / max_points : points);
  return text.str();
}

} // namespace

std::string exercise_named(const std::string &word, const std::vector<Exercise> &exercises) {
  for (const Exercise &exercise : exercises)
    if (is_named(exercise, word))
      return exercise.full_name();
  throw std::runtime_error("there is no exercise " + word);
}

Result read_result(const std::string &line, const std::vector<Exercise> &exercises) {
  std::istringstream words(line);
  Result result;
  std::string word, file;
  std::getline(words >> result.state >> word >> std::ws, file);
  const bool is_state =
      std::string(" right wrong not-started error ").find(" " + result.state + " ") < 99;
  if (!is_state || file.empty() || !words.eof())
    throw std::runtime_error("not a line with a state, an exercise and a file");
  result.exercise = exercise_named(word, exercises);
  for (const Exercise &exercise : exercises)
    if (exercise.full_name() == result.exercise)
      result.max_points = exercise.points;
  result.points = result.state == "right" ? result.max_points : 0;

  const fs::path path = file;
  const std::string name = path.stem(), folder = path.parent_path().filename();
  static const std::regex canvas("(.+?)(?:_LATE)?_([0-9]+)_[0-9]+_.*"),
      moodle("(.+)_([0-9]+)_assignsubmission_.*");
  std::smatch parts;
  if (std::regex_match(name, parts, canvas) || std::regex_match(folder, parts, moodle) ||
      std::regex_match(name, parts, moodle)) {
    result.id = parts[2];
    result.learner = std::string(parts[1]) + " " + result.id;
  } else {
    result.learner = result.exercise.substr(result.exercise.find('/') + 1) == name ? folder : name;
  }
  return result;
}

std::vector<Result> read_results(const std::vector<std::string> &folders, Problems &problems) {
  std::set<fs::path> files;
  for (const std::string &folder : folders)
    for (const auto &entry : fs::directory_iterator(fs::canonical(folder)))
      if (entry.path().extension() == ".result" &&
          entry.path().filename().string().compare(0, 6, "check-") == 0)
        files.insert(entry.path());
  if (files.empty())
    problems.push_back("there is no file check-*.result");
  const std::vector<Exercise> exercises = all_exercises();
  std::vector<Result> results;
  for (const fs::path &file : files) {
    try {
      std::string text = text_of_file(file);
      if (!text.empty() && text.back() == '\n')
        text.pop_back();
      results.push_back(read_result(text, exercises));
      results.back().source = file;
    } catch (const std::runtime_error &error) {
      problems.push_back(file.string() + ": " + error.what());
    }
  }
  return results;
}

Table table_of(const std::vector<Result> &results, Problems &problems) {
  std::map<std::string, std::map<std::string, Result>> learners;
  std::set<std::string> exercises;
  for (const Result &result : results) {
    const auto [at, is_new] = learners[result.learner].emplace(result.exercise, result);
    if (!is_new)
      problems.push_back(two_results(at->second, result));
    exercises.insert(result.exercise);
  }
  Table table{{"learner"}};
  table[0].insert(table[0].end(), exercises.begin(), exercises.end());
  table[0].insert(table[0].end(), {"points", "state"});
  for (auto &[learner, its_results] : learners) {
    std::vector<std::string> row{learner};
    int points = 0;
    for (const std::string &exercise : exercises) {
      const Result &result = its_results[exercise];
      row.push_back(result.state.empty() ? "missing" : result.state);
      points += result.points;
    }
    for (const std::string state : {"error", "wrong", "not-started", "missing", "right"})
      if (row.size() == exercises.size() + 1 &&
          std::find(row.begin() + 1, row.end(), state) != row.end())
        row.insert(row.end(), {state == "error" ? "" : std::to_string(points), state});
    table.push_back(row);
  }
  return table;
}

std::string show(Table table, const std::string &format) {
  const bool is_html = format == "html", is_csv = format == "csv";
  std::vector<std::ptrdiff_t> widths(table[0].size());
  const auto width = [](const std::string &text) { // in characters
    return std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; });
  };
  for (auto &row : table)
    for (std::size_t i = 0; i < row.size(); ++i) {
      row[i] = printable(row[i]);
      widths[i] = std::max(widths[i], width(row[i]));
    }
  std::string text;
  for (const auto &row : table) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string tag = &row == &table[0] ? "th>" : "td>";
      line += is_html  ? "<" + tag + markup(row[i]) + "</" + tag
              : is_csv ? (i ? "," : "") + csv_cell(row[i])
                       : row[i] + std::string(widths[i] + 2 - width(row[i]), ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += is_html ? "<tr>" + line + "</tr>\n" : line + "\n";
  }
  return !is_html ? text
                  : "<!DOCTYPE html>\n<html lang=\"en\"><meta charset=\"utf-8\">"
                    "<title>Grades</title>\n<table border=\"1\">\n" +
                        text + "</table></html>\n";
}

std::string fill_export(const std::string &csv, bool is_canvas, const std::string &column,
                        const std::vector<Result> &results, Problems &problems,
                        std::vector<std::string> &notes) {
  const std::set<std::string> names =
      is_canvas ? std::set<std::string>{"sis login id", "sis user id", "id"}
                : std::set<std::string>{"email address", "username", "id number", "identifier"};
  const std::vector<Row> rows = rows_of(csv, problems);
  const Row header = rows.empty() ? Row{} : rows[0];
  std::vector<std::size_t> places, identifiers;
  std::size_t maximum = header.size(); // Moodle's column of the largest grade
  std::string columns;
  for (std::size_t i = 0; i < header.size(); ++i) {
    const std::string &name = header[i].text;
    columns += (i ? ", \"" : "\"") + name + "\"";
    if (name == column || (is_canvas && name.substr(0, name.rfind(" (")) == column)) // its number
      places.push_back(i);
    if (names.count(plain(name)))
      identifiers.push_back(i);
    if (plain(name) == "maximum grade")
      maximum = i;
  }
  if (identifiers.empty())
    problems.push_back("no column of the export identifies a learner");
  if (places.size() != 1)
    problems.push_back((places.empty() ? "no column \"" : "several columns \"") + column +
                       "\": --column names the column that gets the points. The columns are " +
                       columns);
  if (!problems.empty())
    return "";

  const std::size_t place = places[0];
  double most = 0, grade = 0; // the largest grade; 0: not known
  std::size_t first = 1;      // row of a learner
  for (; first < rows.size() && plain(rows[first][0].text).find("points possible") == 0; ++first)
    if (!is_grade(rows[first][place].text, most))
      problems.push_back("the column \"" + column + "\" has no points in the line Points Possible");
  std::map<std::string, std::set<std::size_t>> rows_by_key, rows_by_id;
  for (std::size_t i = first; i < rows.size(); ++i) {
    const std::string old = plain(rows[i][place].text);
    if (!old.empty() && old != "-" && old != "ex" && !is_grade(old, grade))
      problems.push_back(line_of(csv, rows[i][0].begin) + ": the column \"" + column +
                         "\" holds \"" + old + "\", which is no grade");
    for (const std::size_t j : identifiers) {
      const std::string name = plain(header[j].text);
      for (const std::string &key : keys_of(name, rows[i][j].text)) {
        rows_by_key[key].insert(i);
        if (name == (is_canvas ? "id" : "identifier"))
          rows_by_id[key].insert(i);
      }
    }
  }
  std::map<std::size_t, std::map<std::string, Result>> graded; // by row and exercise
  std::set<std::string> exercises;
  for (const Result &result : results) {
    exercises.insert(result.exercise);
    const auto &keys = result.id.empty() ? rows_by_key : rows_by_id;
    const auto found = keys.find(result.id.empty() ? plain(result.learner) : result.id);
    if (found == keys.end() || found->second.size() != 1) {
      problems.push_back(result.learner + " (" + result.source + ") is " +
                         (found == keys.end() ? "no learner" : "several learners") +
                         " of the export. Correct the file's name in this result, or delete it");
      continue;
    }
    const auto [at, is_new] = graded[*found->second.begin()].emplace(result.exercise, result);
    if (!is_new && at->second.learner != result.learner) // else table_of names it
      problems.push_back(two_results(at->second, result));
  }
  std::string text = csv;
  for (std::size_t i = rows.size(); i-- > first;) { // the last one first
    const Cell &cell = rows[i][place];
    const std::string quote = csv.compare(cell.begin, 1, "\"") == 0 ? "\"" : "";
    const std::string who = line_of(csv, rows[i][0].begin) + ", " + rows[i][0].text;
    int points = 0, max_points = 0;
    std::string why = graded[i].size() < exercises.size() ? "a result is missing" : "";
    for (const auto &[exercise, result] : graded[i]) {
      points += result.points;
      max_points += result.max_points;
      if (result.state == "error")
        why = "a result is an error";
    }
    if (plain(cell.text) == "ex")
      why = "excused";
    if (!is_canvas && maximum < header.size() && !is_grade(rows[i][maximum].text, most))
      most = 0;
    const std::string now = grade_of(points, max_points, most);
    if (!why.empty())
      notes.push_back(who + ": keeps \"" + cell.text + "\" (" + why + ")");
    else if (text.replace(cell.begin, cell.end - cell.begin, quote + now + quote);
             is_grade(plain(cell.text), grade) && cell.text != now)
      notes.push_back(who + ": " + cell.text + " -> " + now);
  }
  std::reverse(notes.begin(), notes.end());
  return text;
}

} // namespace course
