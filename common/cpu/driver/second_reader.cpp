// Lets clang or NVIDIA's nvcc read a source, and keeps its errors about execution spaces.
#include "second_reader.hpp"

#include "../system_folders.hpp"
#include "diagnostics.hpp"
#include "toolkit.hpp"
#include "translator/token_range.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

#include <unistd.h>

namespace fs = std::filesystem;
using namespace course_cpu::translator;

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

// `side`: device or host. `level`: ++17, and so on. The name of the architecture is not its own:
// each clang knows this one. Our headers call host functions in device functions, hence errors in a
// precompiled header.
Words clang(const std::string &side, const std::string &level, const Words &header) {
  Words words{second_reader(), "-std=gnu" + level, "--cuda-" + side + "-only"};
  append(words, {"-xcuda", "-fsyntax-only", "-nocudainc", "-nocudalib", "--cuda-gpu-arch=sm_86",
                 "-Wno-everything", "-Wmisleading-indentation", "-ferror-limit=0",
                 "-fno-color-diagnostics", "-Xclang", "-fcuda-allow-variadic-functions", "-Xclang",
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

bool is_of_cuda(const std::string &file) {
  return starts_with(file, (toolkit() / "include").string());
}
bool is_of_user(const std::string &file) { return !is_of_cuda(file) && !is_of_system(file); }

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

// True for code that nvcc accepts and clang does not: unevaluated calls, a host constructor of a
// shared variable, and a shared array with a host variable's name.
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

// True for host code that uses device code: "call to __device__ function from __host__ function".
bool is_of_host_code(const Message &message) {
  const auto says = [](const std::string &text) {
    const std::size_t host = text.find("__host__");
    return host != text.npos && text.find("__device__ function") < host;
  };
  return says(message.main.text) ||
         std::any_of(message.notes.begin(), message.notes.end(),
                     [&](const Diagnostic &note) { return says(note.text); });
}

// True if clang's message is an error about execution spaces. nvcc lets a __host__ __device__
// function call host functions as long as no kernel calls it, and calls in Thrust may be for the
// device.
bool is_of_spaces(const Message &message) {
  const std::string &text = message.main.text;
  if (!message.is_error() || !is_of_user(message.main.file) || is_of_clang_only(message))
    return false;
  if (holds(text, " in __host__ __device__ function") &&
      !starts_with(text, "reference to __host__ variable") &&
      (!starts_with(text, "reference to __device__ function") ||
       std::any_of(message.notes.begin(), message.notes.end(),
                   [](const Diagnostic &note) { return is_of_cuda(note.file); })))
    return false;
  for (const char *words :
       {"cannot use 'throw' in __", "cannot use 'try' in __", "dynamic initialization is not supp",
        "call to global function '", "reference to __device__ function",
        "reference to __host__ variable", "reference to __host__ function"})
    if (starts_with(text, words))
      return true;
  return std::any_of(message.notes.begin(), message.notes.end(), [](const Diagnostic &note) {
    const std::string its = part(note.text, "not viable: call to ", " function from ");
    // A kernel template that a kernel launches is taken for a call.
    return !its.empty() && its != "__global__" &&
           !holds(note.text, "from __host__ __device__ function");
  });
}

// The index after the statement that begins at `i`.
std::size_t after_statement(const TokenRange &tokens, std::size_t i) {
  if (tokens.is(i, "if")) {
    const std::size_t condition = i + 1 + tokens.is(i + 1, "constexpr");
    const std::size_t end = after_statement(tokens, tokens.after_group(condition));
    return tokens.is(end, "else") ? after_statement(tokens, end + 1) : end;
  }
  while (i < tokens.size() && !tokens.is_any(i, ";", "{"))
    i = tokens.next(i);
  return tokens.is(i, "{") ? tokens.after_group(i) : std::min(i + 1, tokens.size());
}

// Of an `if constexpr` nvcc compiles one branch, and clang reads both.
bool is_in_constexpr_if(const std::string &file, int line) {
  std::ifstream stream(file, std::ios::binary);
  const std::string source(std::istreambuf_iterator<char>(stream), {});
  const Lexed lexed = lex(source);
  const TokenRange tokens(lexed.code);
  for (std::size_t i = 0; i < tokens.size() && tokens[i].line <= line; ++i)
    if (tokens.is(i, "if") && tokens.is(i + 1, "constexpr") &&
        tokens[after_statement(tokens, i) - 1].line >= line)
      return true;
  return false;
}

using Place = std::pair<std::string, int>;   // file and line
using Errors = std::map<Place, std::string>; // a line gets one

// What clang wrote about the user's files.
void add_lines(std::string &text, const Message &message) {
  const auto add = [&](const Diagnostic &diagnostic) {
    for (const std::string &line : diagnostic.lines)
      text += line + '\n';
  };
  add(message.main);
  for (const Diagnostic &note : message.notes)
    if (is_of_user(note.file))
      add(note);
}

void add_errors_of_clang(Errors &errors, std::string &warnings, const std::string &output,
                         bool in_host) {
  std::set<std::string> redeclared; // __device__ only where they are defined, as nvcc allows
  for (const Message &message : messages_of(output)) {
    const Diagnostic &main = message.main;
    if (in_host && main.kind == "warning" && is_of_user(main.file))
      add_lines(warnings, message);
    const std::string name = part(main.text, "'", "'");
    if (starts_with(main.text, "out-of-line definition of "))
      redeclared.insert(name);
    if (redeclared.count(name) || !is_of_spaces(message) ||
        (in_host && !is_of_host_code(message)) || // the other run looks at device code
        is_in_constexpr_if(main.file, main.line))
      continue;
    std::string &error = errors[{main.file, main.line}];
    if (error.empty())
      add_lines(error, message);
  }
}

// FILE(LINE): error: calling a __host__ function("f(int)") from a __global__ function("k") is not
// allowed; FILE(LINE): error: identifier "n" is undefined in device code.
void add_errors_of_nvcc(Errors &errors, const std::string &output) {
  std::istringstream text(output);
  for (std::string line; std::getline(text, line);) {
    const std::size_t mark = line.find("): error: ");
    const std::size_t open = line.rfind('(', mark);
    if (mark == line.npos || open == line.npos)
      continue;
    const std::string file = line.substr(0, open), number = line.substr(open + 1, mark - open - 1);
    for (const char *words :
         {"calling a __host__ function(", "calling a __device__ function(",
          "dynamic initialization is not supported", "is undefined in device code"})
      if (holds(line, words))
        errors.try_emplace({file, std::atoi(number.c_str())},
                           file + ':' + number + line.substr(mark + 1) + '\n');
  }
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
      output_of(words);
    }
    fs::rename(unfinished, file); // another compilation may read the file that stands there
  }
}

struct Reading::Run {
  Run(const std::string &side, const Words &command, const Words &plain_command)
      : side(side), plain_command(plain_command), reader(command, true) {}

  std::string output() {
    std::string output;
    reader.wait(output);
    // The header does not fit: another clang, another standard, a file that has changed.
    const bool fits = !holds(output, "PCH file") && !holds(output, "precompiled header");
    return fits ? output : output_of(plain_command);
  }

  const std::string side;
  const Words plain_command; // without a precompiled header
  Background reader;
};

Reading::Reading(const fs::path &source, const std::string &standard, const Words &options,
                 const fs::path &folder) {
  const std::string level = standard.substr(standard.find("++"));
  for (const std::string side : sides) {
    if (!is_clang(second_reader()) && !runs_.empty())
      break; // nvcc looks at both
    const auto command = [&](const Words &header) {
      Words words = is_clang(second_reader()) ? clang(side, level, header) : nvcc(level, folder);
      append(words, options);
      if (!is_clang(second_reader())) // which does not know it
        std::replace(words.begin(), words.end(), std::string("-idirafter"), std::string("-I"));
      words.push_back(source.string());
      return words;
    };
    const fs::path file = precompiled(side);
    const bool is_there = fs::exists(file) && !fs::is_empty(file);
    const Words header{"-Xclang", "-include-pch", "-Xclang", file.string()};
    runs_.push_back(std::make_unique<Run>(side, command(is_there ? header : plain_header),
                                          command(plain_header)));
  }
}

Reading::~Reading() = default;

std::string Reading::errors(std::string &warnings) {
  Errors errors;
  for (const auto &run : runs_)
    if (is_clang(second_reader()))
      add_errors_of_clang(errors, warnings, run->output(), run->side == "host");
    else
      add_errors_of_nvcc(errors, run->output());
  std::string text = errors.empty() ? "" : "NVIDIA's nvcc would refuse this:\n";
  for (const auto &[place, error] : errors)
    text += error;
  return text;
}

} // namespace course_cpu::nvcc
