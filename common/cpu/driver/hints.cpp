#include "hints.hpp"

#include "features.hpp"
#include "words.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace course_cpu::nvcc {
namespace {

struct Hint {
  const char *found;
  const char *hint;
};

// Identifiers that are not declared, each with the code after it.
const Hint undeclared[] = {
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
    {"MPI.", "mpi4py's MPI.COMM_WORLD.rank is MPI_Comm_rank(MPI_COMM_WORLD, &rank)"},
    {"math.", "mathematical functions have no prefix: sqrt(x), sin(x); host code includes <cmath>"},
    {"np.", "C++ has no NumPy: memory is allocated (std::vector, cudaMalloc) and filled in a loop"},
    {"cp.", "C++ has no CuPy: device memory comes from cudaMalloc, and kernels work on it"},
    {"range(", "a loop over i from 0 to n - 1 is for (int i = 0; i < n; ++i)"},
    {"len(", "a std::vector x has x.size(); a pointer has no size"},
    {"sum(", "a sum is a loop: for (int i = 0; i < n; ++i) sum += x[i];"},
    {"lambda ", "Python's lambda x: x > limit is [limit](float x) { return x > limit; }"},
    {"int64(", "Python's int64(x) is size_t(x), or (long long)x"},
    {"print(", "printf(\"%d\\n\", i) prints, after #include <cstdio>"},
    {"elif", "elif is else if (condition)"},
    {"None", "Python's None is nullptr, for pointers"},
    {"True", "true is written in lower case"},
    {"False", "false is written in lower case"},
};

constexpr char other_place[] =
    "x = value changes where the pointer x points; *x = value writes what it points to";

constexpr char other_character[] =
    "a quote, dash or space that only looks like the right one, often copied from a page: type it "
    "again";
constexpr char cuda_words[] = "the words of CUDA C++ are __global__, __device__, __host__, "
                              "__shared__, __constant__ and __managed__";

// A message of the compiler, and its meaning for a Python programmer.
const Hint meanings[] = {
    {"a function-definition is not allowed here",
     "a } is missing before this line: no function begins inside another function"},
    {"version control conflict marker",
     "keep one of the two versions, and delete the lines that begin with <<<<<<<, ======= and "
     ">>>>>>>"},
    {"__' does not name a type", cuda_words},
    {"__' was not declared", cuda_words},
    {"'begin' was not declared", "a pointer has no size: use for (int i = 0; i < n; ++i)"},
    {"*' in assignment", other_place},
    {"return-statement with a value, in function returning 'void'",
     "a void function returns nothing: its results go where its pointers point"},
    {"reference of type '", "a reference parameter takes a variable: x, without &; or *p, what a "
                            "pointer p points to"},
    {"with no type", "a function begins with the type of what it returns: int f(int n), void g()"},
    {"declared void", "each parameter has its type: (float x, int n)"},
    {"narrowing conversion of",
     "in braces a value that may not fit is converted by name: float(x), int(x)"},
    {"is not captured",
     "a lambda lists in [] what it uses from outside: [limit], or [&] for everything"},
    {"from 'void' to '", "a function or lambda gives back a value only by return"},
    {"expression cannot be used as a function",
     "only a function, or an object with operator(), can be called; this is a value"},
    {"cannot be used as a function",
     "a parameter that takes a function or a lambda has a template's type: "
     "template <class F> int f(F condition)"},
    {"'block' was not declared", "in a kernel, blockDim.x is the number of threads per block; a "
                                 "function cannot use the variables of another function"},
    {"invalid conversion from 'int' to 'int*'",
     "a parameter int *x takes the address of a variable: &x"},
    {"expected declaration before '}'",
     "up to here there are more } than {: a function has ended too early"},
    {"invalid preprocessing directive", "a comment begins with //"},
    {"stray '@'", "a kernel is declared __global__ void; C++ has no decorators"},
    {"stray '\\", other_character},
    {"extended character ", other_character},
    {"no return statement in function", "the function ends without return: its value is undefined"},
};

// True for "Point::Point(double, double)".
bool is_constructor(std::string_view call) {
  const std::string_view name = call.substr(0, call.find(':'));
  return name.size() < call.size() &&
         starts_with(call.substr(name.size()), "::" + std::string(name) + "(");
}

// True if the code begins with a name and a single `=`.
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
  const std::string_view before = std::string_view(line).substr(0, column);
  const std::string_view text = error.text;
  const std::string_view start =
      std::string_view(line).substr(std::min(line.find_first_not_of(" \t"), line.size()));

  if (const std::string missing = missing_feature(error.text); !missing.empty())
    return missing;
  if (holds(text, "declared void")) // for a parameter of an unknown type
    for (const char *type : {"cudaTextureObject_t", "cudaSurfaceObject_t"})
      if (holds(line, type))
        return missing_feature('\'' + std::string(type) + "' was not declared");
  if (holds(text, "was not declared") || holds(text, "does not name a type")) {
    for (const Hint &word : undeclared)
      if (starts_with(code, word.found))
        return word.hint;
    if (starts_with(code, "def "))
      return "a function is written TYPE name(TYPE parameter) { ... }, a kernel "
             "__global__ void name(float *x, int n) { ... }";
    if (starts_with(code, "import ") || starts_with(code, "from "))
      return "a header is included: #include <cmath>";
    if (holds(text, "was not declared in this scope") && assigns(code))
      return "a new variable is declared with its type: int i = 0, or auto i = 0";
    if (starts_with(text, "'i' was") || starts_with(text, "'j' was"))
      return "a variable of a for loop exists only in the body: one statement, or several in "
             "braces { }";
  }
  if ((holds(text, "invalid type argument of unary '*'") && column > 0 &&
       line.compare(column - 1, 2, "**") == 0) ||
      (holds(text, "invalid operands of types") && holds(text, "'operator^'")))
    return "C++ has no operator for powers: x * x, or pow(x, n)";
  if (starts_with(text, "expected ")) {
    const std::size_t comment = line.find("//");
    if (comment != line.npos && line.back() == ';')
      return "// begins a comment; an int divided by an int is an integer division: n / block";
    if (holds(text, "before 'elif'"))
      return "elif is else if (condition)";
    if (holds(text, "before 'if'") && holds(line, " else "))
      return "Python's a if condition else b is condition ? a : b";
    if (holds(text, "';' before") && start.data() == code.data())
      return "the statement before this line does not end with ; (// begins a comment: an integer "
             "division is /)";
    if (starts_with(text, "expected primary-expression before ')'") ||
        starts_with(text, "expected primary-expression before ','"))
      if (const std::size_t last = before.find_last_not_of(' ');
          last != before.npos && (before[last] == '>' || before[last] == '_' ||
                                  std::isalnum(static_cast<unsigned char>(before[last]))))
        return "this is a type, but a value is expected: Type{...} makes an object, and Type{} "
               "makes an object without values";
    if (holds(text, "before ':'") && holds(before, "["))
      return "C++ has no slices: a loop goes from element to element";
    if (holds(text, "before ':'") && (starts_with(start, "if ") || starts_with(start, "while ")))
      return "no colon: the condition is in parentheses, the body in braces { }";
    if (holds(text, "expression before 'long'") || holds(text, "expression before 'unsigned'"))
      return "a cast to a type of two words is written (long long)x";
  }
  if (holds(text, "' has not been declared"))
    return text.size() > 1 && std::isupper(static_cast<unsigned char>(text[1]))
               ? "an unknown type: #include the header of the type, or write template <class T> "
                 "before a function that takes any type"
               : "each parameter has its type: (float x, int n)";
  if (starts_with(text, "could not convert '") && starts_with(start, "return ") &&
      holds(start, ", "))
    return "several values are returned as a struct, in braces: return {x, y};";
  constexpr std::string_view no_match = "no matching function for call to '";
  if (starts_with(text, no_match) && is_constructor(text.substr(no_match.size())))
    return "a struct gets the values of its members in braces: Point{x, y}";
  if (starts_with(text, "invalid conversion from 'const ") && assigns(start))
    return other_place;
  if (starts_with(text, "expected '(' before")) {
    if (starts_with(start, "for "))
      return "a loop over i from 0 to n - 1 is for (int i = 0; i < n; ++i) { ... }";
    if (starts_with(start, "if ") || starts_with(start, "while "))
      return "a condition is written in parentheses, its body in braces: if (i < n) { ... }";
  }
  if (holds(text, "left operand of comma operator") && holds(before, "["))
    return "C++ takes a[i, j] as a[j]: a pointer takes one index, row * columns + column";
  if (holds(text, "for array subscript") && holds(text, "void("))
    return "a launch is written kernel<<<grid, block>>>(arguments)";
  if (holds(text, "for array subscript") && column > 0 && line.compare(column - 1, 2, "][") == 0)
    return "a pointer to numbers takes one index: x[row * columns + column]";
  if (starts_with(text, "request for member '") &&
      (holds(text, "'shape'") || holds(text, "'size'")) && holds(text, "*'"))
    return "a pointer has no size: pass the number of values as an argument";
  if (starts_with(text, "request for member '") && holds(text, "non-class type") &&
      holds(text, "*'"))
    return holds(text, "'copy_to_host'") || holds(text, "'get'")
               ? "the copy back is cudaMemcpy(x, d_x, bytes, cudaMemcpyDeviceToHost)"
               : "a pointer has no functions: it is the address of the first value, and x[i] is "
                 "the value i places on";
  if ((starts_with(text, "could not convert '") || starts_with(text, "cannot convert '") ||
       starts_with(text, "no match for 'operator")) &&
      holds(text, "<lambda(") && !holds(text, "from 'void'"))
    return "a function or lambda has a value where it is called: condition(x)";
  if (starts_with(text, "cannot convert '") && holds(text, "**' to '") && starts_with(code, "&"))
    return "&x is the address of x: if x is a pointer, it is already an address, so pass x without "
           "&";
  for (const Hint &meaning : meanings)
    if (holds(text, meaning.found))
      return meaning.hint;
  return "";
}

} // namespace course_cpu::nvcc
