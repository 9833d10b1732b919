// Calls that cross between host and device without a launch: C++ sees nothing wrong in them, so the
// translator reports them. It knows functions by name: where a name is declared on both sides, also
// in a header, or is that of a macro or a variable, or a `using namespace` brings in names that
// nobody sees here, it says nothing.
#pragma once

#include "edits.hpp"
#include "functions.hpp"
#include "kernels.hpp"
#include "lexer.hpp"
#include "report.hpp"
#include "token_range.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace course_cpu::translator {

// The sides on which a name is declared; other: also as something else, or on a side that is
// unknown.
struct Sides {
  bool kernel = false, device = false, host = false, other = false;
};

// What the headers declare that were translated before a file.
struct Declared {
  std::map<std::string, Sides, std::less<>> names;
  std::map<std::string, std::map<std::string, Sides>, std::less<>> members; // of each class
  std::map<std::string, int, std::less<>> classes; // how many have that name
  Kernels kernels;
  Specifiers specifiers;
  std::set<std::string, std::less<>> architecture_macros; // those that name __CUDA_ARCH__
  std::set<std::string, std::less<>> namespaces;
  // Outside of functions: variables, of them the constant arrays, and what else has a name.
  std::set<std::string, std::less<>> host_variables, host_tables, other_names;
  bool imports_std = false, imports_names = false; // by `using namespace`; others than those of std
};

class SideChecker {
public:
  SideChecker(const Lexed &lexed, const Functions &functions, Declared &declared, Edits &edits,
              std::vector<Error> &errors)
      : lexed_(lexed), tokens_(lexed.code), functions_(functions), declared_(declared),
        report_(lexed, functions, edits, errors) {}

  void run() {
    for (const Function &f : functions_.all())
      if (f.is_kernel)
        check_kernel(f);
    find_functions();
    share_names();
    find_variables();
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      check_spelling(i);
      check_memory(i);
    }
    for (std::size_t i = 0; i < tokens_.size(); ++i)
      if (functions_.side(i) != Side::none && !tokens_.is_any(i - 1, ".", "->") &&
          (!tokens_.is(i - 1, "::") || is_in_own_namespace(i)))
        check_use(i);
  }

private:
  void error(std::size_t token, std::string message) { report_.error(token, std::move(message)); }

  void check_kernel(const Function &kernel) {
    const std::string name(tokens_[kernel.name].text);
    bool returns_void = false, returns_value = false;
    if (kernel.is_member && !has_word(kernel, "friend"))
      error(kernel.name, "the kernel " + name +
                             " is a member of a class, which CUDA does not allow: " +
                             "declare it outside, and pass it what it needs");
    for (std::size_t i = kernel.begin; i < kernel.name; ++i) {
      returns_void |= tokens_.is_any(i, "void", "auto");
      if (tokens_.is(i, "auto") && !tokens_.is(tokens_.after_group(kernel.parameters), "->"))
        error(i, "the kernel " + name + " has the type auto: a kernel returns void");
      returns_value |= tokens_.is_any(i, "bool", "char", "short", "int", "long", "float", "double",
                                      "unsigned", "size_t");
    }
    for (std::size_t i = kernel.begin; i < kernel.name; ++i)
      if (tokens_.is_any(i, "__device__", "__host__"))
        error(i, "the kernel " + name + " is " + std::string(tokens_[i].text) +
                     " as well: a __global__ function cannot also be __device__ or __host__. Move "
                     "shared code into a function that the kernel calls");
    if (returns_value && !returns_void)
      error(kernel.name, "the kernel " + name + " returns a value: a kernel returns void, and " +
                             "writes its results through a pointer");
    const std::size_t end = tokens_.after_group(kernel.parameters);
    for (std::size_t i = kernel.parameters; i < end; ++i)
      if (tokens_.is(i, ".") && tokens_.is(i + 1, ".") && tokens_.is(i + 2, ".") &&
          tokens_.is(i + 3, ")") && !tokens_.is_name(i - 1))
        return error(i, "the kernel " + name +
                            " has a variable number of arguments (...), which "
                            "CUDA does not allow");
    for (std::size_t i = kernel.parameters; i < end; ++i)
      if (is_of_host(i))
        return error(i, "the kernel " + name + " has a parameter of host code, std::" +
                            std::string(tokens_[i + 2].text) +
                            ": pass a pointer to device memory, and the number of values");
    for (std::size_t i = kernel.parameters + 1; i < end;) {
      if (tokens_.is(i, "&"))
        return error(i, "the kernel " + name + " has a reference parameter, which refers to " +
                            "host memory: pass a value, or a pointer to device memory");
      i = tokens_.opens(i)                               ? tokens_.after_group(i)
          : tokens_.is(i, "<") && tokens_.is_name(i - 1) ? tokens_.after_template_arguments(i)
          : tokens_.is(i, "=")                           ? end
                                                         : i + 1;
    }
  }

  // A word such as __gloabl__: what the compiler makes of it hides the mistake.
  void check_spelling(std::size_t i) {
    const std::string_view word = tokens_[i].text;
    if (word.size() < 6 || word.substr(0, 2) != "__" || word.substr(word.size() - 2) != "__")
      return;
    for (const std::string_view right :
         {"__global__", "__device__", "__host__", "__shared__", "__constant__", "__managed__"})
      if (word != right && is_misspelt(word, right))
        return error(i, std::string(word) + " is not a keyword of CUDA C++; did you mean " +
                            std::string(right) + "?");
  }

  void check_memory(std::size_t i) {
    const Side side = functions_.side(i);
    if (side == Side::none || side == Side::unknown || tokens_.is(i - 1, "static"))
      return;
    if (tokens_.is(i, "__constant__"))
      error(i, "a __constant__ variable must be declared outside all functions");
    if (tokens_.is(i, "__shared__") &&
        (side == Side::host || (side == Side::both && !report_.is_conditional(i))))
      error(i, "__shared__ is used in host code: shared memory belongs to a block, so only kernels "
               "and __device__ functions have it");
  }

  // Whether the words differ by one letter too much, too few or wrong, or by two in wrong order.
  static bool is_misspelt(std::string_view word, std::string_view right) {
    const auto [a, b] = std::mismatch(word.begin(), word.end(), right.begin(), right.end());
    const std::string_view x = word.substr(a - word.begin()), y = right.substr(b - right.begin());
    if (x.empty() || y.empty())
      return x.size() + y.size() == 1;
    return x.substr(1) == y || x == y.substr(1) || x.substr(1) == y.substr(1) ||
           (x.size() > 1 && y.size() > 1 && x[0] == y[1] && x[1] == y[0] &&
            x.substr(2) == y.substr(2));
  }

  void find_functions() {
    for (std::size_t i = 1; i + 2 < tokens_.size(); ++i) {
      if (tokens_.is(i - 1, "using") && tokens_.is(i, "namespace"))
        (tokens_.is(i + 1, "std") && tokens_.is(i + 2, ";") ? declared_.imports_std
                                                            : declared_.imports_names) = true;
      if (tokens_.is(i - 1, "namespace") && tokens_.is(i + 1, "{"))
        declared_.namespaces.emplace(tokens_[i].text);
    }
    for (const Tokens &directive : lexed_.directives)
      if (directive.size() > 1 && directive[0].text == "define")
        names_[directive[1].text].other = true;
    for (const Function &f : functions_.all()) {
      Sides &sides = names_[tokens_[f.name].text];
      const bool is_constant = has_word(f, "constexpr"); // nvcc --expt-relaxed-constexpr
      sides.kernel |= f.is_kernel;
      if (f.is_member || is_constant || tokens_.is(f.name - 1, "::") || is_of_cuda(f.name))
        sides.other = true;
      else if (!f.is_kernel)
        (f.side == Side::device ? sides.device
         : f.side == Side::host ? sides.host
                                : sides.other) = true;
    }
  }

  // A function of CUDA with which a host function of the file may be overloaded.
  bool is_of_cuda(std::size_t i) const {
    return tokens_.is_any(i, "min", "max", "abs", "fabs", "fma", "pow", "sqrt", "rsqrt", "cbrt",
                          "hypot", "norm", "exp", "exp2", "log", "log2", "log10", "sin", "cos") ||
           tokens_.is_any(i, "tan", "sinh", "cosh", "tanh", "asin", "acos", "atan", "atan2",
                          "floor", "ceil", "round", "trunc", "fmod", "fmin", "fmax", "clock",
                          "printf") ||
           tokens_.is_any(i, "malloc", "free", "memcpy", "memset", "isnan", "isinf", "sync",
                          "reduce", "all", "any", "erf", "saturate", "signbit", "isfinite");
  }

  // What `using namespace std` may bring in, too.
  bool is_of_std(std::size_t i) const {
    return tokens_.is_any(i, "distance", "swap", "count", "fill", "copy", "find", "sort", "merge",
                          "transform", "accumulate", "begin", "end", "size", "data", "get",
                          "advance", "next") ||
           tokens_.is_any(i, "prev", "equal", "search", "rotate", "reverse", "unique", "partition",
                          "generate", "iota", "function", "hash", "plus", "minus", "multiplies",
                          "gcd", "lcm") ||
           tokens_.is_any(i, "clamp", "exchange", "move", "forward", "real", "imag", "conj", "arg",
                          "polar", "div", "time", "rand", "ref", "bind", "replace", "remove");
  }

  void share_names() {
    for (auto &[name, sides] : names_) {
      Sides &known = declared_.names[std::string(name)];
      known.kernel |= sides.kernel;
      known.device |= sides.device;
      known.host |= sides.host;
      known.other |= sides.other;
      sides = known;
    }
  }

  void find_variables() {
    for (std::size_t i = 1; i < tokens_.size(); ++i) {
      if (!tokens_.is_name(i))
        continue;
      const bool follows_type =
          tokens_.is_name(i - 1) || tokens_.is_any(i - 1, ">", "&", "*", "&&", "...") ||
          (tokens_.is(i - 1, ".") && tokens_.is(i - 2, ".")); // a parameter pack
      const bool has_value = tokens_.is(i + 1, "(");
      const bool in_body = functions_.side(i) != Side::none;
      const bool ends_declarator = has_value || tokens_.is_any(i + 1, ",", ";", "[");
      if ((follows_type && !has_value) || tokens_.is(i + 1, "=") ||
          (in_body &&
           ((has_value && is_declared_with_value(i)) || (ends_declarator && is_next_variable(i)))))
        names_[tokens_[i].text].other = true;
    }
  }

  // As in `Type name(1)`, `Type<int> name(1)`.
  bool is_declared_with_value(std::size_t i) const {
    if (tokens_.is(i - 1, ">"))
      return tokens_.template_begin(i - 1) != i - 1;
    return tokens_.is_name(i - 1) && !tokens_.is_any(i - 1, "new", "delete", "throw");
  }

  // As in `Type a(1), name(2), other`: after a comma that stands in no brackets but those of `for`.
  bool is_next_variable(std::size_t i) const {
    if (!tokens_.is(i - 1, ","))
      return false;
    for (std::size_t k = i - 1; k > 0; --k) {
      if (tokens_.is_any(k, "}", ";", "{"))
        return true;
      if (tokens_.closes(k))
        k = tokens_.group_begin(k);
      else if (tokens_.opens(k))
        return tokens_.is(k - 1, "for");
    }
    return true;
  }

  // As in ns::name, where the file, or a header that it includes, has a namespace ns.
  bool is_in_own_namespace(std::size_t i) const {
    return i > 1 && tokens_.is_name(i - 2) && !tokens_.is_any(i - 3, "::", ".", "->") &&
           declared_.namespaces.count(tokens_[i - 2].text) > 0;
  }

  bool has_word(const Function &f, std::string_view word) const {
    for (std::size_t i = f.begin; i < f.name; ++i)
      if (tokens_.is(i, word))
        return true;
    return false;
  }

  void check_use(std::size_t i) {
    const bool on_host = functions_.side(i) == Side::host;
    const bool on_device = functions_.side(i) == Side::device;
    const std::string name(tokens_[i].text);
    if (on_device && is_of_host(i))
      return error(i, "std::" + std::string(tokens_[i + 2].text) +
                          " is host code: device code has arrays behind pointers, and printf");
    if (on_device && declared_.imports_std && is_of_host_by_using(i))
      return error(i, name + " is host code: device code has arrays behind pointers, and printf");
    const auto found = names_.find(tokens_[i].text);
    if (found != names_.end() && is_kernel_only(found->second) && tokens_.is(i + 1, "<<"))
      return error(i, "the launch of " + name + " has too few <: write " + name +
                          "<<<grid, block>>>(arguments)");
    if (found != names_.end() && is_kernel_only(found->second) && tokens_.is(i + 1, "["))
      return error(i, "a launch is written " + name + "<<<grid, block>>>(arguments), not " + name +
                          "[grid, block](arguments)");
    if (on_host && is_built_in(i) && (found == names_.end() || !found->second.other))
      return error(i, name + " is used in host code: only kernels and __device__ functions have " +
                          "it");
    if (on_device && is_built_in(i) && is_assigned(i + 3) &&
        (found == names_.end() || !found->second.other))
      return error(i, name + " cannot be assigned to: CUDA sets it for each thread");
    if (found != names_.end() && tokens_.opens_launch(i + 1) && is_function_only(found->second))
      return error(
          i, name + " is not a kernel, and only kernels can be launched: declare it __global__");
    if (on_device && tokens_.is_any(i, "throw", "try"))
      return error(i, "device code has no exceptions: store an error code in memory, or end "
                      "the kernel with __trap()");
    if (!is_call(i) || tokens_.is_unevaluated(i))
      return;
    if (on_device && found == names_.end() && is_host_library(i))
      return error(i, name +
                          " is a host function, and device code cannot call it: of the C library, "
                          "device code has printf, memcpy, memset and mathematical functions");
    if (on_host && found == names_.end() && is_device_library(i))
      return error(i, name + " is a device function, and host code cannot call it");
    if (on_host && tokens_.is_any(i, "__syncthreads", "__syncwarp"))
      return error(i, name + "() is used in host code: threads of a block wait for each other in " +
                          "kernels and __device__ functions; the host waits for the device with " +
                          "cudaDeviceSynchronize()");
    if (found == names_.end() || declared_.imports_names || (declared_.imports_std && is_of_std(i)))
      return;
    const auto &[kernel, device, host, other] = found->second;
    if (other)
      return;
    if (is_kernel_only(found->second))
      error(i, name + " is a kernel, and a kernel must be launched: write " + name +
                   "<<<grid, block>>>(arguments)");
    else if (on_device && host && !device && !kernel)
      error(i, name + " is a host function, and device code cannot call it: declare it " +
                   "__device__, or __host__ __device__ to use it in both");
    else if (on_host && device && !host && !kernel)
      error(i, name + " is a __device__ function, and host code cannot call it: declare it " +
                   "__host__ __device__ to use it in both");
  }

  static bool is_kernel_only(const Sides &sides) {
    return sides.kernel && !sides.device && !sides.host && !sides.other;
  }

  static bool is_function_only(const Sides &sides) {
    return !sides.kernel && (sides.device || sides.host) && !sides.other;
  }

  // ++threadIdx.x is as rare as threadIdx.x += 1.
  bool is_assigned(std::size_t i) const {
    return (tokens_.is(i, "=") && !tokens_.is(i + 1, "=")) ||
           (tokens_.is_any(i, "+", "-", "*", "/") && tokens_.is(i + 1, "=")) ||
           (tokens_.is_any(i, "+", "-") && tokens_.is(i + 1, tokens_[i].text) &&
            tokens_.is_any(i + 2, ";", ")", "]"));
  }

  // Where a file is `using namespace std`.
  bool is_of_host_by_using(std::size_t i) const {
    return !tokens_.is(i - 1, "::") && declared_.names.count(tokens_[i].text) == 0 &&
           ((tokens_.is_any(i, "cout", "cerr") && tokens_.is(i + 1, "<<")) ||
            (tokens_.is(i, "vector") && tokens_.is(i + 1, "<")) ||
            (tokens_.is(i, "string") && tokens_.is_name(i + 1))) &&
           !has_other_meaning(tokens_[i].text);
  }

  // Whether the file has a variable or a class of that name, as in `int vector;`.
  bool has_other_meaning(std::string_view name) const {
    for (std::size_t i = 1; i < tokens_.size(); ++i)
      if (tokens_.is(i, name) && (tokens_.is_any(i + 1, ",", ";", "=", ")", "[") ||
                                  tokens_.is_any(i - 1, "struct", "class")))
        return true;
    return false;
  }

  bool is_of_host(std::size_t i) const {
    return tokens_.is(i, "std") && tokens_.is(i + 1, "::") &&
           (tokens_.is_any(i + 2, "cout", "cerr", "endl", "string", "vector", "map", "set", "list",
                           "unordered_map", "function", "unique_ptr", "shared_ptr", "thread") ||
            tokens_.is_any(i + 2, "sort", "accumulate", "copy", "fill", "find", "rand", "to_string",
                           "stringstream", "mutex", "random_device", "mt19937"));
  }

  bool is_host_library(std::size_t i) const {
    return tokens_.is_any(i, "fprintf", "fopen", "fclose", "puts", "scanf", "sprintf", "snprintf",
                          "exit", "rand", "srand", "getenv", "system", "strlen", "strcmp", "strcpy",
                          "qsort", "usleep") ||
           tokens_.is_any(i, "cudaMemcpy", "cudaMemset", "cudaSetDevice", "cudaStreamCreate",
                          "cudaStreamSynchronize", "cudaEventCreate", "cudaEventSynchronize",
                          "cudaEventElapsedTime", "gettimeofday");
  }

  bool is_device_library(std::size_t i) const {
    return tokens_.is_any(i, "atomicAdd", "atomicSub", "atomicExch", "atomicMin", "atomicMax",
                          "atomicInc", "atomicDec", "atomicCAS", "atomicAnd", "atomicOr",
                          "atomicXor", "__threadfence") ||
           tokens_.is_any(i, "__shfl_sync", "__shfl_up_sync", "__shfl_down_sync", "__shfl_xor_sync",
                          "__ballot_sync", "__any_sync", "__all_sync", "__activemask",
                          "__syncthreads_count", "__syncthreads_and", "__syncthreads_or");
  }

  bool is_built_in(std::size_t i) const {
    return tokens_.is_any(i, "threadIdx", "blockIdx", "blockDim", "gridDim") &&
           tokens_.is(i + 1, ".");
  }

  // name(...) or name<...>(...), and no declaration: no type stands before the name.
  bool is_call(std::size_t i) const {
    if (!tokens_.is_name(i) || tokens_.is_name(i - 1))
      return false;
    if (!tokens_.is(i + 1, "(")) {
      const std::size_t end = tokens_.is(i + 1, "<") ? tokens_.after_template_arguments(i + 1) : 0;
      if (end == 0 || end - i > 16 || !tokens_.is(end, "("))
        return false;
    }
    if (tokens_.is(i - 1, "::")) // a qualified name in a declaration follows its type
      return i < 3 || !(tokens_.is_name(i - 3) || tokens_.is_any(i - 3, ">", "*", "&"));
    if (tokens_.is_any(i - 1, "*", "&")) // a product, or the declaration of a pointer
      return i > 1 && (tokens_.closes(i - 2) || tokens_[i - 2].kind == Kind::number);
    return !tokens_.is_any(i - 1, ">", "~");
  }

  const Lexed &lexed_;
  TokenRange tokens_;
  const Functions &functions_;
  Declared &declared_;
  Report report_;
  std::map<std::string_view, Sides> names_;
};

inline void check_sides(const Lexed &lexed, const Functions &functions, Declared &declared,
                        Edits &edits, std::vector<Error> &errors) {
  SideChecker(lexed, functions, declared, edits, errors).run();
}

} // namespace course_cpu::translator
