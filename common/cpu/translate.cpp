// course-translate: turns CUDA C++ into C++ for the CPU backend.
//
//   course-translate [-I DIR]... [-M DEPFILE] [--checked] IN.cu OUT.cpp
//
// --checked: for a program that is linked with the checks (checks/checks.h).
// Writes OUT.cpp and, beside it, a translated copy of each file that IN.cu includes with quotes,
// directly or not, and that holds something to translate. Other quoted includes are read from where
// they are. DEPFILE names everything read, in the form that make and ninja understand.
// Exit status: 0; 1 where a file cannot be read, written or translated; 2 for wrong arguments.
#include "lexer.hpp"
#include "rewriter.hpp"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace fs = std::filesystem;
using namespace course_cpu::translator;

namespace {

struct Options {
  std::vector<fs::path> include_folders;
  bool checked = false;
  fs::path depfile, input, output;
};

std::string read(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  if (!file.is_open() || fs::is_directory(path))
    throw std::runtime_error("cannot read " + path.string());
  return std::string((std::istreambuf_iterator<char>(file)), {});
}

void write(const fs::path &path, const std::string &text) {
  std::ofstream file(path, std::ios::binary);
  if (!(file << text).flush())
    throw std::runtime_error("cannot write " + path.string() +
                             ": is there space, and may you write there?");
}

class Translator {
public:
  explicit Translator(const Options &options) : options_(options) {}

  // Returns whether all went well; has written the files if so.
  bool run() {
    const Translation main = translate(options_.input);
    for (const std::string &error : errors_)
      std::cerr << error << '\n';
    if (!errors_.empty())
      return false;
    for (const auto &[path, text] : texts_)
      write(path, text);
    write(options_.output, main.text);
    if (!options_.depfile.empty())
      write_depfile();
    return true;
  }

private:
  struct Translation {
    bool changed; // beyond the paths of includes
    std::string text;
  };

  struct Include {
    fs::path path;
    bool beside; // found in the folder of the file that includes it, not by -I
  };

  Translation translate(const fs::path &path) {
    const std::string source = read(path);
    const Lexed lexed = Lexer(source).run();
    Edits edits(source);
    std::vector<Error> errors;
    rewrite(lexed, options_.checked, edits, errors);
    std::stable_sort(errors.begin(), errors.end(),
                     [](const Error &a, const Error &b) { return a.line < b.line; });
    for (const Error &error : errors)
      errors_.push_back(path.string() + ':' + std::to_string(error.line) +
                        ": error: " + error.message);
    bool changed = !edits.empty();
    for (const Tokens &directive : lexed.directives) {
      if (directive.size() != 2 || directive[0].text != "include" ||
          directive[1].kind != Kind::literal)
        continue;
      const Token &name = directive[1];
      const Include include = find(path.parent_path(), name.text.substr(1, name.text.size() - 2));
      if (include.path.empty())
        continue; // the compiler finds it, or says that it is missing
      if (const std::string copy = translated_copy(include.path); !copy.empty()) {
        edits.replace(name.begin, name.end(), string_literal(copy));
        changed = true;
      } else if (include.beside) {
        edits.replace(name.begin, name.end(), string_literal(fs::absolute(include.path).string()));
      }
    }
    return {changed, "#line 1 " + string_literal(path.string()) + '\n' + edits.apply()};
  }

  // Where `#include "name"` in a file of `folder` leads; an empty path if nowhere.
  Include find(const fs::path &folder, const fs::path &name) const {
    if (fs::is_regular_file(folder / name))
      return {folder / name, true};
    for (const fs::path &include_folder : options_.include_folders)
      if (fs::is_regular_file(include_folder / name))
        return {include_folder / name, false};
    return {};
  }

  // Translates an included file, each only once; returns the name of its copy beside the output, or
  // nothing if it needs none. A file that includes itself, by others, counts as one that does.
  std::string translated_copy(const fs::path &path) {
    const auto [found, is_new] =
        copies_.try_emplace(fs::canonical(path), options_.output.filename().string() + '.' +
                                                     std::to_string(copies_.size() + 1) + '.' +
                                                     path.filename().string());
    std::string &copy = found->second;
    if (is_new) {
      dependencies_.push_back(path);
      const fs::path output = options_.output.parent_path() / copy;
      if (Translation result = translate(path); result.changed)
        texts_[output] = std::move(result.text);
      else
        copy.clear();
    }
    return copy;
  }

  void write_depfile() const {
    std::string text = escaped(options_.output) + ": " + escaped(options_.input);
    for (const fs::path &path : dependencies_)
      text += " \\\n  " + escaped(path);
    write(options_.depfile, text + '\n');
  }

  static std::string escaped(const fs::path &path) {
    std::string result;
    for (const char c : path.string()) {
      if (c == ' ' || c == '#')
        result += '\\';
      if (c == '$')
        result += '$';
      result += c;
    }
    return result;
  }

  const Options &options_;
  std::map<fs::path, std::string> copies_; // original to the name of its copy, empty if none
  std::map<fs::path, std::string> texts_;  // the copies to write
  std::vector<fs::path> dependencies_;
  std::vector<std::string> errors_;
};

// Throws std::invalid_argument for arguments that are not as the head of this file says.
Options parse(const std::vector<std::string> &arguments) {
  Options options;
  std::vector<std::string> files;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string flag = arguments[i].substr(0, 2);
    if (arguments[i] == "--checked") {
      options.checked = true;
    } else if (flag == "-I" || flag == "-M") {
      std::string value = arguments[i].substr(2);
      if (value.empty() && ++i < arguments.size())
        value = arguments[i];
      if (value.empty())
        throw std::invalid_argument("a path is missing after " + flag);
      if (flag == "-I")
        options.include_folders.push_back(value);
      else
        options.depfile = value;
    } else if (arguments[i][0] == '-' && arguments[i].size() > 1) {
      throw std::invalid_argument("unknown option " + arguments[i]);
    } else {
      files.push_back(arguments[i]);
    }
  }
  if (files.size() != 2)
    throw std::invalid_argument("one input and one output are needed");
  options.input = files[0];
  options.output = files[1];
  return options;
}

} // namespace

int main(int argc, char **argv) {
  try {
    const Options options = parse({argv + 1, argv + argc});
    return Translator(options).run() ? 0 : 1;
  } catch (const std::invalid_argument &error) {
    std::cerr << "course-translate: " << error.what()
              << "\nusage: course-translate [-I DIR]... [-M DEPFILE] [--checked] IN.cu OUT.cpp\n";
    return 2;
  } catch (const std::exception &error) {
    std::cerr << "course-translate: " << error.what() << '\n';
    return 1;
  }
}
