// Splits a compiler's stderr into messages and their notes.
#include "diagnostics.hpp"

#include "../fault_report.hpp"
#include "words.hpp"

#include <cctype>
#include <sstream>
#include <utility>

namespace course_cpu::nvcc {
namespace {

// Reads ":123" at `at` and steps over it; -1 where there is none.
int number_after_colon(const std::string &line, std::size_t &at) {
  std::size_t end = at + 1;
  while (end < line.size() && std::isdigit(static_cast<unsigned char>(line[end])))
    ++end;
  if (at >= line.size() || line[at] != ':' || end == at + 1 || end > at + 9)
    return -1;
  const int number = std::stoi(line.substr(at + 1, end - at - 1));
  at = end;
  return number;
}

// True if the line begins a diagnostic, which it stores in `result`.
bool is_head(const std::string &line, Diagnostic &result) {
  for (const char *kind : {"fatal error", "error", "warning", "note"}) {
    const std::string mark = std::string(": ") + kind + ": ";
    const std::size_t found = line.find(mark);
    if (found == line.npos || line[0] == ' ')
      continue;
    // The numbers stand before the mark; a path may hold colons.
    for (std::size_t colon = line.find(':'); colon < found; colon = line.find(':', colon + 1)) {
      std::size_t at = colon;
      const int number = number_after_colon(line, at);
      if (number < 0)
        continue;
      const int column = at < found ? number_after_colon(line, at) : 0;
      if (at != found || column < 0)
        continue;
      result.file = line.substr(0, colon);
      result.line = number;
      result.column = column;
      result.kind = kind;
      result.text = course::without_anonymous(line.substr(found + mark.size()));
      return true;
    }
  }
  return false;
}

// "   12 | code", "      | ^~~~"
bool is_source(const std::string &line) {
  const std::size_t bar = line.find_first_not_of(" 0123456789");
  return bar != line.npos && bar > 0 && line[bar - 1] == ' ' && line[bar] == '|';
}

// "^~~~~": clang's, below a source line that begins in the first column.
bool is_underline(const std::string &line) {
  return !line.empty() && line.find_first_not_of(" ^~") == line.npos;
}

// True if the line gives the context of the next diagnostic.
bool is_context(const std::string &line) {
  return starts_with(line, "In ") || line.find(": In ") != line.npos ||
         line.find(": At ") != line.npos || starts_with(line, "                 from ") ||
         line.find("required from") != line.npos || line.find("    inlined from ") == 0;
}

// "compilation terminated.", "2 errors generated."
bool is_end(const std::string &line) {
  for (const char *end : {" terminated.", " generated."})
    if (line.size() > std::string(end).size() &&
        line.compare(line.size() - std::string(end).size(), line.npos, end) == 0)
      return true;
  return false;
}

} // namespace

std::string plain(std::string line) {
  for (std::size_t at; (at = line.find("\33[")) != line.npos;) {
    const std::size_t end = line.find_first_of("mK", at);
    line.erase(at, end == line.npos ? end : end + 1 - at);
  }
  for (const char *quote : {"‘", "’"})
    for (std::size_t at; (at = line.find(quote)) != line.npos;)
      line.replace(at, std::string(quote).size(), "'");
  return line;
}

std::vector<Message> messages_of(const std::string &output) {
  std::vector<Message> messages;
  std::vector<std::string> context;
  std::istringstream text(output);
  Diagnostic *last = nullptr; // to which the source below it belongs
  for (std::string line; std::getline(text, line);) {
    const std::string words = plain(line);
    Diagnostic next;
    if (is_head(words, next)) {
      next.context = std::exchange(context, {});
      next.lines = {line};
      if (next.kind == "note" && !messages.empty()) {
        messages.back().notes.push_back(std::move(next));
        last = &messages.back().notes.back();
      } else {
        messages.push_back({std::move(next), {}});
        last = &messages.back().main;
      }
    } else if (!is_source(words) && is_context(words)) {
      context.push_back(line);
      last = nullptr;
    } else if (last && (starts_with(words, " ") || is_underline(words) ||
                        (last->lines.size() == 1 && !is_end(words)))) {
      last->lines.push_back(line);
    } else {
      next.context = std::exchange(context, {});
      next.lines = {line};
      messages.push_back({std::move(next), {}});
      last = nullptr;
    }
  }
  if (!context.empty())
    messages.push_back({{}, {}}), messages.back().main.context = std::move(context);
  return messages;
}

std::string source_line(const Diagnostic &diagnostic) {
  const std::string line = diagnostic.lines.size() > 1 ? plain(diagnostic.lines[1]) : "";
  const std::size_t bar = line.find("| ");
  return bar == line.npos ? "" : line.substr(bar + 2);
}

} // namespace course_cpu::nvcc
