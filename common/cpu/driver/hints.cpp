// The table of hints: what Python programmers write, and what C++ says about it.
#include "hints.hpp"

#include "features.hpp"
#include "words.hpp"

#include <algorithm>
#include <cstring>
#include <regex>
#include <string_view>

namespace course_cpu::nvcc {
namespace {

struct Word {
  const char *found, *hint;
};

// Identifiers that are not declared, each with the code after it.
const Word undeclared[] = {
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
    {"math.inf", "Python's math.inf is INFINITY, from <cmath>"},
    {"math.pi", "Python's math.pi is M_PI, from <cmath>"},
    {"math.", "mathematical functions have no prefix: sqrt(x), sin(x); host code includes <cmath>"},
    {"np.inf", "NumPy's np.inf is INFINITY, from <cmath>"},
    {"np.pi", "NumPy's np.pi is M_PI, from <cmath>"},
    {"np.", "C++ has no NumPy: memory is allocated (std::vector, cudaMalloc) and filled in a loop"},
    {"cp.", "C++ has no CuPy: device memory comes from cudaMalloc, and kernels work on it"},
    {"range(", "a loop over i from 0 to n - 1 is for (int i = 0; i < n; ++i)"},
    {"len(", "a std::vector x has x.size(); a pointer has no size"},
    {"sum(", "a sum is a loop: for (int i = 0; i < n; ++i) sum += x[i];"},
    {"lambda ", "Python's lambda x: x > limit is [limit](float x) { return x > limit; }"},
    {"int64(", "Python's int64(x) is size_t(x), or (long long)x"},
    {"float64", "NumPy's float64 is double"},
    {"float32", "NumPy's float32 is float"},
    {"int64", "NumPy's int64 is long long"},
    {"int32", "NumPy's int32 is int"},
    {"uint8", "NumPy's uint8 is unsigned char"},
    {"syncthreads", "the barrier of a block is __syncthreads()"},
    {"f\"",
     "C++ has no f\"...\": printf(\"n = %d\\n\", n) prints an int n; %g is for float and double"},
    {"print(", "printf(\"%d\\n\", i) prints, after #include <cstdio>"},
    {"del ", "device memory is freed with cudaFree(pointer)"},
    {"elif", "elif is else if (condition)"},
    {"None", "Python's None is nullptr, for pointers"},
    {"True", "true is written in lower case"},
    {"False", "false is written in lower case"},
};

constexpr char other_place[] =
    "x = value changes where the pointer x points; *x = value writes what it points to";

constexpr char lists[] =
    "a list of values is written in braces: int x[] = {1, 2, 3}, or std::vector<int> x = {1, 2, "
    "3}; std::vector<int> x(8) has eight zeros";

constexpr char powers[] = "C++ has no operator for powers: x * x, or pow(x, n)";

constexpr char other_character[] =
    "a quote, dash or space that only looks like the right one, often copied from a page: type it "
    "again";
constexpr char cuda_words[] = "the words of CUDA C++ are __global__, __device__, __host__, "
                              "__shared__, __constant__ and __managed__";

// A message of the compiler, and its usual meaning for people who write Python. Both are regular
// expressions: `line` is the source line with @ where the message points, and what it is about may
// stand anywhere in it. The first row that fits counts.
struct Rule {
  const char *text, *line, *hint;
};

const Rule rules[] = {
    // Python's statements and operators.
    {"was not declared|does not name a type", "@def ",
     "a function is written TYPE name(TYPE parameter) { ... }, a kernel "
     "__global__ void name(float *x, int n) { ... }"},
    {"was not declared|does not name a type", "@(import|from) ",
     "a header is included: #include <cmath>"},
    {"'(vector|string|array|pair|swap|sort|accumulate|numeric_limits|cout|endl)' "
     "(was not declared|does not name)",
     "", "the C++ library's names begin with std::, for example std::vector and std::swap"},
    {"was not declared in this scope", "@\\w+ *=[^=]",
     "a new variable is declared with its type: int i = 0, or auto i = 0"},
    {"invalid type argument of unary '\\*'", "\\*@\\*", powers},
    {"invalid operands of types.*'operator\\^'", "", powers},
    {"before 'elif'", "", "elif is else if (condition)"},
    {"before 'if'", " else ", "Python's a if condition else b is condition ? a : b"},
    {"before 'in'", "for *\\(",
     "a loop over i from 0 to n - 1 is for (int i = 0; i < n; ++i) { ... }; over all x of a "
     "std::vector v it is for (float x : v) { ... }"},
    {"before 'in'", "", "C++ has no operator in: a loop compares with each element"},
    {"before 'is'", "", "Python's is and is not are == and !="},
    {"before string constant|before 'f'", "\\bf@?\"",
     "C++ has no f\"...\": printf(\"n = %d\\n\", n) prints an int n; %g is for float and double"},
    {"multi-character character constant|character constant too long", "",
     "text is in double quotes, \"text\"; single quotes hold one character, 'x'"},
    {"expected identifier before numeric constant", "\\[@", lists},
    {"<lambda\\(", "= *@?\\[\\d", lists},
    {"expected unqualified-id before numeric constant",
     "^\\s*\\w+ +\\w+, *\\w+ *=", "int a, b = 1, 2 is int a = 1, b = 2"},
    {"comparison with string literal", "",
     "== compares two addresses here. A std::string s is compared with s == \"text\", an array of "
     "char with strcmp(s, \"text\") == 0"},
    {"comparisons like", "", "0 <= i < n is 0 <= i && i < n"},
    {"assignment used as truth value", "", "= assigns, == compares"},
    {"incompatible types in assignment|operand of comma operator", "\\[ *@?\\w+ *, *\\w+ *\\]",
     "C++ takes a[i, j] as a[j]: write a[i][j] for an array with two sizes, and "
     "a[row * columns + column] for a pointer"},
    {"could not convert '", "^\\s*return .*, ",
     "several values are returned as a struct, in braces: return {x, y};"},
    {"operand of comma operator|could not convert '\\(\\(void\\)0, ", "",
     "(a, b) is not a tuple in C++, its value is b: write dim3(a, b) for sizes, {a, b} for a "
     "struct, and std::swap(a, b) to exchange two variables"},
    {"^expected ", "//.*[;),]$",
     "// begins a comment; an int divided by an int is an integer division: n / block"},
    {"^expected .*';' before", "^\\s*@",
     "the statement before this line does not end with ;, or // begins a comment in it: an int "
     "divided by an int is an integer division, n / block"},
    {"Algorithms::.*vector<", "", "it takes iterators: v.begin() and v.end() for a vector v"},
    {"^conflicting declaration", "extern.*__shared__",
     "extern __shared__ arrays of one name have one type, in all kernels of a template too: take "
     "the address of extern __shared__ char memory[] as a T *"},
    // Calls and parentheses.
    {"expected .*';' before '::'", "",
     "the statement before this macro does not end with ;"}, // CUDA_CHECK begins with ::
    {"no matching function for call to 'cudaMalloc\\(", "",
     "cudaMalloc(&x, bytes) writes the address into the pointer x, and returns an error code"},
    {"invalid use of void expression", "<<<",
     "a launch returns nothing: cudaGetLastError() in the next line returns its error"},
    {"invalid conversion from 'cudaStream_t'.* to 'size_t'", "<<<",
     "the stream is the fourth value: <<<grid, block, 0, stream>>>"},
    {"'(HostToDevice|DeviceToHost)' was not declared", "",
     "the direction is cudaMemcpyHostToDevice or cudaMemcpyDeviceToHost"},
    {"invalid operands of types '(float|double|int)' and '[^']*\\*'", "",
     "a pointer is no NumPy array: a thread computes one element, y[i] = a * x[i]"},
    {"expected '\\)' before ';'", ";\\s*\\)", "the ; belongs after the last ): CUDA_CHECK(call);"},
    {"is a reference, not call|<unresolved overloaded|cannot convert 'cudaError_t \\(\\*\\)"
     "|from type '[^']*\\(std::",
     "", "a function is called with ( ), also without arguments: cudaGetLastError(), v.size()"},
    {"expected primary-expression before '[),]'", "^[^#]*[>\\w] *@",
     "this is a type, but a value is expected: Type{...} makes an object, and Type{} makes an "
     "object without values"},
    {"expected .*before ':'", "\\[.*@", "C++ has no slices: a loop goes from element to element"},
    {"expected .*before ':'", "^\\s*(if|while) ",
     "no colon: the condition is in parentheses, the body in braces { }"},
    {"expression before '(long|unsigned)'", "",
     "a cast to a type of two words is written (long long)x"},
    {"expected '\\(' before", "^\\s*@?for ",
     "a loop over i from 0 to n - 1 is for (int i = 0; i < n; ++i) { ... }"},
    {"expected '\\(' before", "^\\s*@?(if|while) ",
     "a condition is written in parentheses, its body in braces: if (i < n) { ... }"},
    {"' has not been declared", "@[A-Z]",
     "an unknown type: #include the header of the type, or write template <class T> before a "
     "function that takes any type"},
    {"' has not been declared", "", "each parameter has its type: (float x, int n)"},
    {"no matching function for call to '(\\w+)::\\1\\(", "",
     "a struct gets the values of its members in braces: Point{x, y}"},
    // Pointers and arrays.
    {"'(const )?(uint3|dim3)'", "\\b@?(threadIdx|blockIdx|blockDim|gridDim)\\b *[^. ]",
     "threadIdx, blockIdx, blockDim and gridDim have the members .x, .y and .z: blockIdx.x"},
    {"invalid conversion from 'const void\\*'", "cudaMemcpy",
     "the destination comes first: cudaMemcpy(to, from, bytes, kind)"},
    {"'std::vector<[^']*' to '(const )?void\\*'", "",
     "v.data() is the address of the elements of a std::vector v"},
    {"assignment of read-only location", "",
     "this memory is const and cannot be written: results go to a parameter without const"},
    {"^invalid conversion from 'const ", "^\\s*@?\\w+ *@?=[^=]", other_place},
    {"for array subscript", "\\]@\\[",
     "a pointer to numbers takes one index: x[row * columns + column]"},
    {"void\\(.*for array subscript", "", "a launch is written kernel<<<grid, block>>>(arguments)"},
    {"\\[(const )?(float|double)\\]' for array subscript", "", "an index is an integer: int i"},
    {"'[\\w ]*\\w\\[\\w[^']*' for array subscript", "",
     "this is one number: an array of n numbers is declared float x[n]"},
    {"^request for member '(shape|size)' .*\\*'", "",
     "a pointer has no size: pass the number of values as an argument"},
    {"^request for member '(copy_to_host|get)' .*non-class type '.*\\*'", "",
     "the copy back is cudaMemcpy(x, d_x, bytes, cudaMemcpyDeviceToHost)"},
    {"^request for member '.*non-class type.*\\*'", "",
     "a pointer has no functions: it is the address of the first value, and x[i] is the value i "
     "places on"},
    {"^cannot convert '[^']*\\*\\*' to '", "@&",
     "&x is the address of x: if x is a pointer, it is already an address, so pass x without &"},
    {"^(could not convert|cannot convert|no match for 'operator)(?!.*from 'void').*<lambda\\(", "",
     "a function or lambda has a value where it is called: condition(x)"},
    {"a function-definition is not allowed here", "",
     "a } is missing before this line: no function begins inside another function"},
    {"__' does not name a type", "", cuda_words},
    {"__' was not declared", "", cuda_words},
    {"'begin' was not declared", "", "a pointer has no size: use for (int i = 0; i < n; ++i)"},
    {"\\*' in assignment", "", other_place},
    {"reference of type '", "",
     "a reference parameter takes a variable: x, without &; or *p, what a pointer p points to"},
    {"with no type", "",
     "a function begins with the type of what it returns: int f(int n), void g()"},
    {"from 'void' to '", "", "a function or lambda gives back a value only by return"},
    {"cannot be used as a function", "",
     "only a function, or an object with operator(), can be called; a parameter that takes one has "
     "a template's type: template <class F> int f(F condition)"},
    {"'block' was not declared", "",
     "in a kernel, blockDim.x is the number of threads per block; a function cannot use the "
     "variables of another function"},
    {"invalid conversion from 'int' to 'int\\*'", "",
     "a parameter int *x takes the address of a variable: &x"},
    {"expected declaration before '\\}'", "",
     "up to here there are more } than {: a function has ended too early"},
    {"invalid preprocessing directive", "", "a comment begins with //"},
    {"stray '@'", "", "a kernel is declared __global__ void; C++ has no decorators"},
    {"stray '\\\\", "", other_character},
    {"extended character ", "", other_character},
    {"shadows a (previous local|global declaration|local variable)", "",
     "a type before a name makes a second variable, which ends with its block: leave the type out "
     "to change the first"},
    {"was not declared in this scope$", "",
     "a name is declared before its use, and ends with the block { } or the loop that holds its "
     "declaration; indentation has no meaning"},
};

} // namespace

std::string hint(const Diagnostic &error) {
  std::string line = source_line(error);
  const std::size_t column =
      std::min<std::size_t>(error.column > 0 ? error.column - 1 : 0, line.size());
  const std::string &text = error.text;

  if (const std::string missing = missing_feature(text); !missing.empty())
    return missing;
  if (holds(text, "was not declared") || holds(text, "does not name a type"))
    for (const Word &word : undeclared)
      if (line.compare(column, std::strlen(word.found), word.found) == 0)
        return word.hint;
  line.insert(column, "@");
  for (const auto &[words, place, hint] : rules)
    if (std::regex_search(text, std::regex(words)) && std::regex_search(line, std::regex(place)))
      return hint;
  return "";
}

} // namespace course_cpu::nvcc
