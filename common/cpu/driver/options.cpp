// Reads nvcc's options.
#include "options.hpp"

#include "toolkit.hpp"

#include <cstdlib>
#include <fstream>
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
    void (*apply)(Parser &, Value);
  };
  using Table = std::map<std::string, Option, std::less<>>;

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
    static const Table all = [] {
      Table table;
      const auto add = [&](std::initializer_list<const char *> names, bool has_value,
                           void (*apply)(Parser &, Value)) {
        for (const char *name : names)
          table[name] = {has_value, apply};
      };
      add_phases(add);
      add_compilation(add);
      add_linking(add);
      add_others(add);
      return table;
    }();
    return all;
  }

  template <class Add> static void add_phases(const Add &add) {
    add({"link"}, false, [](Parser &p, Value) { p.command_.phase = Phase::link; });
    add({"compile", "c"}, false, [](Parser &p, Value) { p.command_.phase = Phase::compile; });
    add({"device-c", "dc"}, false, [](Parser &p, Value) {
      p.command_.phase = Phase::compile;
      p.command_.relocatable = true;
    });
    add({"device-w", "dw"}, false, [](Parser &p, Value) { p.command_.phase = Phase::compile; });
    add({"device-link", "dlink"}, false,
        [](Parser &p, Value) { p.command_.phase = Phase::device_link; });
    add({"lib"}, false, [](Parser &p, Value) { p.command_.phase = Phase::library; });
    add({"preprocess", "E"}, false, [](Parser &p, Value) { p.command_.phase = Phase::preprocess; });
    add({"run"}, false, [](Parser &p, Value) { p.command_.run = true; });
    add({"run-args"}, true, [](Parser &p, Value v) {
      for (const std::string &item : list_items(v))
        p.command_.run_arguments.push_back(item);
    });
    add({"translate"}, false, [](Parser &p, Value) { p.command_.phase = Phase::translate; });
    add({"precompile"}, false, [](Parser &p, Value) { p.command_.phase = Phase::precompile; });
    add({"help", "h"}, false, [](Parser &p, Value) { p.command_.print = Print::help; });
    add({"version", "V"}, false, [](Parser &p, Value) { p.command_.print = Print::version; });
    add({"list-gpu-arch", "arch-ls"}, false,
        [](Parser &p, Value) { p.command_.print = Print::architectures; });
    add({"list-gpu-code", "code-ls"}, false,
        [](Parser &p, Value) { p.command_.print = Print::code_architectures; });
    for (const char *name : {"ptx", "cubin", "fatbin", "cuda", "optix-ir", "ltoir"})
      add({name}, false, [](Parser &, Value v) {
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
    add({"generate-dependencies-with-compile", "MD"}, false,
        [](Parser &p, Value) { p.command_.dependencies = Dependencies::all; });
    add({"generate-nonsystem-dependencies-with-compile", "MMD"}, false,
        [](Parser &p, Value) { p.command_.dependencies = Dependencies::without_system; });
    add({"dependency-output", "MF"}, true,
        [](Parser &p, Value v) { p.command_.dependency_file = v; });
    add({"dependency-target-name", "MT"}, true,
        [](Parser &p, Value v) { p.command_.dependency_targets.push_back(v); });
    add({"generate-dependency-targets", "MP"}, false,
        [](Parser &p, Value) { p.command_.phony_targets = true; });
  }

  template <class Add> static void add_compilation(const Add &add) {
    add({"include-path", "I"}, true, [](Parser &p, Value v) {
      for (const std::string &folder : list_items(v)) {
        // Of NVIDIA's toolkit only what is nowhere else.
        const bool is_toolkit = is_include_folder_of_other(folder);
        p.preprocess(is_toolkit ? "-idirafter" : "-I", folder);
        if (!is_toolkit)
          p.command_.include_folders.push_back(folder);
      }
    });
    add({"system-include", "isystem"}, true, [](Parser &p, Value v) {
      for (const std::string &folder : list_items(v))
        p.preprocess("-isystem", folder);
    });
    add({"pre-include", "include"}, true, [](Parser &p, Value v) { p.preprocess("-include", v); });
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
    add({"x"}, true, [](Parser &p, Value v) {
      if (v != "cu" && v != "c++" && v != "c")
        throw Fatal("'-x " + v + "': use cu, c++ or c");
      p.command_.language = v;
    });
    for (const char *name : {"debug", "g", "device-debug", "G"})
      add({name}, false, [](Parser &p, Value) { p.command_.code_options.push_back("-g"); });
    add({"pg", "profile"}, false,
        [](Parser &p, Value) { p.command_.host_options.push_back("-pg"); });
    add({"disable-warnings", "w"}, false,
        [](Parser &p, Value) { p.command_.code_options.push_back("-w"); });
    add({"Werror"}, true, [](Parser &p, Value v) {
      for (const std::string &kind : list_items(v)) {
        if (kind == "all-warnings")
          p.command_.code_options.push_back("-Werror");
        else if (kind == "reorder" || kind == "deprecated-declarations")
          p.command_.code_options.push_back("-Werror=" + kind);
      }
    });
    add({"Wno-deprecated-declarations"}, false,
        [](Parser &p, Value v) { p.command_.code_options.push_back("-" + v); });
    add({"Wreorder"}, false,
        [](Parser &p, Value v) { p.command_.code_options.push_back("-" + v); });
    add({"fmad"}, true, [](Parser &p, Value v) {
      if (v == "false")
        p.command_.code_options.push_back("-ffp-contract=off");
    });
    for (const char *name : {"ftemplate-depth", "ftemplate-backtrace-limit"})
      add({name}, true, [](Parser &, Value) {}); // clang and g++ differ in how they spell them
    add({"compiler-options", "Xcompiler"}, true, [](Parser &p, Value v) {
      for (const std::string &item : list_items(v))
        for (const std::string &word : shell_words(item))
          p.command_.host_options.push_back(word);
    });
    add({"compiler-bindir", "ccbin"}, true,
        [](Parser &p, Value v) { p.command_.host_compiler = v; });
    add({"forward-unknown-to-host-compiler", "forward-unknown-opts"}, false,
        [](Parser &p, Value) { p.forward_ = true; });
    add({"relocatable-device-code", "rdc"}, true, [](Parser &p, Value v) {
      if (v != "true" && v != "false")
        throw Fatal("'-rdc=" + v + "': use true or false");
      p.command_.relocatable = v == "true";
    });
    add({"instrument"}, false, [](Parser &p, Value) { p.command_.instrument = true; });
    add({"second-reader"}, true, [](Parser &p, Value v) {
      if (v != "none" && v != "alone")
        throw Fatal("'--second-reader=" + v + "': use none or alone");
      p.command_.second_reader = v == "none" ? SecondReader::none : SecondReader::alone;
    });
    add({"gpu-architecture", "arch"}, true, [](Parser &p, Value v) { p.architecture(v); });
    add({"generate-code", "gencode"}, true, [](Parser &p, Value v) { p.architecture(v); });
  }

  template <class Add> static void add_linking(const Add &add) {
    add({"library", "l"}, true, [](Parser &p, Value v) {
      for (const std::string &name : list_items(v))
        p.link("-l" + name);
    });
    add({"library-path", "L"}, true, [](Parser &p, Value v) {
      for (const std::string &folder : list_items(v))
        p.link("-L" + folder);
    });
    add({"linker-options", "Xlinker"}, true, [](Parser &p, Value v) {
      for (const std::string &item : list_items(v))
        for (const std::string &word : shell_words(item)) {
          p.link("-Xlinker");
          p.link(word);
        }
    });
    add({"shared"}, false, [](Parser &p, Value) { p.command_.shared = true; });
    add({"static"}, false, [](Parser &p, Value) { p.link("-static"); });
    add({"cudart"}, true, [](Parser &p, Value v) {
      if (v != "none" && v != "static" && v != "shared")
        throw Fatal("'-cudart=" + v + "': use static, shared or none");
      p.command_.link_runtime = v != "none";
    });
    add({"output-file", "o"}, true, [](Parser &p, Value v) { p.command_.output = v; });
    add({"output-directory", "odir"}, true,
        [](Parser &p, Value v) { p.command_.output_folder = v; });
  }

  template <class Add> static void add_others(const Add &add) {
    add({"verbose", "v"}, false, [](Parser &p, Value) { p.command_.verbose = true; });
    add({"dryrun"}, false, [](Parser &p, Value) { p.command_.dry_run = true; });
    add({"keep", "save-temps"}, false, [](Parser &p, Value) { p.command_.keep = true; });
    add({"keep-dir"}, true, [](Parser &p, Value v) { p.command_.keep_folder = v; });
    add({"options-file", "optf"}, true, [](Parser &p, Value v) {
      for (const std::string &path : list_items(v)) {
        std::ifstream file(path);
        if (!file)
          throw Fatal("'" + path + "': cannot read this options file");
        p.parse_words(shell_words(std::string(std::istreambuf_iterator<char>(file), {})));
      }
    });
    add({"machine", "m"}, true, [](Parser &, Value v) {
      if (v != "64")
        throw Fatal("'-m" + v + "': only 64 bits");
    });
    add({"m64"}, false, [](Parser &, Value) {});
    add({"extended-lambda", "expt-extended-lambda"}, false,
        [](Parser &p, Value) { p.preprocess("-D", "__CUDACC_EXTENDED_LAMBDA__"); });
    // Options without a meaning on a CPU, and options that do not change a program's results.
    for (const std::string &name :
         shell_words("expt-relaxed-constexpr use_fast_math "
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
                     "use-local-env"))
      add({name.c_str()}, false, [](Parser &, Value) {});
    for (const std::string &name : shell_words(
             "gpu-code code maxrregcount ptxas-options Xptxas nvlink-options Xnvlink "
             "fatbin-options Xfatbin archive-options Xarchive cudafe-options Xcudafe ftz prec-div "
             "prec-sqrt threads t split-compile diag-error diag-suppress diag-warn default-stream "
             "cudadevrt ldir target-directory target-dir dopt dlink-opt entries e time "
             "Ofast-compile Ofc compress-mode brief-diagnostics brief-diag "
             "static-global-template-stub device-entity-has-hidden-visibility nvlink-path "
             "astats"))
      add({name.c_str()}, true, [](Parser &, Value) {});
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
