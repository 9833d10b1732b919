// Finds the toolkit's folders and libraries, and the host compiler.
#include "toolkit.hpp"

#include "config.h" // written by CMake
#include "process.hpp"

#include <algorithm>
#include <cstdlib>
#include <sstream>

namespace fs = std::filesystem;

namespace course_cpu::nvcc {

fs::path toolkit() {
  static const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path().parent_path();
  return folder;
}

bool is_include_folder_of_other(const fs::path &folder) {
  std::error_code none;
  return fs::exists(folder / "cuda_runtime.h", none) &&
         !fs::equivalent(folder, toolkit() / "include", none);
}

void hide_other_toolkits() {
  for (const char *name : {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"}) {
    const char *value = std::getenv(name);
    std::istringstream folders(value ? value : "");
    std::string kept;
    bool first = true; // an empty item is the current folder
    for (std::string folder; std::getline(folders, folder, ':');)
      if (!is_include_folder_of_other(folder)) {
        kept += (first ? "" : ":") + folder;
        first = false;
      }
    if (value)
      setenv(name, kept.c_str(), 1);
  }
}

Host host_compiler(const Command &command) {
  const char *variable = std::getenv("NVCC_CCBIN");
  std::string name = command.host_compiler;
  if (name.empty() && variable)
    name = variable;
  if (name.empty())
    return {COURSE_HOST_COMPILER, COURSE_HOST_IS_CLANG ? Compiler::clang : Compiler::gnu};
  if (fs::is_directory(name))
    name = (fs::path(name) / "g++").string();
  const std::string known = output_of({name, "-dM", "-E", "-x", "c++", "/dev/null"});
  if (known.find("__GNUC__") == known.npos)
    throw Fatal("'" + name + "' is not a working C++ compiler: use g++, clang++ or mpicxx");
  return {name, known.find("__clang__") != known.npos ? Compiler::clang : Compiler::gnu};
}

Words compile_options(const Command &command, const Host &host) {
  // A program is for the machine that it is compiled on.
  Words options;
  if (COURSE_MARCH_NATIVE)
    options.push_back("-march=native");
  // Large local arrays must meet the page below their stack rather than step over it.
  options.push_back("-fstack-clash-protection");
  // A kernel that dereferences a null pointer must fault, also where the compiler sees that it
  // does.
  options.push_back("-fno-delete-null-pointer-checks");
  // `#pragma unroll` is nvcc's and clang's; g++ unrolls as it sees fit.
  options.push_back("-Wno-unknown-pragmas");
  if (command.instrument) {
    if (host.kind != Compiler::gnu)
      throw Fatal("--instrument needs g++, and " + host.command +
                  " is another compiler: -ccbin g++");
    // Options for the tools: each access calls a hook, which finds its line. Nothing is linked for
    // that: the hooks are the tools' own. Without tail calls each hook knows where it is called
    // from. A structure (float4) is accessed as a whole, not by its parts. In DWARF 5 addr2line
    // (binutils 2.40) takes the first file of a table for the translated one. Locations of
    // variables and beginnings of statements are not needed, and take a fifth of the time.
    for (const char *option :
         {"-DCOURSE_CPU_INSTRUMENTED", "-O2", "-g1", "-gdwarf-4", "-fno-var-tracking",
          "-fno-var-tracking-assignments", "-gno-statement-frontiers",
          "-fsanitize=thread,bounds,alignment", "-fno-optimize-sibling-calls", "-fno-tree-sra",
          "-U_FORTIFY_SOURCE", "-fno-builtin-memcpy", "-fno-builtin-memmove", "-fno-builtin-memset",
          "-Wno-tsan", "-Wno-maybe-uninitialized", "--param=tsan-instrument-func-entry-exit=0",
          "--param=tsan-distinguish-volatile=1"})
      options.push_back(option);
    return options;
  }
  if (command.optimization == "-O1")
    options.push_back("-DCOURSE_CPU_COMPILE_FAST"); // course_cpu/execution.h
  // As on a device, mathematical functions leave errno alone: a loop with sqrtf gets vectors.
  options.push_back("-fno-math-errno");
  // Nor do they have flags of exceptions: what stands after an `if` gets vectors, too.
  options.push_back("-fno-trapping-math");
  // g++ would keep common subexpressions across a barrier, in registers that each switch of threads
  // saves.
  if (host.kind == Compiler::gnu)
    options.push_back("-fno-gcse");
  return options;
}

Words include_options(const Command &command, bool one_file) {
  // A precompiled header must have been made with the same options: g++ does not look at all of
  // them, and crashes where they differ.
  const auto harmless = [](const std::string &option) {
    return starts_with(option, "-W") || option == "-fpch-preprocess"; // for -E
  };
  const auto &host = command.host_options, &given = command.preprocessing;
  one_file |= std::find(given.begin(), given.end(), "COURSE_CPU_ONE_FILE") != given.end();
  const std::string name = command.instrument ? "-instrument" : command.optimization;
  const fs::path precompiled = toolkit() / "precompiled" / (name + (one_file ? "-program" : ""));
  Words options;
  if (command.phase != Phase::precompile && !name.empty() && fs::exists(precompiled) &&
      std::all_of(host.begin(), host.end(), harmless))
    options = {"-I", precompiled.string()};
  options.push_back("-isystem");
  options.push_back((toolkit() / "include").string());
  return options;
}

Words macros() {
  return {"-D__NVCC__", "-D__CUDACC_VER_MAJOR__=" + std::to_string(COURSE_CUDA_MAJOR),
          "-D__CUDACC_VER_MINOR__=" + std::to_string(COURSE_CUDA_MINOR),
          "-D__CUDACC_VER_BUILD__=0"};
}

Words library_folders() {
  return {"-L" + (toolkit() / "lib64/stubs").string(), "-L" + (toolkit() / "lib64").string()};
}

Words runtime_libraries(const Command &command) {
  if (!command.link_runtime)
    return {};
  if (command.shared && !command.instrument)
    return {"-lcudart_process", "-Wl,-rpath," + (toolkit() / "lib64").string()};
  return {"-lcudadevrt", command.instrument ? "-lcudart_instrumented" : "-lcudart_static", "-lrt",
          "-lpthread", "-ldl"};
}

void require_libraries(const Command &command, const Words &link) {
  for (const std::string &option : link) {
    std::string library;
    for (const char *name : {"cudart_static", "cudart_instrumented", "cublas", "nccl"})
      if (option == std::string("-l") + name)
        library = name;
    if (library.empty() || command.dry_run)
      continue;
    const bool is_cublas = library == "cublas";
    if (is_cublas && !COURSE_CBLAS)
      throw Fatal("-lcublas: cuBLAS needs a CBLAS library, but the toolkit was built without one: "
                  "install libopenblas-dev and build the toolkit again");
    const std::string file = "lib" + (is_cublas ? "cublas_static" : library) + ".a";
    if (!fs::exists(toolkit() / "lib64" / file))
      throw Fatal("lib64/" + file + " is not built yet: cmake --build \"" + toolkit().string() +
                  "\" --target " + (library == "cudart_instrumented" ? "instrumented" : "all"));
  }
}

} // namespace course_cpu::nvcc
