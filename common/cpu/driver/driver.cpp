// Carries out a command line: translates, compiles, links.
#include "driver.hpp"

#include "constants.hpp"
#include "depfile.hpp"
#include "messages.hpp"
#include "process.hpp"
#include "second_reader.hpp"
#include "toolkit.hpp"
#include "translate.hpp"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <optional>
#include <set>

#include <unistd.h>

namespace fs = std::filesystem;

namespace course_cpu::nvcc {
namespace {

enum class Kind { cuda, cxx, c, object };

class Driver {
public:
  explicit Driver(const Command &command) : command_(command) {}

  int run() {
    if (command_.phase == Phase::translate)
      return run_translator();
    if (command_.verbose || command_.dry_run)
      show_settings();
    for (const Input &input : command_.inputs)
      if (input.is_file && kind_of(input.text) != Kind::object)
        sources_.push_back(input.text);
    const bool any_file = std::any_of(command_.inputs.begin(), command_.inputs.end(),
                                      [](const Input &input) { return input.is_file; });
    if (!any_file && command_.phase != Phase::device_link && command_.phase != Phase::precompile)
      throw Fatal("No input files specified; use option --help for more information");
    if (command_.keep && !command_.dry_run)
      fs::create_directories(command_.keep_folder);
    if (command_.second_reader == SecondReader::alone && command_.phase == Phase::precompile)
      return precompile_for_reader(command_.output), 0;
    if (command_.second_reader == SecondReader::alone)
      return for_each_source([this](const fs::path &source) { return read(source); });
    hide_other_toolkits();
    host_ = host_compiler(command_);
    switch (command_.phase) {
    case Phase::preprocess:
    case Phase::dependencies:
      return for_each_source([this](const fs::path &source) { return preprocess(source); });
    case Phase::compile:
      return for_each_source([this](const fs::path &source) {
        return compile(source, output_of_source(source, ".o"));
      });
    case Phase::device_link: // the host's linker does all of it
      return execute({host_.command, "-x", "c++", "-c", "/dev/null", "-o",
                      command_.output.empty() ? "a_dlink.o" : command_.output});
    case Phase::precompile:
      return precompile();
    default:
      return link();
    }
  }

private:
  // ---- files ----

  Kind kind_of(const fs::path &path) const {
    static const std::set<std::string> objects{".o", ".obj", ".a", ".lib", ".so", ".lo"};
    static const std::set<std::string> cxx{".cpp", ".cc", ".cxx", ".C", ".c++", ".cp"};
    const std::string extension = path.extension().string(), name = path.filename().string();
    if (objects.count(extension) || name.find(".so.") != name.npos)
      return Kind::object;
    if (extension == ".ptx" || extension == ".cubin" || extension == ".fatbin")
      throw Fatal("'" + path.string() + "' is code for a GPU, which the CPU backend cannot run");
    if (!command_.language.empty())
      return command_.language == "cu"  ? Kind::cuda
             : command_.language == "c" ? Kind::c
                                        : Kind::cxx;
    if (extension == ".cu")
      return Kind::cuda;
    if (extension == ".c")
      return Kind::c;
    if (cxx.count(extension))
      return Kind::cxx;
    throw Fatal("Don't know what to do with '" + path.string() + "'");
  }

  // The folder for intermediate files.
  const fs::path &work_folder() {
    if (work_folder_.empty()) {
      if (!command_.keep)
        temporary_.emplace();
      work_folder_ = command_.keep ? fs::path(command_.keep_folder) : temporary_->path();
    }
    return work_folder_;
  }

  // The file that a source becomes: -o, or its name with another extension, in the folder of -odir.
  fs::path output_of_source(const fs::path &source, const char *extension) const {
    if (!command_.output.empty())
      return command_.output;
    return fs::path(command_.output_folder) / source.filename().replace_extension(extension);
  }

  // ---- other programs ----

  void show(const Words &words) const {
    if (command_.verbose || command_.dry_run)
      std::cerr << "#$ " << shown(words) << '\n';
  }

  // Shows a command or runs it, whichever is asked for.
  int execute(const Words &words, std::string *errors = nullptr) const {
    show(words);
    return command_.dry_run ? 0 : nvcc::run(words, errors);
  }

  // For scripts, CMake above all, that ask nvcc where it looks.
  void show_settings() const {
    const char *path = std::getenv("PATH");
    std::cerr << "#$ _HERE_=" << (toolkit() / "bin").string() << "\n#$ TOP=" << toolkit().string()
              << "\n#$ NVVMIR_LIBRARY_DIR=" << (toolkit() / "nvvm/libdevice").string()
              << "\n#$ PATH=" << (path ? path : "")
              << "\n#$ INCLUDES=" << shown({"-I" + (toolkit() / "include").string()})
              << "\n#$ LIBRARIES=" << shown(library_folders()) << '\n';
  }

  template <class Step> int for_each_source(const Step &step) {
    if (sources_.size() > 1 && !command_.output.empty())
      throw Fatal("A single input file is required for a non-link phase when an outputfile is "
                  "specified");
    for (const std::string &source : sources_)
      if (const int code = step(source))
        return code;
    return 0;
  }

  // ---- one source ----

  TranslateOptions translate_options() const {
    TranslateOptions options;
    options.instrument = command_.instrument;
    for (const std::string &folder : command_.include_folders) {
      std::error_code none;
      if (!fs::equivalent(folder, toolkit() / "include", none)) // these need no translation
        options.include_folders.push_back(folder);
    }
    return options;
  }

  int run_translator() {
    if (command_.inputs.size() != 2)
      throw Fatal("--translate: one input and one output are needed");
    translate(command_.inputs[0].text, command_.inputs[1].text, translate_options());
    return 0;
  }

  // The host compiler with all options for a source of this kind.
  Words compiler(Kind kind) const {
    Words words{host_.command, "-x", kind == Kind::c ? "c" : "c++"};
    append(words, macros());
    if (kind == Kind::cuda)
      append(words, {"-D__CUDACC__"});
    if (kind == Kind::cuda && command_.relocatable)
      append(words, {"-D__CUDACC_RDC__"});
    append(words, include_options(command_, is_program_of_one_file()));
    if (kind == Kind::cuda) {
      append(words, {"-include", "cuda_runtime.h"});
      append(words, compile_options(command_, host_));
      if (is_program_of_one_file())
        words.push_back("-DCOURSE_CPU_ONE_FILE"); // course_cpu/execution.h
    }
    if (!standard(kind).empty())
      words.push_back("-std=" + standard(kind));
    if (!command_.optimization.empty() && !(command_.instrument && kind == Kind::cuda))
      words.push_back(command_.optimization);
    append(words, command_.code_options);
    append(words, command_.preprocessing);
    append(words, command_.host_options);
    return words;
  }

  // CUDA's headers are C++17 here, and so is what nvcc takes a source for.
  std::string standard(Kind kind) const {
    const std::string &given = command_.standard;
    const bool old = given == "c++03" || given == "c++11" || given == "c++14";
    if (kind == Kind::c)
      return "";
    return given.empty() ? "gnu++17" : kind == Kind::cuda && old ? "c++17" : given;
  }

  // True if no other file of the program can touch the built-in variables: host files cannot. With
  // --instrument the tools' library does.
  bool is_program_of_one_file() const {
    const auto may_touch = [this](const Input &input) {
      if (!input.is_file)
        return starts_with(input.text, "-L");
      const Kind kind = kind_of(input.text);
      return kind == Kind::cuda || kind == Kind::object;
    };
    return command_.phase == Phase::link && !command_.instrument && !command_.relocatable &&
           !command_.shared &&
           std::count_if(command_.inputs.begin(), command_.inputs.end(), may_touch) == 1;
  }

  // The second reader, where there is one and the source is CUDA C++.
  std::unique_ptr<Reading> reading(const fs::path &source) {
    if (kind_of(source) == Kind::cuda && !command_.dry_run && !second_reader().empty())
      return std::make_unique<Reading>(source, standard(Kind::cuda), command_.preprocessing,
                                       work_folder());
    return nullptr;
  }

  // The errors that the second reader finds, on stderr; whether there are none.
  bool accepts(const std::unique_ptr<Reading> &reading) const {
    std::string warnings;
    const std::string errors = reading ? reading->errors(warnings) : "";
    const Words &host = command_.host_options;
    std::cerr << (std::find(host.begin(), host.end(), "-Wall") == host.end() ? "" : warnings)
              << errors;
    return errors.empty();
  }

  int read(const fs::path &source) {
    if (second_reader().empty())
      std::cerr << "warning: without clang, host code in kernels and device code in host "
                   "functions are not found\n";
    return accepts(reading(source)) ? 0 : 1;
  }

  int compile(const fs::path &source, const fs::path &object) {
    const Kind kind = kind_of(source);
    std::unique_ptr<Reading> second;
    if (command_.second_reader == SecondReader::beside)
      second = reading(source);
    Words words = compiler(kind);
    Written written;
    fs::path input = source;
    if (kind == Kind::cuda) {
      input = work_folder() / (source.filename().string() + ".cpp");
      show({(toolkit() / "bin/nvcc").string(), "--translate", "-arch",
            "compute_" + command_.architecture, source.string(), input.string()});
      if (!command_.dry_run)
        written = translate(source, input, translate_options());
      append(words, {"-iquote", "."}); // the translation names headers from here
    }
    const fs::path rule = command_.dependency_file.empty()
                              ? fs::path(output_of_source(source, ".d")).replace_extension(".d")
                              : fs::path(command_.dependency_file);
    const bool wants_rule = command_.dependencies != Dependencies::none;
    if (wants_rule) {
      words.push_back(command_.dependencies == Dependencies::all ? "-MD" : "-MMD");
      append(words,
             rule_options(rule, command_.output.empty() ? object_of(source) : command_.output));
    }
    if (command_.dependencies == Dependencies::all && host_.kind == Compiler::gnu)
      words.push_back("-fpch-deps"); // as if the header were not precompiled
    append(words, {"-c", input.string(), "-o", object.string()});
    const int code = execute_compiler(words);
    if (code == 0 && !command_.dry_run && (!accepts(second) || !constants_fit(source, object))) {
      if (fs::is_regular_file(object)) // not /dev/null
        fs::remove(object);
      return 1;
    }
    if (code == 0 && wants_rule && !command_.dry_run)
      name_sources(rule, written);
    return code;
  }

  // -E and -M: of the source as it is.
  int preprocess(const fs::path &source) {
    Words words = compiler(kind_of(source));
    if (command_.phase == Phase::preprocess) {
      words.push_back("-E");
      if (!command_.output.empty())
        append(words, {"-o", command_.output});
    } else {
      words.push_back(command_.dependencies == Dependencies::all ? "-M" : "-MM");
      append(words, rule_options(command_.dependency_file.empty() ? command_.output
                                                                  : command_.dependency_file,
                                 object_of(source)));
    }
    words.push_back(source.string());
    return execute(words);
  }

  // Writes cuda_runtime.h, compiled for these options, to the file of -o.
  int precompile() const {
    Words words = compiler(Kind::cuda);
    *std::find(words.begin() + 1, words.end(), "c++") = "c++-header"; // that of -x
    if (command_.dependency_targets.size() == 1) // as the build of the toolkit calls it
      append(words,
             {"-MD", "-MF", command_.dependency_file, "-MQ", command_.dependency_targets[0]});
    append(words, {"/dev/null", "-o", command_.output});
    return execute(words);
  }

  // ---- dependencies ----

  static std::string object_of(const fs::path &source) {
    return source.filename().replace_extension(".o").string();
  }

  // The compiler's options for the rule that it writes to this file; empty: to stdout.
  Words rule_options(const fs::path &file, const std::string &target) const {
    Words words;
    if (!file.empty())
      append(words, {"-MF", file.string()});
    if (command_.phony_targets)
      words.push_back("-MP");
    for (const std::string &given : command_.dependency_targets)
      append(words, {"-MT", given});
    if (command_.dependency_targets.empty())
      append(words, {"-MQ", target});
    return words;
  }

  // ---- several files ----

  // Compiles what is to be compiled; returns what the linker gets, in order, or the exit code.
  int objects_and_options(Words &link) {
    std::set<fs::path> taken;
    for (const Input &input : command_.inputs) {
      if (!input.is_file) {
        const std::string &option = input.text;
        const bool is_runtime = option == "-lcudart" || option == "-lcudart_static";
        if (!is_runtime || !command_.link_runtime) // which is linked last
          link.push_back(option);
        continue;
      }
      if (kind_of(input.text) == Kind::object) {
        link.push_back(input.text);
        continue;
      }
      const std::string stem = fs::path(input.text).stem().string();
      fs::path object = work_folder() / (stem + ".o");
      for (int number = 2; !taken.insert(object).second; ++number)
        object = work_folder() / (stem + '-' + std::to_string(number) + ".o");
      if (const int code = compile(input.text, object))
        return code;
      link.push_back(object.string());
    }
    return 0;
  }

  int link() {
    Words inputs;
    if (const int code = objects_and_options(inputs))
      return code;
    const bool library = command_.phase == Phase::library;
    const std::string output = !command_.output.empty() ? command_.output
                               : library                ? "a.a"
                                                        : "a.out";
    Words words;
    if (library) {
      words = {"ar", "rcs", output};
      std::copy_if(inputs.begin(), inputs.end(), std::back_inserter(words),
                   [](const std::string &word) { return word[0] != '-'; });
      if (!command_.dry_run)
        fs::remove(output);
      return execute(words);
    }
    words = {host_.command};
    if (command_.shared)
      words.push_back("-shared");
    append(words, command_.host_options);
    append(words, library_folders());
    words.push_back("-Wl,--start-group"); // a library may stand before the file that needs it
    append(words, inputs);
    append(words, runtime_libraries(command_));
    append(words, {"-Wl,--end-group", "-o", output});
    require_libraries(command_, words);
    if (const int code = execute_linker(words))
      return code;
    if (!command_.run)
      return 0;
    Words program{output.find('/') == output.npos ? "./" + output : output};
    append(program, command_.run_arguments);
    return execute(program);
  }

  // The messages of the compiler are about CUDA C++, not about its translation.
  int execute_compiler(Words words) const {
    if (isatty(STDERR_FILENO) && !std::getenv("NO_COLOR"))
      words.insert(words.begin() + 1, "-fdiagnostics-color=always");
    // Their language is English: readable() knows no other.
    if (const char *locale = std::getenv("LC_ALL"))
      setenv("LC_CTYPE", std::string(locale).c_str(), 1);
    unsetenv("LC_ALL");
    unsetenv("LANGUAGE");
    setenv("LC_MESSAGES", "C", 1);
    std::string messages;
    const int code = execute(words, &messages);
    std::cerr << readable(messages, toolkit() / "include");
    return code;
  }

  // The messages of the linker name the objects of sources as if they lay here.
  int execute_linker(const Words &words) {
    if (!temporary_)
      return execute(words);
    std::string messages;
    const int code = execute(words, &messages);
    std::cerr << without(messages, work_folder().string() + '/');
    return code;
  }

  const Command &command_;
  Host host_;
  Words sources_;
  std::optional<TemporaryFolder> temporary_;
  fs::path work_folder_;
};

} // namespace

int drive(const Command &command) { return Driver(command).run(); }

} // namespace course_cpu::nvcc
