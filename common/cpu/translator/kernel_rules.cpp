// Refuses what tokens alone show to be wrong: kernels that return values, kernels that are called.
#include "passes.hpp"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace course_cpu::translator {
namespace {

class KernelRules : Pass {
public:
  explicit KernelRules(const Pass &pass) : Pass(pass) {}

  void run() {
    for (const Function &f : functions_.all())
      if (f.is_kernel)
        check_kernel(f);
    find_variables();
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      check_memory(i);
      check_captures(i);
      check_symbol(i);
    }
    for (std::size_t i = 0; i < tokens_.size(); ++i)
      if (functions_.side(i) != Side::none && !tokens_.is_any(i - 1, ".", "->", "::"))
        check_use(i);
  }

private:
  // Only the compiler knows if the lines between an #if and its #endif are compiled.
  void error(std::size_t token, std::string message) {
    if (!is_conditional(token))
      return errors_.push_back({tokens_[token].line, std::move(message)});
    std::size_t at = token;
    while (at > 0 && functions_.in_brackets(at))
      --at;
    const std::size_t begin = tokens_[at].begin;
    edits_.replace_lines(begin, begin, edits_.place(tokens_[token].begin) + "#error " + message);
  }

  bool is_conditional(std::size_t token) const {
    int depth = 0;
    for (const Tokens &directive : lexed_.directives) {
      if (directive.front().begin > tokens_[token].begin)
        break;
      depth += directive.front().text.substr(0, 2) == "if";
      depth -= directive.front().text == "endif";
    }
    return depth > 0;
  }

  void check_kernel(const Function &kernel) {
    const std::string name(tokens_[kernel.name].text);
    bool returns_void = false, returns_value = false;
    if (kernel.is_member && !tokens_.holds(kernel.begin, kernel.name, "friend"))
      error(kernel.name, "the kernel " + name +
                             " is a member of a class, which CUDA does not allow: " +
                             "declare it outside, and pass it what it needs");
    const std::size_t type = tokens_.is(kernel.begin + 1, "<") // template <...>
                                 ? tokens_.after_template_arguments(kernel.begin + 1)
                                 : kernel.begin;
    for (std::size_t i = type; i < kernel.name; ++i) {
      returns_void |= tokens_.is_any(i, "void", "auto");
      if (tokens_.is(i, "auto") && !tokens_.is(tokens_.after_group(kernel.parameters), "->"))
        error(i, "the kernel " + name + " has the type auto: a kernel returns void");
    }
    const std::size_t last = kernel.name - 1; // of the type; it may be a macro, or a template's
    returns_value = tokens_.is_any(last, "*", "&") ||
                    (!returns_void && is_type(last) && !tokens_.is(last - 1, "::"));
    for (std::size_t i = kernel.begin; i < kernel.name; ++i)
      if (tokens_.is_any(i, "__device__", "__host__"))
        error(i, "the kernel " + name + " is " + std::string(tokens_[i].text) +
                     " as well: a __global__ function cannot also be __device__ or __host__. Move "
                     "shared code into a function that the kernel calls");
    if (returns_value)
      error(kernel.name, "the kernel " + name + " returns a value: a kernel returns void, and " +
                             "writes its results through a pointer");
    const std::size_t end = tokens_.after_group(kernel.parameters);
    for (std::size_t i = kernel.parameters; i < end; ++i)
      if (tokens_.is(i, ".") && tokens_.is(i + 1, ".") && tokens_.is(i + 2, ".") &&
          tokens_.is(i + 3, ")") && !tokens_.is_name(i - 1))
        return error(i, "the kernel " + name +
                            " has a variable number of arguments (...), which "
                            "CUDA does not allow");
    for (std::size_t i = kernel.parameters + 1; i < end;) {
      if (tokens_.is(i, "&"))
        return error(i, "the kernel " + name + " has a reference parameter, which refers to " +
                            "host memory: pass a value, or a pointer to device memory");
      if (names_container(i))
        return error(i, "the kernel " + name +
                            " has a parameter of type std::" + std::string(tokens_[i + 2].text) +
                            ", whose functions are host code: pass a pointer to device memory, and "
                            "the number of elements");
      i = tokens_.is(i, "=") ? end : tokens_.after(i);
    }
  }

  // True if a word is certain to be a type.
  bool is_type(std::size_t i) const {
    return tokens_.is_name(i) && !Functions::is_upper(tokens_[i].text) &&
           tokens_[i].text.substr(0, 2) != "__" && !declared_.macros.count(tokens_[i].text) &&
           !tokens_.is_any(i, "static", "inline", "extern", "auto");
  }

  // True if a variable's type begins there that is one of the C++ library with memory of its own.
  bool names_container(std::size_t i) const {
    if (!tokens_.is(i, "std") || !tokens_.is(i + 1, "::") ||
        !tokens_.is_any(i + 2, "vector", "string", "map", "set", "list", "deque", "unordered_map"))
      return false;
    return tokens_.is_name(tokens_.is(i + 3, "<") ? tokens_.after_template_arguments(i + 3)
                                                  : i + 3);
  }

  void check_library(std::size_t i) {
    if (tokens_.is_any(i, "throw", "try"))
      error(i, "device code has no exceptions: store an error code in memory, or end the kernel "
               "with __trap()");
    const bool is_std = tokens_.is(i, "std") && tokens_.is(i + 1, "::");
    const std::size_t stream = is_std ? i + 2 : i;
    if (tokens_.is_any(stream, "cout", "cerr") && tokens_.is(stream + 1, "<<") &&
        (is_std || (declared_.imports_names && !variables_.count(tokens_[i].text))))
      error(i, std::string(tokens_[stream].text) + " is host code: device code has printf");
    if (names_container(i))
      error(i, "std::" + std::string(tokens_[i + 2].text) +
                   " is host code: device code has arrays, and pointers to device memory");
  }

  void check_memory(std::size_t i) {
    const Side side = functions_.side(i);
    if (side == Side::none || side == Side::unknown || tokens_.is(i - 1, "static"))
      return;
    if (side == Side::device && tokens_.is_any(i, "dynamic_cast", "typeid", "thread_local"))
      error(i, "device code has no " + std::string(tokens_[i].text));
    if (tokens_.is(i, "__device__") && tokens_.is_any(i - 1, ";", "{", "}") && is_variable(i))
      error(i, "a __device__ variable must be declared outside all functions");
    if (tokens_.is(i, "__constant__"))
      error(i, "a __constant__ variable must be declared outside all functions");
    if (tokens_.is(i, "__shared__") &&
        (side == Side::host || (side == Side::both && !is_conditional(i))))
      error(i, "__shared__ is used in host code: shared memory belongs to a block, so only kernels "
               "and __device__ functions have it");
  }

  // [&] __device__ (...) in host code, [=, &x] __host__ __device__ (...).
  void check_captures(std::size_t i) {
    if (!tokens_.is(i, "[") || functions_.side(i) != Side::host)
      return;
    const std::size_t end = tokens_.after_group(i);
    if (functions_.says(end, "__device__") ||
        (functions_.says(end, "__host__") && functions_.says(end + 1, "__device__")))
      for (std::size_t k = i + 1; k < end; k = tokens_.next(k))
        if (tokens_.is(k, "&") && tokens_.is_any(k - 1, "[", ","))
          error(k, "an extended __device__ lambda cannot capture variables by reference, which "
                   "refers to host memory: capture values, [=]");
  }

  // A host variable for which a function wants a symbol becomes an address, which is none: the
  // function returns cudaErrorInvalidSymbol, as on a GPU.
  void check_symbol(std::size_t i) {
    const bool is_second = tokens_.is_any(i, "cudaMemcpyFromSymbol", "cudaMemcpyFromSymbolAsync",
                                          "cudaGetSymbolAddress", "cudaGetSymbolSize");
    if ((!is_second && !tokens_.is_any(i, "cudaMemcpyToSymbol", "cudaMemcpyToSymbolAsync")) ||
        !tokens_.is(i + 1, "("))
      return;
    std::size_t symbol = i + 2;
    if (is_second)
      while (symbol < tokens_.size() && !tokens_.is(symbol - 1, ","))
        symbol = tokens_.next(symbol);
    if (tokens_.is_any(symbol + 1, ",", ")") && is_host_variable(tokens_[symbol].text)) {
      edits_.insert(tokens_[symbol].begin, "static_cast<const void *>(&");
      edits_.insert(tokens_[symbol].end(), ")");
    }
  }

  // True if the file declares the name once, outside of functions, and no word there may be a
  // macro.
  bool is_host_variable(std::string_view name) const {
    std::size_t declarations = 0, last = 0;
    for (std::size_t i = 1; i < tokens_.size(); ++i)
      if (tokens_.is(i, name) && is_declared(i)) {
        ++declarations;
        last = i;
      }
    if (declarations != 1 || functions_.side(last) != Side::none || functions_.in_brackets(last) ||
        !tokens_.is_any(last + 1, ";", "=", "[", ",", "{"))
      return false;
    for (; last > 0 && !tokens_.is_any(last - 1, ";", "{", "}"); --last)
      if (!tokens_.is_any(last - 1, "static", "extern", "inline") && tokens_.is_name(last - 1) &&
          !is_type(last - 1))
        return false;
    return true;
  }

  // True if it begins a variable's declaration, and not one of a method of a local class.
  bool is_variable(std::size_t i) const {
    while (i < tokens_.size() && !tokens_.is_any(i, ";", "=", "[", "(", "{", "operator"))
      ++i;
    return tokens_.is_any(i, ";", "=", "[");
  }

  // A name after a type or before `=` is a variable, or a function.
  void find_variables() {
    for (std::size_t i = 1; i < tokens_.size(); ++i)
      if (tokens_.is_name(i) && !tokens_.is(i + 1, ".") && // blockIdx.x * blockDim.x
          (tokens_.is(i + 1, "=") || (!tokens_.is(i + 1, "(") && is_declared(i)) ||
           (tokens_.is(i - 1, ",") && tokens_.is(i + 1, ";")) || // dim3 grid, block;
           // dim3 grid(1), blockDim(2);
           (tokens_.is_any(i, "blockDim", "gridDim") && tokens_.is_any(i + 1, "(", "{")) ||
           (functions_.side(i) != Side::none && tokens_.is_name(i - 1))))
        variables_.insert(tokens_[i].text);
  }

  bool is_declared(std::size_t i) const {
    return tokens_.is_name(i - 1) || tokens_.is_any(i - 1, ">", "&", "*", "&&", "...");
  }

  bool is_kernel(std::string_view name) const {
    return declared_.kernels.count(name) && !declared_.has(name) && !variables_.count(name);
  }

  bool is_function(std::string_view name) const {
    return !declared_.kernels.count(name) && !declared_.macros.count(name) &&
           !variables_.count(name) &&
           std::any_of(functions_.all().begin(), functions_.all().end(), [&](const Function &f) {
             return tokens_.is(f.name, name) && f.side != Side::unknown;
           });
  }

  void check_use(std::size_t i) {
    const std::string name(tokens_[i].text);
    const bool is_other = declared_.has(name) || variables_.count(tokens_[i].text);
    if (is_kernel(name) && tokens_.is(i + 1, "<<"))
      return error(i, "the launch of " + name + " has too few <: write " + name +
                          "<<<grid, block>>>(arguments)");
    if (is_kernel(name) && tokens_.is(i + 1, "["))
      return error(i, "a launch is written " + name + "<<<grid, block>>>(arguments), not " + name +
                          "[grid, block](arguments)");
    if (functions_.side(i) == Side::device)
      check_library(i);
    if (tokens_.is_any(i, "__syncthreads", "__syncwarp") && functions_.side(i) == Side::host &&
        !is_other)
      return error(i, name + "() is used in host code: threads of a block wait for each other in "
                             "kernels and __device__ functions; the host waits for the device "
                             "with cudaDeviceSynchronize()");
    if (is_built_in(i) && !is_other && functions_.side(i) == Side::host)
      return error(i, name + " is used in host code: only kernels and __device__ functions have " +
                          "it");
    if (is_built_in(i) && !is_other && functions_.side(i) == Side::device && is_assigned(i + 3))
      return error(i, name + " cannot be assigned to: CUDA sets it for each thread");
    if (is_function(name) && tokens_.opens_launch(i + 1))
      return error(
          i, name + " is not a kernel, and only kernels can be launched: declare it __global__");
    if (is_kernel(name) && !declared_.imports_names && is_call(i) && !tokens_.is_unevaluated(i))
      error(i, name + " is a kernel, and a kernel must be launched: write " + name +
                   "<<<grid, block>>>(arguments)");
  }

  // ++threadIdx.x is as rare as threadIdx.x += 1.
  bool is_assigned(std::size_t i) const {
    return (tokens_.is(i, "=") && !tokens_.is(i + 1, "=")) ||
           (tokens_.is_any(i, "+", "-", "*", "/") && tokens_.is(i + 1, "=")) ||
           (tokens_.is_any(i, "+", "-") && tokens_.is(i + 1, tokens_[i].text) &&
            tokens_.is_any(i + 2, ";", ")", "]"));
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

  std::set<std::string_view> variables_;
};

} // namespace

void check_kernel_rules(const Pass &pass) { KernelRules(pass).run(); }

} // namespace course_cpu::translator
