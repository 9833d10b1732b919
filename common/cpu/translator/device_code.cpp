// Makes a file's device functions and variables its own, and puts them into sections.
#include "passes.hpp"

#include <cstddef>
#include <map>
#include <set>
#include <string>

namespace course_cpu::translator {
namespace {

class DeviceCode : Pass {
public:
  explicit DeviceCode(const Pass &pass) : Pass(pass) {}

  void own_all() {
    for (const Function &f : functions_.all())
      if (f.side == Side::device && !f.is_kernel && !f.is_member &&
          !tokens_.is(f.name - 1, "::") && // a friend's first declaration is not static
          declared_.friends.count(tokens_.joined(f.name, f.parameters)) == 0)
        own(f.begin, f.name, false);
    for (const Declaration &variables : functions_.variables())
      if (tokens_.is(variables.begin, "extern") && !tokens_.is(variables.begin + 1, "__shared__"))
        need_rdc(variables);
      else
        own(variables.begin, variables.end, true);
  }

  void mark_host_operators() {
    std::map<std::size_t, std::size_t> host; // by the class's `{`: its first operator()
    std::set<std::size_t> perhaps_device;    // classes with one that is not certain to be host code
    for (const Function &f : functions_.all()) {
      if (!f.is_member || !tokens_.is(f.name, "operator") || !tokens_.is(f.name + 1, "("))
        continue;
      const std::size_t brace = tokens_.enclosing(f.begin);
      if (f.may_be_device)
        perhaps_device.insert(brace);
      else
        host.emplace(brace, tokens_[f.begin].begin);
    }
    for (const auto &[brace, at] : host)
      if (perhaps_device.count(brace) == 0)
        edits_.replace_lines(at, at, "using course_cpu_host_operator = void;");
  }

  void refuse_variable_arrays() {
    for (const Function &f : functions_.all()) {
      if (!tokens_.is(f.body, "{") || (f.side != Side::device && f.side != Side::both))
        continue;
      const std::size_t end = tokens_.after_group(f.body) - 1;
      for (std::size_t i = f.body + 2; i < end; ++i) {
        if (tokens_.is(i, "__shared__")) // the compiler refuses these anyway
          while (i < end && !tokens_.is(i, ";"))
            ++i;
        if (!may_be_variable_array(i))
          continue;
        edits_.replace_lines(
            tokens_[f.body].end(), tokens_[f.body].end(),
            "\n#pragma GCC diagnostic push\n#pragma GCC diagnostic error \"-Wvla\"");
        edits_.replace_lines(tokens_[end].begin, tokens_[end].begin,
                             "\n#pragma GCC diagnostic pop");
        break;
      }
    }
  }

private:
  void need_rdc(const Declaration &variables) {
    edits_.replace_lines(tokens_[variables.end].end(), tokens_[variables.end].end(),
                         "\n#ifndef __CUDACC_RDC__" + edits_.place(tokens_[variables.begin].begin) +
                             "#error device variables of another file need nvcc -rdc=true, where "
                             "it compiles and where it links\n#endif");
  }

  void own(std::size_t begin, std::size_t end, bool is_variable) {
    std::size_t word = end;
    bool is_static = false, is_const = false;
    for (std::size_t i = begin; i < end; i = tokens_.next(i)) {
      if (tokens_.is_any(i, "template", "friend", "using", "__shared__"))
        return;
      if (functions_.says(i, "inline") || functions_.says(i, "__forceinline__") ||
          functions_.says(i, "__inline__") || functions_.says(i, "extern"))
        return;
      is_static |= functions_.says(i, "static");
      is_const |= tokens_.is_any(i, "const", "constexpr");
      if (tokens_.is(i, "__managed__") ||
          (word == end && (functions_.says(i, "__device__") || tokens_.is(i, "__constant__"))))
        word = i;
    }
    // A section has either constants or variables; a const __constant__ variable has its own.
    const bool has_section = is_variable && (!is_const || tokens_.is(word, "__constant__"));
    if (word == end || (is_static && !has_section))
      return;
    if (!tokens_.is_any(word, "__device__", "__constant__", "__managed__")) { // a macro
      if (!is_variable)
        edits_.insert(tokens_[word].begin, "__device_s ");
      return;
    }
    std::string text(tokens_[word].text);
    text.back() = !has_section ? 's' : is_const ? (is_static ? 'x' : 'y') : is_static ? 'w' : 'v';
    edits_.replace(tokens_[word].begin, tokens_[word].end(), text);
  }

  // True if it may declare an array of a size that is not constant, T name[n].
  bool may_be_variable_array(std::size_t i) const {
    if (!tokens_.is_name(i) || !tokens_.is_name(i - 1) || !tokens_.is(i + 1, "["))
      return false;
    for (; tokens_.is(i + 1, "["); i = tokens_.after_group(i + 1) - 1)
      for (std::size_t k = i + 2; k < tokens_.size() && !tokens_.is(k, "]"); ++k)
        if (tokens_.is_name(k) && !Functions::is_upper(tokens_[k].text))
          return true;
    return false;
  }
};

} // namespace

void own_device_code(const Pass &pass) { DeviceCode(pass).own_all(); }
void mark_host_operators(const Pass &pass) { DeviceCode(pass).mark_host_operators(); }
void refuse_variable_arrays(const Pass &pass) { DeviceCode(pass).refuse_variable_arrays(); }

} // namespace course_cpu::translator
