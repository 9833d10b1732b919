// Replaces the names of translations in the rules for make.
#include "depfile.hpp"

#include "toolkit.hpp"

#include <fstream>
#include <iterator>

namespace fs = std::filesystem;

namespace course_cpu::nvcc {
namespace {

// A path as a rule for make has it.
std::string in_rule(const fs::path &path) {
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

} // namespace

void name_sources(const fs::path &rule, Written names) {
  std::string text;
  {
    std::ifstream file(rule);
    text.assign(std::istreambuf_iterator<char>(file), {});
  }
  std::error_code none;
  const fs::path header = toolkit() / "include/cuda_runtime.h";
  names["/dev/null"] = header;
  for (const auto &folder : fs::directory_iterator(toolkit() / "precompiled", none))
    for (const char *name : {"cuda_runtime.h", "cuda_runtime.h.gch"})
      names[folder.path() / name] = header;
  for (auto name = names.rbegin(); name != names.rend(); ++name) { // the longer one of two first
    const std::string from = in_rule(name->first), to = in_rule(name->second);
    for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size())
      text.replace(at, from.size(), to);
  }
  std::ofstream file(rule);
  if (!(file << text).flush())
    throw std::runtime_error("cannot write " + rule.string());
}

} // namespace course_cpu::nvcc
