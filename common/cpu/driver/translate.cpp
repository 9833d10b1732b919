// Reads a source and the headers that it includes, and writes the translation.
#include "translate.hpp"

#include "translator/lexer.hpp"
#include "translator/token_range.hpp"
#include "translator/translation.hpp"
#include "words.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <string_view>

namespace fs = std::filesystem;
using namespace course_cpu::translator;

namespace course_cpu::nvcc {
namespace {

std::string read(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  if (!file.is_open() || fs::is_directory(path))
    throw std::runtime_error("cannot read " + path.string());
  std::string text((std::istreambuf_iterator<char>(file)), {});
  if (starts_with(text, "\xEF\xBB\xBF")) // a byte order mark, from an editor on Windows
    text.erase(0, 3);
  if (starts_with(text, "\xFF\xFE") || starts_with(text, "\xFE\xFF"))
    throw TranslationError(path.string() + ":1: error: the file is UTF-16: save it as UTF-8\n");
  return text;
}

void write(const fs::path &path, const std::string &text) {
  std::ofstream file(path, std::ios::binary);
  if (!(file << text).flush())
    throw std::runtime_error("cannot write " + path.string() +
                             ": is the disk full, or is the folder read-only?");
}

// True if a file calls std::beta or another special function of C++17, whose names may end with f
// or l: CUDA's headers leave them out of <cmath> (course_cpu/types.h).
bool calls_special_function(const Lexed &lexed) {
  static const std::set<std::string_view> names{
      "assoc_laguerre", "assoc_legendre", "beta",         "comp_ellint_1", "comp_ellint_2",
      "comp_ellint_3",  "cyl_bessel_i",   "cyl_bessel_j", "cyl_bessel_k",  "cyl_neumann",
      "ellint_1",       "ellint_2",       "ellint_3",     "expint",        "hermite",
      "laguerre",       "legendre",       "riemann_zeta", "sph_bessel",    "sph_legendre",
      "sph_neumann"};
  const auto is_call = [](const Token &name, const Token &next) {
    const bool suffix = name.text.back() == 'f' || name.text.back() == 'l';
    return next.text == "(" && (names.count(name.text) ||
                                (suffix && names.count(name.text.substr(0, name.text.size() - 1))));
  };
  const auto has_call = [&](const Tokens &tokens) {
    return std::adjacent_find(tokens.begin(), tokens.end(), is_call) != tokens.end();
  };
  return has_call(lexed.code) ||
         std::any_of(lexed.directives.begin(), lexed.directives.end(), has_call);
}

class Translator {
public:
  Translator(const fs::path &output, const TranslateOptions &options)
      : output_(output), options_(options) {}

  Written run(const fs::path &input) {
    Written written{{output_, input}};
    const Translation main = translate(input);
    if (!errors_.empty())
      throw TranslationError(errors_);
    for (const auto &[path, copy] : copies_) {
      if (copy.name.empty())
        continue;
      write(output_.parent_path() / copy.name, copy.text);
      written[output_.parent_path() / copy.name] = copy.original;
    }
    write(output_, main.text);
    return written;
  }

private:
  struct Translation {
    bool changed; // beyond the paths of includes
    std::string text;
  };

  struct Include {
    fs::path path;
    bool beside; // found in the folder of the file that includes it
  };

  struct Copy {
    std::string name; // beside the output; empty where the file needs no translation
    fs::path original;
    std::string text;
  };

  Translation translate(const fs::path &path) {
    const std::string source = read(path);
    const Lexed lexed = lex(source);
    const fs::path folder = path == "/dev/stdin" ? fs::path() : path.parent_path();
    for (const Tokens &directive : lexed.directives) // their declarations count in this file
      if (const fs::path header = included_file(folder, directive).path; !header.empty())
        translated_copy(header);
    Edits edits(source);
    std::vector<Error> errors;
    rewrite(lexed, options_.instrument, declared_, edits, errors);
    std::stable_sort(errors.begin(), errors.end(),
                     [](const Error &a, const Error &b) { return a.line < b.line; });
    for (const Error &error : errors)
      errors_ +=
          path.string() + ':' + std::to_string(error.line) + ": error: " + error.message + '\n';
    const bool special = calls_special_function(lexed);
    bool changed = special || !edits.empty();
    for (const Tokens &directive : lexed.directives)
      changed |= translate_include(folder, directive, edits);
    return {changed, (special ? "#include \"course_cpu/special_functions.h\"\n" : "") +
                         ("#line 1 " + string_literal(path.string()) + '\n' + edits.apply())};
  }

  // The file that a directive in a file of `folder` includes; an empty path if there is none, which
  // the compiler may report.
  Include included_file(const fs::path &folder, const Tokens &directive) const {
    if (directive.size() < 2 || directive[0].text != "include")
      return {};
    const bool quoted = directive[1].kind == Kind::literal;
    const std::string name = TokenRange(directive).joined(1, directive.size());
    if (name.size() < 2 ||
        (quoted ? directive.size() > 2 : name.front() != '<' || name.back() != '>'))
      return {}; // a macro: the compiler expands it
    return find(folder, name.substr(1, name.size() - 2), quoted);
  }

  // Makes a directive of a file in `folder` name the translated copy; whether there is one.
  bool translate_include(const fs::path &folder, const Tokens &directive, Edits &edits) {
    const Include include = included_file(folder, directive);
    if (include.path.empty())
      return false;
    const std::size_t begin = directive[1].begin, end = directive.back().end();
    if (const std::string copy = translated_copy(include.path); !copy.empty()) {
      edits.replace(begin, end, string_literal(copy));
      return true;
    }
    if (include.beside) // from here on it is another folder than the translation's
      edits.replace(begin, end, string_literal(include.path.string()));
    return false;
  }

  // The file that `#include` in a file of `folder` finds; an empty path if none.
  Include find(const fs::path &folder, const fs::path &name, bool quoted) const {
    if (quoted && fs::is_regular_file(folder / name))
      return {folder / name, true};
    for (const fs::path &include_folder : options_.include_folders)
      if (fs::is_regular_file(include_folder / name))
        return {include_folder / name, false};
    return {};
  }

  // Translates an included file, each only once; returns the name of its copy, or nothing if it
  // needs none. A file that includes itself, by others, counts as one that does.
  std::string translated_copy(const fs::path &path) {
    const auto [found, is_new] = copies_.try_emplace(fs::canonical(path));
    Copy &copy = found->second;
    if (is_new) {
      copy.name = output_.filename().string() + '.' + std::to_string(copies_.size()) + '.' +
                  path.filename().string();
      copy.original = path;
      Translation result = translate(path);
      copy.text = std::move(result.text);
      if (!result.changed)
        copy.name.clear();
    }
    return copy.name;
  }

  const fs::path &output_;
  const TranslateOptions &options_;
  std::map<fs::path, Copy> copies_; // of the files that are included, by their canonical paths
  Declared declared_;
  std::string errors_;
};

} // namespace

Written translate(const fs::path &input, const fs::path &output, const TranslateOptions &options) {
  return Translator(output, options).run(input);
}

} // namespace course_cpu::nvcc
