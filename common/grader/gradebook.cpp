#include "common/grader/gradebook.hpp"

#include "common/grader/bank.hpp"
#include "common/grader/formats.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <sstream>
#include <stdexcept>

namespace course {
namespace {

namespace fs = std::filesystem;

// Whether ./course takes the word for this exercise: axpby, add-list/axpby, 3/axpby.
bool is_named(const Exercise &exercise, const fs::path &word) {
  const std::string lesson = word.parent_path(), number = exercise.lesson.substr(0, 2);
  return word.filename() == exercise.name &&
         (lesson.empty() || lesson == exercise.lesson || lesson == exercise.lesson.substr(3) ||
          lesson == number || "0" + lesson == number);
}

std::string two_results(const Result &one, const Result &other) {
  return "two results of " + one.learner + " for " + one.exercise + ": " + one.source + " and " +
         other.source + ". Delete the result that does not count";
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

// The rows that the name of a file, or a part of it, means.
std::set<std::size_t> rows_of_learner(const std::map<std::string, std::set<std::size_t>> &rows,
                                      const std::string &learner) {
  const std::string name = plain(learner);
  if (const auto whole = rows.find(name); whole != rows.end())
    return whole->second;
  std::set<std::size_t> found;
  std::istringstream parts(name);
  for (std::string part; std::getline(parts, part, '_');)
    if (const auto its_rows = rows.find(part); its_rows != rows.end())
      found.insert(its_rows->second.begin(), its_rows->second.end());
  return found;
}

} // namespace

Result read_result(const std::string &line, const std::vector<Exercise> &exercises) {
  std::istringstream words(line);
  std::string state, word, file;
  std::getline(words >> state >> word >> std::ws, file);
  const bool is_state = std::string(" right wrong not-started error ").find(" " + state + " ") < 99;
  const auto exercise = std::find_if(exercises.begin(), exercises.end(),
                                     [&](const Exercise &its) { return is_named(its, word); });
  if (!is_state || exercise == exercises.end() || file.empty() || !words.eof())
    throw std::runtime_error("not a line with a state, an exercise and a file");
  const fs::path path = file;
  return {path.stem() == exercise->name ? path.parent_path().filename() : path.stem(),
          exercise->full_name(), state, state == "right" ? exercise->points : 0, ""};
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
                        std::vector<std::string> &kept) {
  const std::set<std::string> names =
      is_canvas ? std::set<std::string>{"sis login id", "sis user id", "id"}
                : std::set<std::string>{"email address", "username", "id number", "identifier"};
  const auto is_identifier = [&](const Cell &cell) { return names.count(plain(cell.text)) > 0; };
  const std::vector<Row> rows = rows_of(csv, problems);
  const Row header = rows.empty() ? Row{} : rows[0];
  if (std::none_of(header.begin(), header.end(), is_identifier))
    problems.push_back("no column of the export identifies a learner");
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < header.size(); ++i)
    if (const std::string &name = header[i].text;
        name == column || (is_canvas && name.substr(0, name.rfind(" (")) == column)) // its number
      places.push_back(i);
  if (places.size() != 1)
    problems.push_back((places.empty() ? "no column \"" : "several columns \"") + column +
                       "\": --column names the column that gets the points");
  else if (is_identifier(header[places[0]]))
    problems.push_back("the column \"" + column + "\" identifies the learners");
  if (!problems.empty())
    return "";

  std::map<std::string, std::set<std::size_t>> rows_by_key;
  for (std::size_t i = 1; i < rows.size(); ++i)
    for (std::size_t j = 0; j < header.size(); ++j)
      if (is_identifier(header[j]))
        for (const std::string &key : keys_of(plain(header[j].text), rows[i][j].text))
          rows_by_key[key].insert(i);
  std::map<std::size_t, std::map<std::string, Result>> graded; // by row and exercise
  for (const Result &result : results) {
    const auto found = rows_of_learner(rows_by_key, result.learner);
    if (found.size() != 1) {
      std::string lines = found.empty() ? "no line" : "several lines";
      for (const std::size_t row : found)
        lines += ", " + line_of(csv, rows[row][0].begin);
      problems.push_back(result.learner + " (" + result.source + ") matches " + lines);
      continue;
    }
    const auto [at, is_new] = graded[*found.begin()].emplace(result.exercise, result);
    if (!is_new && at->second.learner != result.learner) // else table_of names it
      problems.push_back(two_results(at->second, result));
  }
  std::string text = csv;
  for (auto row = graded.rbegin(); row != graded.rend(); ++row) { // the last one first
    const Cell &cell = rows[row->first][places[0]];
    const std::string quote = csv.compare(cell.begin, 1, "\"") == 0 ? "\"" : "";
    const Result *error = nullptr;
    int points = 0;
    for (const auto &[exercise, result] : row->second) {
      points += result.points;
      if (result.state == "error")
        error = &result;
    }
    if (error)
      kept.push_back(error->learner);
    else
      text.replace(cell.begin, cell.end - cell.begin, quote + std::to_string(points) + quote);
  }
  return text;
}

} // namespace course
