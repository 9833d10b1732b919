// The command line of nvcc, as it is understood here.
#pragma once

#include "words.hpp"

#include <stdexcept>
#include <string>
#include <vector>

namespace course_cpu::nvcc {

// Ends nvcc with one line and exit code 1: "nvcc fatal   : ...".
struct Fatal : std::runtime_error {
  using std::runtime_error::runtime_error;
};

enum class Phase {
  link,
  compile,
  preprocess,
  dependencies,
  device_link,
  library,
  translate,
  precompile
};
enum class SecondReader { beside, none, alone };
enum class Dependencies { none, all, without_system };
enum class Print { nothing, help, version, architectures, code_architectures };

// One thing on the way to the linker, in the order of the command line: a file, or an option.
struct Input {
  std::string text;
  bool is_file;
};

struct Command {
  Print print = Print::nothing;
  Phase phase = Phase::link;
  std::vector<Input> inputs;
  std::string output;              // -o
  std::string output_folder;       // -odir
  std::string language;            // -x, of every source
  std::string architecture = "86"; // of -arch: nothing depends on it
  bool instrument = false;
  SecondReader second_reader = SecondReader::beside;
  bool relocatable = false; // -rdc=true
  bool shared = false;
  bool link_runtime = true; // -cudart
  bool verbose = false, dry_run = false, run = false, keep = false;
  std::string keep_folder = ".";
  Words run_arguments;

  std::string host_compiler; // -ccbin
  Words preprocessing;       // -I, -D, -include, ...
  Words include_folders;     // of -I
  std::string standard;      // -std
  std::string optimization;  // -O
  Words code_options;        // other options of compilations
  Words host_options;        // -Xcompiler: of compilations and of the link

  Dependencies dependencies = Dependencies::none;
  std::string dependency_file; // -MF
  Words dependency_targets;    // -MT
  bool phony_targets = false;  // -MP
};

// Throws Fatal for what nvcc does not know and for what cannot work without a GPU.
Command parse(const Words &arguments);

std::string help();
std::string version();

} // namespace course_cpu::nvcc
