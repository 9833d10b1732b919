#include "hints.hpp"

#include "words.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace course_cpu::nvcc {
namespace {

// A word that a program uses and nobody has declared, as it goes on from there.
struct Undeclared {
  const char *code;
  const char *hint;
};

const Undeclared undeclared[] = {
    {"cuda.gridsize", "Numba's cuda.gridsize(1) is gridDim.x * blockDim.x"},
    {"cuda.grid", "Numba's cuda.grid(1) is blockIdx.x * blockDim.x + threadIdx.x"},
    {"cuda.syncthreads", "Numba's cuda.syncthreads() is __syncthreads()"},
    {"cuda.syncwarp", "Numba's cuda.syncwarp() is __syncwarp()"},
    {"cuda.synchronize", "Numba's cuda.synchronize() is cudaDeviceSynchronize()"},
    {"cuda.atomic.", "Numba's cuda.atomic.add(x, i, value) is atomicAdd(&x[i], value)"},
    {"cuda.shared.", "Numba's cuda.shared.array(256, float32) is __shared__ float name[256];"},
    {"cuda.local.", "Numba's cuda.local.array(8, float32) is float name[8];"},
    {"cuda.to_device", "Numba's cuda.to_device is cudaMalloc, then cudaMemcpy to the device"},
    {"cuda.device_array", "Numba's cuda.device_array is cudaMalloc(&pointer, bytes)"},
    {"cuda.threadIdx", "it is threadIdx.x, without cuda."},
    {"cuda.blockIdx", "it is blockIdx.x, without cuda."},
    {"cuda.blockDim", "it is blockDim.x, without cuda."},
    {"cuda.gridDim", "it is gridDim.x, without cuda."},
    {"math.", "mathematical functions have no prefix: sqrt(x), sin(x); host code includes <cmath>"},
    {"np.", "C++ has no NumPy: memory is allocated (std::vector, cudaMalloc) and filled in a loop"},
    {"cp.", "C++ has no CuPy: device memory comes from cudaMalloc, and kernels work on it"},
    {"range(", "a loop over i from 0 to n - 1 is for (int i = 0; i < n; ++i)"},
    {"len(", "a std::vector x has x.size(); a pointer does not know how many values it points to"},
    {"print(", "printf(\"%d\\n\", i) prints, after #include <cstdio>"},
    {"elif", "elif is else if (condition)"},
    {"None", "Python's None is nullptr, for pointers"},
    {"True", "true is written in lower case"},
    {"False", "false is written in lower case"},
};

bool holds(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

// Whether the code begins with a name and a single `=`.
bool assigns(std::string_view code) {
  std::size_t end = 0;
  while (end < code.size() &&
         (std::isalnum(static_cast<unsigned char>(code[end])) || code[end] == '_'))
    ++end;
  end = code.find_first_not_of(' ', end);
  return end != code.npos && code[end] == '=' && code.substr(end, 2) != "==";
}

} // namespace

std::string hint(const Diagnostic &error) {
  const std::string line = source_line(error);
  const std::size_t column = error.column > 0 ? error.column - 1 : 0;
  const std::string_view code = std::string_view(line).substr(std::min(column, line.size()));
  const std::string_view text = error.text;
  const std::string_view start =
      std::string_view(line).substr(std::min(line.find_first_not_of(" \t"), line.size()));

  if (holds(text, "was not declared") || holds(text, "does not name a type")) {
    for (const Undeclared &word : undeclared)
      if (starts_with(code, word.code))
        return word.hint;
    if (starts_with(code, "def "))
      return "a function is written TYPE name(TYPE parameter) { ... }, a kernel "
             "__global__ void name(float *x, int n) { ... }";
    if (starts_with(code, "import ") || starts_with(code, "from "))
      return "a header is included: #include <cmath>";
    if (holds(text, "was not declared in this scope") && !holds(text, "did you mean") &&
        assigns(code))
      return "a variable is declared with its type: int i = 0, or auto i = 0";
  }
  if ((holds(text, "invalid type argument of unary '*'") && column > 0 &&
       line.compare(column - 1, 2, "**") == 0) ||
      (holds(text, "invalid operands of types") && holds(text, "'operator^'")))
    return "C++ has no operator for powers: x * x, or pow(x, n)";
  if (starts_with(text, "expected '(' before")) {
    if (starts_with(start, "for "))
      return "a loop over i from 0 to n - 1 is for (int i = 0; i < n; ++i) { ... }";
    if (starts_with(start, "if ") || starts_with(start, "while "))
      return "a condition is written in parentheses, its body in braces: if (i < n) { ... }";
  }
  if (holds(text, "for array subscript") && holds(text, "void("))
    return "a launch is written kernel<<<grid, block>>>(arguments)";
  if (holds(text, "for array subscript") && column > 0 && line.compare(column - 1, 2, "][") == 0)
    return "a pointer to numbers takes one index: x[row * columns + column]";
  if (starts_with(text, "expected declaration before '}'"))
    return "up to here there are more } than {: a function has ended too early";
  if (holds(text, "invalid preprocessing directive"))
    return "a comment begins with //";
  if (starts_with(text, "request for member '") &&
      (holds(text, "'shape'") || holds(text, "'size'")) && holds(text, "*'"))
    return "a pointer does not know how many values it points to: pass the number as an argument";
  if (starts_with(text, "stray '@'"))
    return "a kernel is declared __global__ void; C++ has no decorators";
  if (starts_with(text, "stray '\\") || starts_with(text, "extended character "))
    return "a quote, dash or space that only looks like the right one, often copied from a page: "
           "type it again";
  return "";
}

} // namespace course_cpu::nvcc
