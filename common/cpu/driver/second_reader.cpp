#include "second_reader.hpp"

#include "diagnostics.hpp"
#include "toolkit.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <set>
#include <sstream>

#include <unistd.h>

namespace fs = std::filesystem;

namespace course_cpu::nvcc {
namespace {

// A program in a folder of PATH; not ours, which is called nvcc, too.
std::string on_path(const std::string &name) {
  const char *path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path program = fs::path(folder) / name;
    std::error_code none;
    if (access(program.c_str(), X_OK) == 0 && fs::is_regular_file(program, none) &&
        !fs::equivalent(program, toolkit() / "bin/nvcc", none))
      return program.string();
  }
  return "";
}

bool is_clang(const std::string &program) {
  return starts_with(fs::path(program).filename().string(), "clang");
}

// Execution spaces are checked in device code by one run of clang, and in host code by another.
const char *const sides[]{"device", "host"};

// cuda_runtime.h as clang has read it: with it, clang takes a quarter of the time.
fs::path precompiled(const std::string &side) {
  return toolkit() / "precompiled/second-reader" / (side + ".pch");
}

bool holds(const std::string &text, const char *words) { return text.find(words) != text.npos; }

// `side`: device or host. `level`: ++17, and so on. The name of the architecture is not its own:
// each clang knows this one. Our headers call host functions in device functions, hence errors in a
// precompiled header.
Words clang(const std::string &side, const std::string &level, const Words &header) {
  Words words{second_reader(), "-std=gnu" + level, "--cuda-" + side + "-only"};
  append(words, {"-xcuda", "-fsyntax-only", "-nocudainc", "-nocudalib", "--cuda-gpu-arch=sm_86",
                 "-Wno-unknown-cuda-version", "-w", "-ferror-limit=0", "-fno-color-diagnostics",
                 "-Xclang", "-fcuda-allow-variadic-functions", "-Xclang",
                 "-fallow-pch-with-compiler-errors", "-D__CUDACC__", "-DCOURSE_CPU_SECOND_READER",
                 "-isystem", (toolkit() / "include").string()});
  append(words, header);
  return words;
}

const Words plain_header{"-include", "cuda_runtime.h"};

// No code for a device, which would take another second, and that slow code quickly.
Words nvcc(const std::string &level, const fs::path &folder) {
  return {second_reader(),
          "-std=c" + level,
          "-x",
          "cu",
          "-cuda",
          "-gencode",
          "arch=compute_75,code=compute_75",
          "-Xcicc",
          "-O0",
          "-w",
          "--expt-relaxed-constexpr",
          "--extended-lambda",
          "-o",
          (folder / "read").string()};
}

std::string part(const std::string &text, const std::string &before, const std::string &after) {
  const std::size_t begin = text.find(before);
  if (begin == text.npos)
    return "";
  const std::size_t from = begin + before.size(), end = text.find(after, from);
  return end == text.npos ? "" : text.substr(from, end - from);
}

// `name` is used where it is not: a function, or code (a constructor, an operator), of the program
// or of a library.
std::string in_device_code(const std::string &name, bool is_function, bool is_own) {
  if (!is_function && !is_own)
    return name + " is host code: device code has arrays behind pointers, and printf";
  const std::string text = name + (is_function ? " is a host function" : " is host code") +
                           ", and device code cannot call it: ";
  return text + (is_own ? "declare it __device__, or __host__ __device__ to use it in both"
                        : "of the C library, device code has printf, memcpy, memset and "
                          "mathematical functions");
}

std::string host_variable(const std::string &name, bool is_own) {
  if (!is_own)
    return in_device_code(name, false, false);
  return name + " is a host variable, and device code cannot use it: pass it as an argument, or "
                "declare it __device__, __constant__ or __managed__";
}

std::string in_host_code(const std::string &name, bool is_function) {
  if (name == "__syncthreads" || name == "__syncwarp")
    return name + "() is used in host code: threads of a block wait for each other in kernels and "
                  "__device__ functions; the host waits for the device with "
                  "cudaDeviceSynchronize()";
  return name + (is_function ? " is a __device__ function" : " is __device__ code") +
         ", and host code cannot call it: declare it __host__ __device__ to use it in both";
}

bool is_of_user(const std::string &file) {
  return !starts_with(file, (toolkit() / "include").string()) && !starts_with(file, "/usr/");
}

// The source line that clang shows, up to where a diagnostic is; clang 16 and newer begin it with
// its number.
std::string before(const Diagnostic &diagnostic) {
  if (diagnostic.lines.size() < 2)
    return "";
  const std::string &line = diagnostic.lines[1];
  const std::size_t bar = line.find_first_not_of(" 0123456789");
  const bool is_numbered = bar != 0 && line.compare(bar, 2, "| ") == 0;
  return line.substr(is_numbered ? bar + 2 : 0, diagnostic.column);
}

// What nvcc takes, and clang does not: calls of which only the type counts, a host constructor of a
// shared variable, and a shared array of a host variable's name.
bool is_of_clang_only(const Message &message) {
  const std::string code = before(message.main);
  const std::size_t statement = code.rfind(';') + 1;
  for (const char *word : {"sizeof", "decltype", "__shared__"})
    if (code.find(word, statement) != code.npos)
      return true;
  for (const Diagnostic &note : message.notes)
    if (holds(note.text, "variable declared here") && holds(before(note), "__shared__"))
      return true;
  return false;
}

// Whether it says that host code uses device code: "call to __device__ function from __host__
// function".
bool is_of_host_code(const Message &message) {
  const auto says = [](const std::string &text) {
    const std::size_t host = text.find("__host__ function");
    return host != text.npos && text.find("__device__ function") < host;
  };
  return says(message.main.text) ||
         std::any_of(message.notes.begin(), message.notes.end(),
                     [&](const Diagnostic &note) { return says(note.text); });
}

// What clang's message says of execution spaces; empty: nothing. nvcc lets a __host__ __device__
// function call host functions, as long as no kernel calls it then.
std::string finding(const Message &message) {
  const std::string &text = message.main.text;
  if (!message.is_error() || !is_of_user(message.main.file) || is_of_clang_only(message))
    return "";
  if (holds(text, " in __host__ __device__ function") &&
      !starts_with(text, "reference to __host__ variable"))
    return "";
  if (starts_with(text, "cannot use 'throw' in __") || starts_with(text, "cannot use 'try' in __"))
    return "device code has no exceptions: store an error code in memory, or end the kernel with "
           "__trap()";
  const std::string name = part(text, "'", "'");
  if (starts_with(text, "call to global function '"))
    return name + " is a kernel, and a kernel must be launched: write " + name +
           "<<<grid, block>>>(arguments)";
  bool is_own = true; // a function of the program
  if (starts_with(text, "reference to __")) {
    for (const Diagnostic &note : message.notes)
      is_own &= is_of_user(note.file);
    if (starts_with(text, "reference to __device__ function"))
      return in_host_code(name, true);
    return starts_with(text, "reference to __host__ variable") ? host_variable(name, is_own)
           : starts_with(text, "reference to __host__ function")
               ? in_device_code(name, true, is_own)
               : "";
  }
  // no matching conversion for functional-style cast from 'int' to 'P'
  const bool is_conversion =
      starts_with(text, "no matching conversion") || starts_with(text, "no viable conversion");
  const std::string type = is_conversion ? part(text, "to '", "'") : name;
  const bool is_constructor = is_conversion || starts_with(text, "no matching constructor");
  const bool is_operator = holds(text, "binary expression") || holds(text, "operator") ||
                           holds(text, "call to object of type");
  for (const Diagnostic &note : message.notes) {
    const std::string its = part(note.text, "not viable: call to ", " function from ");
    // A kernel template that a kernel launches is taken for a call.
    if (its.empty() || its == "__global__" || holds(note.text, "from __host__ __device__ function"))
      continue;
    is_own = is_of_user(note.file);
    const std::string its_name = is_constructor ? "a constructor of " + type
                                 : is_operator  ? "this operator"
                                                : name;
    const bool is_function = !is_constructor && !is_operator;
    return its == "__device__" ? in_host_code(its_name, is_function)
                               : in_device_code(its_name, is_function, is_own);
  }
  return "";
}

Words errors_of_clang(const std::string &output, bool in_host) {
  Words errors;
  std::set<std::string> redeclared; // __device__ only where they are defined, as nvcc allows
  for (const Message &message : messages_of(output))
    if (starts_with(message.main.text, "out-of-line definition of "))
      redeclared.insert(part(message.main.text, "'", "'"));
    else if (redeclared.count(part(message.main.text, "'", "'")))
      continue;
    else if (in_host && !is_of_host_code(message))
      continue; // the other run looks at device code
    else if (const std::string text = finding(message); !text.empty()) {
      const Diagnostic &main = message.main;
      std::string error = main.file + ':' + std::to_string(main.line) + ':' +
                          std::to_string(main.column) + ": error: " + text + '\n';
      for (std::size_t i = 1; i < main.lines.size(); ++i)
        error += main.lines[i] + '\n';
      errors.push_back(error);
    }
  return errors;
}

// A name as nvcc writes it: P<int> ::norm() const, P::P(float), P::operator []( int).
struct Called {
  explicit Called(const std::string &written) : is_own(!starts_with(written, "std::")) {
    int depth = 0; // of template arguments
    for (std::size_t i = 0; i < written.size() && !holds(name, "operator"); ++i) {
      const char c = written[i];
      if (c == '(' && depth == 0)
        break;
      depth += (c == '<') - (c == '>');
      if (depth > 0 || c == '>' || c == ' ')
        continue;
      if (c == ':')
        std::swap(scope, name), name.clear(), ++i;
      else
        name += c;
    }
    if (holds(name, "operator"))
      name = "this operator", is_function = false;
    else if (name == scope)
      name = "a constructor of " + name, is_function = false;
  }

  std::string scope, name;
  bool is_function = true; // or a variable
  const bool is_own;       // not of the standard library
};

// FILE(LINE): error: calling a __host__ function("f(int)") from a __global__ function("k") is not
// allowed; FILE(LINE): error: identifier "n" is undefined in device code.
std::string errors_of_nvcc(const std::string &output) {
  std::string errors;
  std::set<std::string> places; // a line gets one
  std::istringstream text(output);
  for (std::string line; std::getline(text, line);) {
    const std::size_t mark = line.find("): error: ");
    const std::size_t open = line.rfind('(', mark);
    if (mark == line.npos || open == line.npos)
      continue;
    const Called called(part(line, "\"", "\""));
    const std::string message = holds(line, "calling a __host__ function(")
                                    ? in_device_code(called.name, called.is_function, called.is_own)
                                : holds(line, "calling a __device__ function(")
                                    ? in_host_code(called.name, called.is_function)
                                : !holds(line, "is undefined in device code") ? ""
                                : called.is_function
                                    ? host_variable(called.name, called.is_own)
                                    : in_device_code(called.name, false, called.is_own);
    const std::string place = line.substr(0, open) + ':' + line.substr(open + 1, mark - open - 1);
    if (!message.empty() && places.insert(place).second)
      errors += place + ": error: " + message + '\n';
  }
  return errors;
}

} // namespace

std::string second_reader() {
  static const std::string found = [] {
    for (const char *name : {"clang++", "clang++-19", "clang++-18", "clang++-17", "clang++-16",
                             "clang++-15", "clang++-14", "nvcc"})
      if (const std::string program = on_path(name); !program.empty())
        return program;
    return access("/usr/local/cuda/bin/nvcc", X_OK) == 0 ? std::string("/usr/local/cuda/bin/nvcc")
                                                         : std::string();
  }();
  return found;
}

void precompile_for_reader(const fs::path &folder) {
  fs::create_directories(folder);
  for (const std::string side : sides) {
    const fs::path file = folder / (side + ".pch"), unfinished = folder / side;
    std::ofstream{unfinished}; // empty: there is no clang
    if (is_clang(second_reader())) {
      Words words = clang(side, "++17", plain_header);
      // Not the driver's -o: it deletes the file where there are errors.
      append(words, {"-Xclang", "-emit-pch", "-Xclang", "-o", "-Xclang", unfinished.string(),
                     "/dev/null"});
      const TemporaryFolder temporary;
      Background(words, temporary.path() / "errors").wait();
    }
    fs::rename(unfinished, file); // another compilation may read the file that stands there
  }
}

class Reading::Run {
public:
  Run(const std::string &side, const fs::path &source, const std::string &standard,
      const Words &options, const fs::path &folder)
      : side(side), with_header_([=](const Words &header) {
          const std::string level = standard.substr(standard.find("++"));
          Words words =
              is_clang(second_reader()) ? clang(side, level, header) : nvcc(level, folder);
          append(words, options);
          words.push_back(source.string());
          return words;
        }),
        file_(folder / (side + "-side")), reader_(with_header_(header()), file_) {}

  std::string output() {
    const std::string output = reader_.wait();
    // The header does not fit: another clang, another standard, a file that has changed.
    const bool fits = !holds(output, "PCH file") && !holds(output, "precompiled header");
    return fits ? output : Background(with_header_(plain_header), file_).wait();
  }

  const std::string side;

private:
  Words header() const {
    const fs::path file = precompiled(side);
    const bool is_there = fs::exists(file) && !fs::is_empty(file);
    return is_there ? Words{"-Xclang", "-include-pch", "-Xclang", file.string()} : plain_header;
  }

  const std::function<Words(const Words &)> with_header_;
  const fs::path file_;
  Background reader_;
};

Reading::Reading(const fs::path &source, const std::string &standard, const Words &options,
                 const fs::path &folder) {
  for (const std::string side : sides)
    if (is_clang(second_reader()) || runs_.empty()) // nvcc looks at both
      runs_.push_back(std::make_unique<Run>(side, source, standard, options, folder));
}

Reading::~Reading() = default;

std::string Reading::errors() {
  if (!is_clang(second_reader()))
    return errors_of_nvcc(runs_[0]->output());
  std::string errors;
  for (const auto &run : runs_)
    for (const std::string &error : errors_of_clang(run->output(), run->side == "host"))
      if (!holds(errors, error.c_str()))
        errors += error;
  return errors;
}

} // namespace course_cpu::nvcc
