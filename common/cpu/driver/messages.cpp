// Shortens the host compiler's messages, and adds hints.
#include "messages.hpp"

#include "diagnostics.hpp"
#include "features.hpp"
#include "hints.hpp"
#include "words.hpp"

#include <algorithm>
#include <cstdlib>
#include <regex>
#include <set>
#include <string_view>
#include <utility>

namespace fs = std::filesystem;

namespace course_cpu::nvcc {
namespace {

// The n-th part of a text between quotes.
std::string quoted(const std::string &text, int n = 0, char quote = '\'') {
  std::size_t begin = 0, end = 0;
  for (int i = 0; i <= n; ++i) {
    begin = text.find(quote, i == 0 ? 0 : end + 1);
    end = begin == text.npos ? begin : text.find(quote, begin + 1);
    if (end == text.npos)
      return "";
  }
  return text.substr(begin + 1, end - begin - 1);
}

// A line in the names that programs use.
std::string without_insides(std::string line) {
  static const std::pair<const char *, const char *> names[]{
      {", course_cpu::SourceLine", ""},
      {"course_cpu::SourceLine", ""},
      {"course_cpu::Configuration::Configuration", "<<<...>>>"},
      {"course_cpu::Algorithms::", "thrust::"},
      {"course_cpu::Grouping::", "thrust::"},
      {"course_cpu::", ""}};
  for (const auto &[inside, outside] : names)
    for (std::size_t at; (at = line.find(inside)) != line.npos;)
      line.replace(at, std::string_view(inside).size(), outside);
  return line;
}

class Reader {
public:
  explicit Reader(const fs::path &include_folder)
      : include_folder_(fs::weakly_canonical(include_folder).string() + '/'),
        precompiled_folder_(
            (fs::weakly_canonical(include_folder.parent_path()) / "precompiled/").string()) {}

  std::string run(const std::string &output) {
    std::vector<Message> messages = messages_of(output);
    for (Message &message : messages)
      name_kernel(message.main);
    const auto is_for_want_of_return = [](const Message &message) {
      return holds(message.main.text, "return-type]"); // a warning, or in the grader an error
    };
    const bool fails = std::any_of(messages.begin(), messages.end(), [&](const Message &message) {
      return message.is_error() && !is_for_want_of_return(message);
    });
    // Warnings of unused names and missing returns may be consequences of the errors.
    for (const Message &message : messages)
      if (!fails || !(holds(message.main.text, "[-Wunused-") || is_for_want_of_return(message)))
        show(message);
    return result_;
  }

private:
  bool is_ours(const std::string &file) const {
    return starts_with(fs::weakly_canonical(file).string(), include_folder_);
  }

  // Of the folder with the header that g++ has read before.
  bool is_precompiled(const std::string &file) const { return holds(file, precompiled_folder_); }

  // Of C++'s library, where no learner looks.
  static bool is_of_library(const std::string &file) { return holds(file, "/include/c++/"); }

  bool is_ours_in(const std::string &line) const {
    return holds(line, include_folder_) || is_precompiled(line);
  }

  // A translated launch begins with `false ?`: what stands there in the program is the kernel.
  static void name_kernel(Diagnostic &main) {
    if (!holds(main.text, "before 'false'"))
      return;
    std::string line = source_line(main);
    line.erase(0, main.column > 0 ? main.column - 1 : 0);
    for (const std::string &shown : main.lines) // of a missing ; the next line, too
      if (std::atoi(shown.c_str()) > main.line)
        line = shown.substr(shown.find('|') + 1);
    std::string &head = main.lines.front();
    std::smatch name;
    if (std::regex_search(line, name, std::regex("[A-Za-z_]\\w*")))
      head.replace(head.rfind("false"), 5, name[0]);
  }

  // In what the translation adds to a line: a consequence of another error.
  static bool is_beyond_its_line(const Diagnostic &main) {
    const std::size_t length = source_line(main).size();
    return length > 0 && main.column > int(length) + 1;
  }

  static std::string place_text(const Diagnostic &main) {
    return main.file + ':' + std::to_string(main.line);
  }

  // Of a missing feature only the first error is shown. Of the other errors those are shown that
  // are the first of their line or have a hint of their own: the translation holds the arguments of
  // a launch twice, and a template has copies.
  void show(const Message &message) {
    const Diagnostic &main = message.main;
    if (holds(main.lines.front(), "some warnings being treated as errors"))
      return;
    const auto [file, line] = place(message);
    if (main.kind == "warning" && !warnings_.insert(main.lines.front()).second)
      return; // of another copy of the same code
    if (!message.is_error() || file.empty())
      return show_as_it_is(message, file.empty());
    const std::string key = file + ':' + std::to_string(line), feature = missing_feature(main.text);
    const std::string words = in_our_words(message);
    const bool is_inner =
        is_ours(main.file) || is_of_library(main.file) || holds(main.text, "Launcher<");
    if (is_inner && words.empty() && !shown_.empty())
      return;
    if (!feature.empty() && !features_.insert(feature).second)
      return;
    std::string its_line = key;
    for (const Diagnostic &note : message.notes)
      if (starts_with(note.text, "in expansion of macro "))
        its_line = place_text(note);
    if (!shown_.empty() && is_beyond_its_line(main))
      return;
    const std::string its_hint = hint(main);
    if (!shown_.insert(its_line).second && (its_hint.empty() || hints_.count(its_hint) > 0))
      return;
    if (words.empty() && !is_inner)
      return show_as_it_is(message);
    result_ += key + ": error: " + (words.empty() ? without_insides(main.text) : words) + '\n';
    show_notes(message, key);
  }

  // The learner's line that a message is about; no file where only the compiler's is known.
  std::pair<std::string, int> place(const Message &message) const {
    const Diagnostic &main = message.main;
    for (const Diagnostic &note : message.notes) // such as CUDA_CHECK
      if (starts_with(note.text, "in expansion of macro "))
        return {note.file, note.line};
    if (main.kind.empty() || !(is_ours(main.file) || is_of_library(main.file)))
      return {main.kind.empty() ? "" : main.file, main.line};
    // The lines that include a file come before the line that uses its template.
    std::pair<std::string, int> included{"", 0};
    for (const std::string &line : main.context) {
      std::string words = plain(line);
      words.erase(0, words.find_first_not_of(' '));
      bool is_include = false;
      for (const char *before : {"In file included from ", "from "})
        if (starts_with(words, before)) {
          words.erase(0, std::string(before).size());
          is_include = true;
        }
      if (const std::size_t at = words.find("' at "); at != words.npos)
        words.erase(0, at + 5); // inlined from 'FUNCTION' at FILE
      const std::size_t colon = words.find(':');
      const std::string file = words.substr(0, colon);
      const bool is_file = colon != words.npos && colon > 0 && file[0] != '<'; // <built-in>
      const int number = is_file ? std::atoi(words.c_str() + colon + 1) : 0;
      if (number == 0 || is_ours(file) || is_precompiled(file) || is_of_library(file))
        continue;
      if (!is_include)
        return {file, number};
      if (included.first.empty())
        included = {file, number};
    }
    for (const Diagnostic &note : message.notes) // clang's
      if (holds(note.text, "requested here") && !is_ours(note.file) && !is_of_library(note.file))
        return {note.file, note.line};
    return included;
  }

  void show_as_it_is(const Message &message, bool is_all_there_is = false) {
    show_lines(message.main, is_all_there_is);
    show_notes(message, place_text(message.main));
  }

  // The notes about CUDA's functions say how these are declared, at a place that is no learner's.
  // The reasons that follow such a candidate count arguments that only the backend has.
  void show_notes(const Message &message, const std::string &place) {
    bool is_about_ours = false;
    for (const Diagnostic &note : message.notes) {
      const bool is_candidate = starts_with(note.text, "candidate"),
                 is_reason = starts_with(note.text, "  ");
      if (is_candidate)
        is_about_ours = is_ours(note.file);
      if (!is_ours(note.file)) {
        if (!is_of_library(note.file) && !(is_about_ours && is_reason) &&
            !is_needless(note, message.main))
          show_lines(note);
      } else if ((is_candidate || holds(note.text, "initializing argument ")) &&
                 !holds(note.text, "Configuration&")) { // a copy
        result_ += place + ": note: " + without_insides(note.text) + '\n';
      }
    }
    if (const std::string words = hint(message.main); !words.empty() && hints_.insert(words).second)
      result_ += place + ": note: " + words + '\n';
  }

  // About the text of a macro, or the same line, or followed by a list of which nothing is shown.
  static bool is_needless(const Diagnostic &note, const Diagnostic &main) {
    return starts_with(note.text, "in definition of macro ") ||
           starts_with(note.text, "suggested alternatives:") ||
           (starts_with(note.text, "in expansion of macro ") &&
            place_text(note) == place_text(main));
  }

  void show_lines(const Diagnostic &diagnostic, bool in_full = false) {
    for (const std::vector<std::string> *lines : {&diagnostic.context, &diagnostic.lines})
      for (const std::string &line : *lines)
        if (in_full || (!is_ours_in(line) && !starts_with(line, "In file included from ") &&
                        !starts_with(line, "                 from ")))
          result_ += without_insides(line) + '\n';
  }

  // ---- what is said instead; empty: nothing

  std::string in_our_words(const Message &message) const {
    const std::string &text = message.main.text;
    if (const std::size_t at = text.find("declared with attribute error: "); at != text.npos)
      return text.substr(at + 31);
    if (const std::size_t at = text.find("; did you mean 'course_cpu::"); at != text.npos)
      return text.substr(0, at);
    if (holds(text, "static assertion failed") && is_ours(message.main.file))
      return text.substr(text.find(": ") + 2);
    if (starts_with(text, "static_assert failed") && is_ours(message.main.file)) // clang 14
      return quoted(text, 0, '"');
    if (holds(text, "variable length array"))
      return "the size of an array in device code must be a constant: for a size that the launch "
             "sets, use extern __shared__ T name[]; otherwise use memory from cudaMalloc";
    if (holds(text, "could not convert") && holds(text, "course_cpu::SourceLine"))
      return "this function takes fewer arguments";
    return "";
  }

  std::string include_folder_, precompiled_folder_;
  std::string result_;
  std::set<std::string> shown_; // the lines with an error
  std::set<std::string> warnings_, hints_, features_;
};

} // namespace

std::string readable(const std::string &output, const fs::path &include_folder) {
  return Reader(include_folder).run(output);
}

} // namespace course_cpu::nvcc
