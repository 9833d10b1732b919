// Writes the rules that make and ninja read, from those of the host compiler.
#include "depfile.hpp"

#include <fstream>
#include <iterator>

namespace course_cpu::nvcc {

std::string escaped(const std::string &path) {
  std::string result;
  for (const char c : path) {
    if (c == ' ' || c == '#')
      result += '\\';
    if (c == '$')
      result += '$';
    result += c;
  }
  return result;
}

Words prerequisites(const std::filesystem::path &rule) {
  std::ifstream file(rule);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  Words files;
  std::string name;
  bool after_colon = false;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : '\n';
    const char next = i + 1 < text.size() ? text[i + 1] : '\0';
    if (c == '\\' && next == '\n') {
      ++i;
    } else if (c == '\\' && (next == ' ' || next == '#')) {
      name += text[++i];
      continue;
    } else if (c == '$' && next == '$') {
      name += text[++i];
      continue;
    } else if (c != ' ' && c != '\n') {
      name += c;
      continue;
    }
    if (after_colon && !name.empty())
      files.push_back(name);
    after_colon |= !name.empty() && name.back() == ':';
    name.clear();
  }
  return files;
}

std::string rule(const Words &targets, const Words &files, bool phony_targets) {
  std::string text;
  for (const std::string &target : targets)
    text += (text.empty() ? "" : " ") + target;
  text += ':';
  for (const std::string &file : files)
    text += (&file == &files.front() ? " " : " \\\n  ") + escaped(file);
  text += '\n';
  for (std::size_t i = 1; phony_targets && i < files.size(); ++i)
    text += escaped(files[i]) + ":\n";
  return text;
}

} // namespace course_cpu::nvcc
