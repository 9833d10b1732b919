// Shortens and explains the host compiler's messages.
#include "messages.hpp"

#include "diagnostics.hpp"
#include "features.hpp"
#include "hints.hpp"
#include "signature.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>
#include <set>

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

// 'Value<It>' {aka 'float'} is 'float'.
std::string without_aliases(std::string text) {
  for (std::size_t at; (at = text.find("' {aka '")) != text.npos;) {
    const std::size_t begin = text.rfind('\'', at - 1), end = text.find("'}", at);
    if (begin == text.npos || end == text.npos)
      break;
    text.erase(end + 1, 1);
    text.erase(begin, at + 7 - begin);
  }
  return text;
}

std::string in_brackets(const Words &words) { return '(' + joined(words) + ')'; }

class Reader {
public:
  explicit Reader(const fs::path &include_folder)
      : include_folder_(fs::weakly_canonical(include_folder).string() + '/'),
        precompiled_folder_(
            (fs::weakly_canonical(include_folder.parent_path()) / "precompiled/").string()) {}

  std::string run(const std::string &output) {
    const std::vector<Message> messages = messages_of(output);
    const auto is_for_want_of_return = [](const Message &message) {
      return holds(message.main.text, "return-type]"); // a warning, or in the grader an error
    };
    const bool fails = std::any_of(messages.begin(), messages.end(), [&](const Message &message) {
      return message.is_error() && !is_for_want_of_return(message);
    });
    find_missing_features(messages);
    find_hints(messages);
    // Warnings of unused names and missing returns may be consequences of the errors.
    for (const Message &message : messages)
      if (!follows_from_missing(message) &&
          (!fails || !(holds(message.main.text, "[-Wunused-") || is_for_want_of_return(message))))
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

  // ---- features that are missing: one error for each, the first one

  static std::string place_text(const Diagnostic &main) {
    return main.file + ':' + std::to_string(main.line);
  }

  void find_missing_features(const std::vector<Message> &messages) {
    std::set<std::string> features;
    for (const Message &message : messages) {
      const std::string feature = message.is_error() ? missing_feature(message.main.text) : "";
      if (feature.empty())
        continue;
      if (features.insert(feature).second)
        first_of_features_.insert(&message.main);
      lines_with_missing_[place_text(message.main)] = source_line(message.main);
    }
  }

  // Of the same line, or about a name in such a line.
  bool follows_from_missing(const Message &message) const {
    const Diagnostic &main = message.main;
    if (!message.is_error() || first_of_features_.count(&main) > 0)
      return false;
    if (lines_with_missing_.count(place_text(main)) > 0)
      return true;
    const auto is_part = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
    };
    for (int n = 0;; ++n) {
      const std::string name = quoted(main.text, n);
      if (name.empty())
        return false;
      for (const auto &[place, line] : lines_with_missing_)
        for (std::size_t at = line.find(name); at != line.npos; at = line.find(name, at + 1))
          if (is_part(name[0]) && (at == 0 || !is_part(line[at - 1])) &&
              !is_part(line[at + name.size()]))
            return true;
    }
  }

  // ---- hints: in each line the first error has the hint, and what follows in that line is left
  // out

  void find_hints(const std::vector<Message> &messages) {
    for (const Message &message : messages)
      if (message.is_error() && hint_of_line_[place_text(message.main)].empty())
        hint_of_line_[place_text(message.main)] = hint(message.main);
  }

  // A later error of a line that has a hint, without a hint of its own, also in a macro; or an
  // error about a name that a line with an error declares.
  bool follows_from_shown(const Message &message) {
    if (!message.is_error())
      return false;
    const Diagnostic &main = message.main;
    for (const Diagnostic &note : message.notes)
      if (starts_with(note.text, "in expansion of macro ") &&
          place_text(note) != place_text(main) && lines_with_hint_.count(place_text(note)) > 0)
        return true;
    if (const int declared = line_of_declaration(main);
        declared > 0 && hint_of_line_.count(main.file + ':' + std::to_string(declared)) > 0)
      return true;
    const std::string &shown = hint_of_line_[place_text(main)], own = hint(main);
    return !shown.empty() && !lines_with_hint_.insert(place_text(main)).second &&
           (own.empty() || own == shown);
  }

  // ---- one message

  void show(const Message &message) {
    const Diagnostic &main = message.main;
    if (holds(main.lines.front(), "some warnings being treated as errors") ||
        follows_from_shown(message))
      return;
    const auto [file, line] = place(message);
    if (main.kind == "warning" && !warnings_.insert(main.lines.front()).second)
      return; // of another copy of the same code
    if (!message.is_error() || file.empty())
      return show_as_it_is(message, file.empty());
    const std::string key = file + ':' + std::to_string(line);
    // An argument that does not fit is met in the launch, too.
    const bool is_inner =
        file != main.file || holds(main.text, "course_cpu::") || holds(main.text, "Launcher<") ||
        std::any_of(message.notes.begin(), message.notes.end(),
                    [](const Diagnostic &note) { return holds(note.text, "Launcher<"); });
    std::string words = in_our_words(message);
    if (is_inner && (words.empty() ? !shown_.empty() : shown_.count(key) > 0))
      return;
    shown_.insert(key);
    if (words.empty() && !is_inner)
      return show_as_it_is(message);
    if (words.empty())
      words = without_aliases(without(main.text, "course_cpu::"));
    const std::string text = key + ": error: " + words + '\n';
    if (holds(result_, text))
      return; // of another copy of the same code
    result_ += text;
    show_hint(message, key);
  }

  // The learner's line that a message is about; no file where only the compiler's is known.
  std::pair<std::string, int> place(const Message &message) const {
    const Diagnostic &main = message.main;
    if (holds(main.text, "declared with attribute error: ")) // in a macro, such as CUDA_CHECK
      for (const Diagnostic &note : message.notes)
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
    const std::string place = message.main.file + ':' + std::to_string(message.main.line);
    std::string reason; // clang's, why a function of CUDA is not called so
    for (const Diagnostic &note : message.notes)
      if (is_ours(note.file) && starts_with(note.text, "candidate function not viable: "))
        reason = note.text.substr(31);
      else if (!is_ours(note.file) && !is_of_library(note.file) &&
               !holds(note.text, "course_cpu::") && !is_needless(note, message.main))
        show_lines(note);
    if (!reason.empty())
      show_note(place, reason);
    show_hint(message, place);
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
        if (in_full || (!is_ours_in(line) && !holds(line, "from <command-line>")))
          result_ += line + '\n';
  }

  void show_note(const std::string &place, const std::string &words) {
    result_ += place + ": note: " + words + '\n';
  }

  void show_hint(const Message &message, const std::string &place) {
    std::string words = hint(message.main);
    if (words.empty() && message.is_error())
      words = hint_of_line_[place_text(message.main)];
    if (!words.empty() && hints_.insert(words).second)
      show_note(place, words);
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
    if (holds(text, "too few arguments to function") ||
        holds(text, "too many arguments to function"))
      return wrong_number(message);
    if (starts_with(text, "no matching function for call to "))
      return no_match(message);
    if (holds(text, "could not convert") && holds(text, "course_cpu::SourceLine"))
      return called_function(message.main) + " is given too many arguments";
    for (const Diagnostic &note : message.notes)
      if (const std::size_t at = note.text.find("initializing argument "); at != note.text.npos)
        return wrong_type(message, note, std::atoi(note.text.c_str() + at + 22));
    return "";
  }

  // The function in whose arguments the message's column lies.
  static std::string called_function(const Diagnostic &main) {
    const std::string line = source_line(main);
    int depth = 1;
    std::size_t open = std::min<std::size_t>(main.column - 1, line.size());
    while (open > 0 && depth > 0) {
      --open;
      depth += line[open] == ')';
      depth -= line[open] == '(';
    }
    return signature_of(line.substr(0, open) + "()").name;
  }

  // "mark's argument 2 (int width) is given int *"
  std::string wrong_type(const Message &message, const Diagnostic &note, int number) const {
    const std::string &text = message.main.text;
    const bool names_value = starts_with(text, "could not convert"); // 'x' from 'T' to 'U'
    const std::string given = quoted(text, names_value ? 1 : 0);
    const Signature function = signature_of(quoted(note.text));
    if (!is_plain(function.name) || given.empty())
      return "";
    return argument(function, note, number, given, quoted(text, names_value ? 2 : 1));
  }

  std::string argument(const Signature &function, const Diagnostic &note, int number,
                       const std::string &given, const std::string &wanted) const {
    if (is_configuration(function.name))
      return "<<<...>>>'s value " + std::to_string(number) + " (" + underlined(note) +
             ") is given " + written_type(given);
    if (function.name == "dim3::dim3")
      return "<<<...>>> takes numbers and dim3, for blocks and for threads in a block, and is "
             "given " +
             written_type(given);
    std::string declared = underlined(note);
    if (declared.empty() || holds(declared, "COURSE_"))
      declared = written_type(wanted);
    const bool is_element = holds(declared, "*") && (given == "float" || given == "double");
    return function.name + "'s argument " + std::to_string(number) + " (" + declared +
           ") is given " + written_type(given) +
           (is_element ? ", and an address is needed, such as x + i or &x[i]" : "");
  }

  static bool is_configuration(const std::string &name) {
    return name == "course_cpu::Configuration::Configuration";
  }

  // A function that C++ itself or a class of the program declares keeps the compiler's words.
  static bool is_plain(const std::string &name) {
    return !name.empty() &&
           (name == "dim3::dim3" || is_configuration(name) || !holds(name, "::")) &&
           !holds(name, "operator");
  }

  static std::string number_of(const Words &parameters) {
    if (parameters.empty())
      return "no arguments";
    return std::to_string(parameters.size()) +
           (parameters.size() == 1 ? " argument " : " arguments ") + in_brackets(parameters);
  }

  // "add takes 2 arguments (float *x, int n) and is given 1"
  std::string wrong_number(const Message &message) const {
    const Signature function = signature_of(quoted(message.main.text));
    if (!is_plain(function.name))
      return "";
    const int count = argument_count(message.main.file, message.main.line, function.name);
    const bool too_few = holds(message.main.text, "too few");
    return function.name + " takes " + number_of(parameters(function, message.notes)) +
           " and is given " +
           (count >= 0 ? count == 0 ? "none" : std::to_string(count)
            : too_few ? "fewer"
                       : "more");
  }

  // As they are declared, else their types.
  Words parameters(const Signature &function, const std::vector<Diagnostic> &notes) const {
    for (const Diagnostic &note : notes)
      if (note.text == "declared here" || starts_with(note.text, "candidate: "))
        if (Words words = declared_parameters(note.file, note.line, function.name); !words.empty())
          return words;
    Words types;
    for (const std::string &type : function.parameters)
      types.push_back(written_type(type));
    return types;
  }

  // Thrust's, of which the first parameter is the policy.
  static std::string no_algorithm(const Signature &call) {
    Words given;
    for (std::size_t i = 1; i < call.parameters.size(); ++i) {
      const std::string type = written_type(call.parameters[i]), as_const = "const ";
      given.push_back(starts_with(type, as_const) ? type.substr(as_const.size()) : type);
    }
    const std::string text =
        "thrust" + call.name.substr(call.name.rfind("::")) + " does not take " + in_brackets(given);
    return holds(text, "_vector<") || holds(text, "std::vector<")
               ? text + ": it takes iterators, v.begin() and v.end() for a vector v"
               : text;
  }

  // "cudaMalloc takes (void **pointer, size_t bytes) and is given (float **)"
  std::string no_match(const Message &message) const {
    const Signature call = signature_of(quoted(message.main.text));
    if (holds(call.name, "Algorithms::") || holds(call.name, "Grouping::"))
      return no_algorithm(call);
    const bool is_launch = is_configuration(call.name);
    if (!is_launch && !is_plain(call.name))
      return "";
    std::vector<const Diagnostic *> candidates;
    for (const Diagnostic &note : message.notes)
      if (starts_with(note.text, "candidate: "))
        candidates.push_back(&note);
    if (candidates.empty())
      return "";
    const auto is_template = [](const Diagnostic *note) { return holds(note->text, "'template<"); };
    const auto best = std::find_if_not(candidates.begin(), candidates.end(), is_template);
    const Diagnostic &candidate = best == candidates.end() ? *candidates.front() : **best;
    Signature function = signature_of(quoted(candidate.text));
    Words given;
    for (const std::string &type : call.parameters)
      given.push_back(written_type(type));
    if (is_launch) {
      function.name = "Configuration";
      return "<<<...>>> takes (" + joined(parameters(function, {candidate})) + ") and is given " +
             in_brackets(given);
    }
    const bool has_overloads =
        std::count_if(candidates.begin(), candidates.end(),
                      [this](const Diagnostic *note) { return !is_ours(note->file); }) > 1;
    const Words takes = parameters(function, {candidate});
    std::string reason;
    for (const Diagnostic &note : message.notes) {
      if (!has_overloads && takes.size() == given.size() &&
          starts_with(note.text, "  no known conversion for argument ") && &note > &candidate) {
        const int number = std::atoi(note.text.c_str() + 35);
        return argument(function, note, number, quoted(note.text), quoted(note.text, 1));
      }
      if (starts_with(note.text, "  deduced conflicting types for parameter "))
        reason = ": " + quoted(note.text) + " would be " + written_type(quoted(note.text, 1)) +
                 " and " + written_type(quoted(note.text, 2));
      if (starts_with(note.text, "  couldn't deduce template parameter "))
        reason = ": no argument determines " + quoted(note.text.substr(10));
    }
    std::string text = call.name + " takes " + in_brackets(takes);
    // Overloads of the program's own.
    for (const Diagnostic *other : candidates)
      if (other != &candidate && !is_ours(other->file)) {
        Signature overload = signature_of(quoted(other->text));
        text += " or " + in_brackets(parameters(overload, {*other}));
      }
    return text + " and is given " + in_brackets(given) + reason;
  }

  std::string include_folder_, precompiled_folder_;
  std::string result_;
  std::set<std::string> shown_; // the lines with an error
  std::set<std::string> warnings_, hints_;
  std::map<std::string, std::string> hint_of_line_; // by place
  std::set<std::string> lines_with_hint_;           // that have been shown
  std::set<const Diagnostic *> first_of_features_;
  std::map<std::string, std::string> lines_with_missing_; // by place: their source
};

} // namespace

std::string readable(const std::string &output, const fs::path &include_folder) {
  return Reader(include_folder).run(output);
}

} // namespace course_cpu::nvcc
