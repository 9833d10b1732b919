// Reads nvcc's options.
#include "options.hpp"

#include "toolkit.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>

namespace course_cpu::nvcc {
namespace {

class Parser {
public:
  Command run(const Words &arguments) {
    parse_words(shell_words(environment("NVCC_PREPEND_FLAGS")));
    parse_words(arguments);
    parse_words(shell_words(environment("NVCC_APPEND_FLAGS")));
    for (const std::string &word : unknown_) {
      if (!forward_)
        throw Fatal("Unknown option '" + word +
                    "'; is it one of the host compiler? -Xcompiler=" + word);
      command_.host_options.push_back(word);
    }
    return std::move(command_);
  }

private:
  using Value = const std::string &;
  struct Option {
    bool has_value;
    std::function<void(Parser &, Value)> apply;
  };

  // The options by their names, without the dashes before them.
  class Table : public std::map<std::string, Option, std::less<>> {
  public:
    Table() {
      add_phases();
      add_compilation();
      add_linking();
      add_others();
    }

  private:
    using Names = std::initializer_list<const char *>;
    using Apply = std::function<void(Parser &, Value)>;

    void add(Names names, bool has_value, const Apply &apply) {
      for (const char *name : names)
        (*this)[name] = {has_value, apply};
    }
    // Options that store what they are given, or `value`.
    void add(Names names, std::string Command::*member) {
      add(names, true, [=](Parser &p, Value v) { p.command_.*member = v; });
    }
    template <class T> void add(Names names, T Command::*member, T value) {
      add(names, false, [=](Parser &p, Value) { p.command_.*member = value; });
    }
    // Options that become others of the host compiler.
    void pass_on(Names names, Words Command::*words, const char *option) {
      add(names, false, [=](Parser &p, Value) { (p.command_.*words).push_back(option); });
    }
    // Options whose value is a list with commas.
    void add_list(Names names, const Apply &apply) {
      add(names, true, [=](Parser &p, Value v) {
        for (const std::string &item : list_items(v))
          apply(p, item);
      });
    }
    // Options with few values.
    void add_choice(Names names, const Words &values, const Apply &apply) {
      const std::string name = *std::rbegin(names);
      add(names, true, [=](Parser &p, Value v) {
        if (std::find(values.begin(), values.end(), v) == values.end())
          throw Fatal("'-" + name + ' ' + v + "': use one of: " + shown(values));
        apply(p, v);
      });
    }

    void add_phases() {
      add({"link"}, &Command::phase, Phase::link);
      add({"compile", "c"}, &Command::phase, Phase::compile);
      add({"device-c", "dc"}, false, [](Parser &p, Value) {
        p.command_.phase = Phase::compile;
        p.command_.relocatable = true;
      });
      add({"device-w", "dw"}, &Command::phase, Phase::compile);
      add({"device-link", "dlink"}, &Command::phase, Phase::device_link);
      add({"lib"}, &Command::phase, Phase::library);
      add({"preprocess", "E"}, &Command::phase, Phase::preprocess);
      add({"run"}, &Command::run, true);
      add_list({"run-args"}, [](Parser &p, Value v) { p.command_.run_arguments.push_back(v); });
      add({"translate"}, &Command::phase, Phase::translate);
      add({"precompile"}, &Command::phase, Phase::precompile);
      add({"help", "h"}, &Command::print, Print::help);
      add({"version", "V"}, &Command::print, Print::version);
      add({"list-gpu-arch", "arch-ls"}, &Command::print, Print::architectures);
      add({"list-gpu-code", "code-ls"}, &Command::print, Print::code_architectures);
      add({"ptx", "cubin", "fatbin", "cuda", "optix-ir", "ltoir"}, false, [](Parser &, Value v) {
        throw Fatal("'-" + v + "': the CPU backend makes no code for a GPU");
      });

      // Dependencies.
      add({"generate-dependencies", "M"}, false, [](Parser &p, Value) {
        p.command_.phase = Phase::dependencies;
        p.command_.dependencies = Dependencies::all;
      });
      add({"generate-nonsystem-dependencies", "MM"}, false, [](Parser &p, Value) {
        p.command_.phase = Phase::dependencies;
        p.command_.dependencies = Dependencies::without_system;
      });
      add({"generate-dependencies-with-compile", "MD"}, &Command::dependencies, Dependencies::all);
      add({"generate-nonsystem-dependencies-with-compile", "MMD"}, &Command::dependencies,
          Dependencies::without_system);
      add({"dependency-output", "MF"}, &Command::dependency_file);
      add({"dependency-target-name", "MT"}, true,
          [](Parser &p, Value v) { p.command_.dependency_targets.push_back(v); });
      add({"generate-dependency-targets", "MP"}, &Command::phony_targets, true);
    }

    void add_compilation() {
      add_list({"include-path", "I"}, [](Parser &p, Value folder) {
        // Of NVIDIA's toolkit only what is nowhere else.
        const bool is_toolkit = is_include_folder_of_other(folder);
        p.preprocess(is_toolkit ? "-idirafter" : "-I", folder);
        if (!is_toolkit)
          p.command_.include_folders.push_back(folder);
      });
      add_list({"system-include", "isystem"},
               [](Parser &p, Value v) { p.preprocess("-isystem", v); });
      add({"pre-include", "include"}, true,
          [](Parser &p, Value v) { p.preprocess("-include", v); });
      add({"define-macro", "D"}, true, [](Parser &p, Value v) { p.preprocess("-D", v); });
      add({"undefine-macro", "U"}, true, [](Parser &p, Value v) { p.preprocess("-U", v); });
      add({"optimize", "O"}, true, [](Parser &p, Value v) {
        if (v.size() != 1 || v[0] < '0' || v[0] > '3')
          throw Fatal("'-O" + v + "': use -O0, -O1, -O2 or -O3");
        p.command_.optimization = "-O" + v;
      });
      add({"std"}, true, [](Parser &p, Value v) {
        if (!starts_with(v, "c++"))
          throw Fatal("'-std=" + v + "': use c++17 or c++20");
        p.command_.standard = v;
      });
      add_choice({"x"}, {"cu", "c++", "c"}, [](Parser &p, Value v) { p.command_.language = v; });
      pass_on({"debug", "g", "device-debug", "G"}, &Command::code_options, "-g");
      pass_on({"pg", "profile"}, &Command::host_options, "-pg");
      pass_on({"disable-warnings", "w"}, &Command::code_options, "-w");
      add_list({"Werror"}, [](Parser &p, Value kind) {
        if (kind == "all-warnings")
          p.command_.code_options.push_back("-Werror");
        else if (kind == "reorder" || kind == "deprecated-declarations")
          p.command_.code_options.push_back("-Werror=" + kind);
      });
      add({"Wno-deprecated-declarations", "Wreorder"}, false,
          [](Parser &p, Value v) { p.command_.code_options.push_back("-" + v); });
      add({"fmad"}, true, [](Parser &p, Value v) {
        if (v == "false")
          p.command_.code_options.push_back("-ffp-contract=off");
      });
      add_list({"compiler-options", "Xcompiler"},
               [](Parser &p, Value v) { append(p.command_.host_options, shell_words(v)); });
      add({"compiler-bindir", "ccbin"}, &Command::host_compiler);
      add({"forward-unknown-to-host-compiler", "forward-unknown-opts"}, false,
          [](Parser &p, Value) { p.forward_ = true; });
      add_choice({"relocatable-device-code", "rdc"}, {"true", "false"},
                 [](Parser &p, Value v) { p.command_.relocatable = v == "true"; });
      add({"instrument"}, &Command::instrument, true);
      add_choice({"second-reader"}, {"none", "alone"}, [](Parser &p, Value v) {
        p.command_.second_reader = v == "none" ? SecondReader::none : SecondReader::alone;
      });
      add({"gpu-architecture", "arch", "generate-code", "gencode"}, true,
          [](Parser &p, Value v) { p.architecture(v); });
    }

    void add_linking() {
      add_list({"library", "l"}, [](Parser &p, Value v) { p.link("-l" + v); });
      add_list({"library-path", "L"}, [](Parser &p, Value v) { p.link("-L" + v); });
      add_list({"linker-options", "Xlinker"}, [](Parser &p, Value v) {
        for (const std::string &word : shell_words(v)) {
          p.link("-Xlinker");
          p.link(word);
        }
      });
      add({"shared"}, &Command::shared, true);
      add({"static"}, false, [](Parser &p, Value) { p.link("-static"); });
      add_choice({"cudart"}, {"static", "shared", "none"},
                 [](Parser &p, Value v) { p.command_.link_runtime = v != "none"; });
      add({"output-file", "o"}, &Command::output);
      add({"output-directory", "odir"}, &Command::output_folder);
    }

    void add_others() {
      add({"verbose", "v"}, &Command::verbose, true);
      add({"dryrun"}, &Command::dry_run, true);
      add({"keep", "save-temps"}, &Command::keep, true);
      add({"keep-dir"}, &Command::keep_folder);
      add_list({"options-file", "optf"}, [](Parser &p, Value path) {
        std::ifstream file(path);
        if (!file)
          throw Fatal("'" + path + "': cannot read this options file");
        p.parse_words(shell_words(std::string(std::istreambuf_iterator<char>(file), {})));
      });
      add_choice({"machine", "m"}, {"64"}, [](Parser &, Value) {});
      add({"extended-lambda", "expt-extended-lambda"}, false,
          [](Parser &p, Value) { p.preprocess("-D", "__CUDACC_EXTENDED_LAMBDA__"); });
      // Options without a meaning on a CPU, and options that do not change a program's results.
      for (const std::string &name : shell_words(
               "expt-relaxed-constexpr use_fast_math "
               "generate-line-info lineinfo resource-usage res-usage restrict "
               "extra-device-vectorization dlink-time-opt dlto lto gen-opt-lto ewp "
               "extensible-whole-program allow-unsupported-compiler no-compress "
               "Wno-deprecated-gpu-targets Wdeprecated-gpu-targets Wdefault-stream-launch "
               "Wmissing-launch-bounds Wext-lambda-captures-this display-error-number "
               "no-display-error-number dont-use-profile noprof source-in-ptx src-in-ptx "
               "no-align-double no-device-link nodlink keep-device-functions "
               "forward-unknown-to-host-linker no-host-device-initializer-list nohdinitlist "
               "no-host-device-move-forward nohdmoveforward objdir-as-tempdir "
               "disable-optimizer-constants fdevice-syntax-only device-stack-protector "
               "use-local-env m64"))
        add({name.c_str()}, false, [](Parser &, Value) {});
      for (
          const std::string &name : shell_words(
              "gpu-code code maxrregcount ptxas-options Xptxas nvlink-options Xnvlink "
              "fatbin-options Xfatbin archive-options Xarchive cudafe-options Xcudafe ftz prec-div "
              "prec-sqrt threads t split-compile diag-error diag-suppress diag-warn default-stream "
              "cudadevrt ldir target-directory target-dir dopt dlink-opt entries e time "
              "Ofast-compile Ofc compress-mode brief-diagnostics brief-diag "
              "static-global-template-stub device-entity-has-hidden-visibility nvlink-path "
              "astats ftemplate-depth ftemplate-backtrace-limit"))
        add({name.c_str()}, true, [](Parser &, Value) {});
    }
  };

  static std::string environment(const char *name) {
    const char *text = std::getenv(name);
    return text ? text : "";
  }

  void parse_words(const Words &words) {
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::string &word = words[i];
      if (word.size() < 2 || word[0] != '-')
        command_.inputs.push_back({word == "-" ? "/dev/stdin" : word, true});
      else
        i += parse_option(word, i + 1 < words.size() ? &words[i + 1] : nullptr);
    }
  }

  // Returns how many words after this one belong to it.
  std::size_t parse_option(const std::string &word, const std::string *next) {
    const std::string body = word.substr(starts_with(word, "--") ? 2 : 1);
    if (const auto option = table().find(body); option != table().end()) {
      if (!option->second.has_value) {
        option->second.apply(*this, body);
        return 0;
      }
      if (!next)
        throw Fatal("'" + word + "': expected an argument");
      option->second.apply(*this, *next);
      return 1;
    }
    const std::size_t equals = body.find('=');
    auto option = table().find(body.substr(0, equals));
    if (equals != body.npos && option != table().end() && option->second.has_value) {
      option->second.apply(*this, body.substr(equals + 1));
      return 0;
    }
    option = table().find(body.substr(0, 1));
    if (word[1] != '-' && std::string("DIULlOt").find(body[0]) != std::string::npos) {
      option->second.apply(*this, body.substr(1));
      return 0;
    }
    unknown_.push_back(word);
    return 0;
  }

  static const Table &table() {
    static const Table all;
    return all;
  }

  void preprocess(const char *option, Value value) {
    command_.preprocessing.push_back(option);
    command_.preprocessing.push_back(value);
  }

  void link(Value text) { command_.inputs.push_back({text, false}); }

  // "sm_90a", "native", "arch=compute_90,code=[compute_90,sm_90]": the number is shown by -v.
  void architecture(Value text) {
    std::string name;
    for (const char c : text + ',') {
      if (std::string(",=[]\"'").find(c) == std::string::npos) {
        name += c;
        continue;
      }
      const std::size_t number = name.find('_') + 1;
      const std::string kind = name.substr(0, number);
      const std::string of_chip = name.substr(number, name.find_last_of("0123456789") + 1 - number);
      if (kind == "sm_" || kind == "compute_" || kind == "lto_") {
        if ((' ' + std::string(chips) + ' ').find(' ' + of_chip + ' ') == std::string::npos)
          throw Fatal("Unsupported gpu architecture '" + name + "'");
        command_.architecture = of_chip;
      }
      name.clear();
    }
  }
  // Those of any CUDA, since old Makefiles name old ones.
  static constexpr const char *chips =
      "10 11 12 13 20 21 30 32 35 37 50 52 53 60 61 62 70 72 75 80 86 87 88 89 90 100 101 103 110 "
      "120 121";

  Command command_;
  Words unknown_;
  bool forward_ = false;
};

} // namespace

Command parse(const Words &arguments) { return Parser().run(arguments); }

} // namespace course_cpu::nvcc
