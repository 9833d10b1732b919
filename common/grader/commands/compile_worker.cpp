// The steps from a submission to a worker, each a process that the grader watches:
//   compile-worker SETTINGS WORKER FOLDER compile SOURCE NAME MAIN COUNTED   FOLDER/NAME.o
//     MAIN is `main` where main() is kept, renamed to NAME_main; COUNTED is `counted` where loads
//     and stores are counted. Each is '' where not.
//   compile-worker SETTINGS WORKER FOLDER link HARNESS OBJECT...   FOLDER/WORKER; the submission's
//     OBJECT first
//   compile-worker SETTINGS WORKER FOLDER read SOURCE   the second reader of the CPU backend's nvcc
//   compile-worker SETTINGS WORKER FOLDER control   a program without a fault, from the same tools
// WORKER is worker, or worker-instrumented: one whose every access a tool sees. SETTINGS: a file
// that CMake writes. COURSE_NO_WARNINGS: nobody reads them, and they take a fifth of the time.
#include "common/grader/commands/blind_spots.hpp"
#include "common/grader/commands/process.hpp"
#include "common/grader/sandbox/sandbox.hpp"

#include <cxxabi.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace course {
namespace {

namespace fs = std::filesystem;

struct Settings {
  std::string root;
  Words nvcc, flags, warnings, libraries,
      owners,     // archives whose functions a submission may not replace
      one_reader; // options without which two compilers read a file
};

// A line is a name and a word.
Settings read_settings(const fs::path &path) {
  std::ifstream file(path);
  std::map<std::string, Words> its;
  std::string name;
  for (std::string word; file >> name && std::getline(file.ignore(), word);)
    its[name].push_back(word);
  return {its["root"].at(0), its["nvcc"],   its["flags"],     its["warnings"],
          its["libraries"],  its["owners"], its["one_reader"]};
}

int run(const Words &words, const fs::path &output = {}) {
  return finish(start(words, output, output));
}

Words operator+(Words words, const Words &more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

struct Symbol {
  bool is_global, is_used_only, is_in_section; // else it is weak, defined, common or absolute
  std::string name;
};

std::string readable(const std::string &name) {
  int status = 0;
  char *text = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  const std::string result = text ? text : name;
  std::free(text);
  return result;
}

class Steps {
public:
  Steps(Settings settings, const std::string &worker, const fs::path &folder)
      : its_(std::move(settings)), worker_(worker), folder_(folder),
        is_instrumented_(worker == "worker-instrumented") {
    if (is_instrumented_)
      its_.nvcc.push_back("--instrument");
    const char *silent = std::getenv("COURSE_NO_WARNINGS");
    if (!silent || !*silent)
      its_.flags = its_.flags + its_.warnings;
  }

  int compile(const std::string &source, const std::string &name, bool has_main, bool is_counted) {
    const fs::path said = folder_ / (name + ".said"), object = folder_ / (name + ".o"),
                   dependencies = folder_ / (name + ".d"),
                   preprocessed = folder_ / (name + ".preprocessed");
    const Words nvcc = its_.nvcc + its_.one_reader + its_.flags;
    pid_t preprocessor = 0;
    if (is_instrumented_) // only its own lines matter: g++ leaves out the precompiled header
      preprocessor = start(nvcc + Words{"-Xcompiler=-fpch-preprocess", "-E", source}, preprocessed,
                           "/dev/null");
    const auto make_object = [&](const Words &more) {
      return run(nvcc + more + Words{"-MD", "-MF", dependencies, "-c", source, "-o", object},
                 said) == 0;
    };
    // Compiled again as it is where that fails (a main without a return can be no other function)
    // or a message has the other name.
    const bool is_made =
        (!has_main && make_object({"-include", its_.root + "/common/grader/worker/no_main.hpp"}) &&
         text_of_file(said).find("main_of_program") == std::string::npos) ||
        make_object({});
    std::cout << text_of_file(said);
    if (preprocessor) {
      finish(preprocessor); // where the compiler failed, too, it has said why
      std::ifstream file(preprocessed);
      if (const std::string found = blind_spot(source, is_counted, file); !found.empty()) {
        std::cout << found << "\n";
        return step_is_wrong;
      }
    }
    if (!is_made)
      return names_a_line(text_of_file(said)) ? step_is_wrong : step_failed;
    if (includes_an_answer(source, text_of_file(dependencies))) {
      std::cout << source << " includes a file of solutions/, or an answer in tests/\n";
      return step_is_wrong;
    }
    if (is_counted) // also where a header calls them
      for (const Symbol &symbol : symbols({object}))
        if (symbol.is_used_only && copies_uncounted(symbol.name)) {
          std::cout << source << " calls " << symbol.name
                    << ", whose loads and stores are not counted: what kernels load and store is "
                       "counted here\n";
          return step_is_wrong;
        }
    return run({"objcopy", "--redefine-sym", "main=" + name + "_main", object}) == 0 ? step_done
                                                                                     : step_failed;
  }

  int link(const Words &parts) {
    const Words all = parts + its_.libraries;
    for (const std::string &part : all)
      if (part[0] == '/' && !fs::exists(part)) {
        std::cout << part << " is not built; ./course check builds it\n";
        return step_is_not_built;
      }
    const std::vector<Symbol> own = symbols({parts.at(1)});
    const std::set<std::string> taken = taken_names(own, symbols(Words{parts[0]} + its_.owners));
    for (const std::string &name : taken)
      std::cout << "the file defines a name of the grader or of a library: " << readable(name)
                << "\n";
    if (!taken.empty())
      return step_is_wrong;
    const std::set<std::string> asked = names_of_the_grader(own);
    for (const std::string &name : asked)
      std::cout << "the file uses a name of the grader: " << name << "\n";
    if (!asked.empty())
      return step_is_wrong;
    umask(022); // the worker runs as another user
    const fs::path said = folder_ / "linker";
    if (run(its_.nvcc + all + Words{"-o", folder_ / worker_}, said) == 0)
      return step_done;
    return judge_linker(text_of_file(said));
  }

  int read(const std::string &source) {
    return run(its_.nvcc + its_.flags + Words{"--second-reader", "alone", source});
  }

  int control() {
    return run(its_.nvcc + its_.flags + Words{its_.root + "/common/grader/commands/control.cu"} +
               its_.libraries + Words{"-o", folder_ / "control"});
  }

private:
  // True if the compiler reports an error at a line. It reports a full disk at the line where it
  // was, too.
  static bool names_a_line(const std::string &said) {
    static const std::regex error(
        R"(:\d+(:\d+)?: (fatal )?error: (?!error (writing|closing) )|\(\d+\): error)");
    return std::regex_search(said, error);
  }

  // True if the object depends on a solution or on a known answer: for kernels without Landlock.
  // `dependencies`: a rule for make.
  bool includes_an_answer(const std::string &source, const std::string &dependencies) const {
    static const std::regex word(R"((\\[\s\S]|[^\s\\])+)"), escape(R"(\\([ #]))");
    const fs::path root = fs::weakly_canonical(its_.root), own = fs::weakly_canonical(source);
    const auto begins = [](const std::string &text, const fs::path &with) {
      return text.rfind(with.string() + "/", 0) == 0;
    };
    for (std::sregex_iterator at(dependencies.begin(), dependencies.end(), word), end; at != end;
         ++at) {
      const std::string file = fs::weakly_canonical(std::regex_replace(at->str(), escape, "$1"));
      if (file != own && (begins(file, root / "solutions") ||
                          (begins(file, root / "tests") && file.find("/answers/") != file.npos)))
        return true;
    }
    return false;
  }

  // Functions of C whose loads and stores nobody counts.
  static bool copies_uncounted(const std::string &name) {
    static const std::regex copies(
        "wmem(cpy|move|set|pcpy)|(__)?mempcpy|memccpy|bcopy|swab|__w?mem[a-z]*_chk");
    return std::regex_match(name, copies);
  }

  // The symbols of files that others see. (nm first loads the plugins of compilers, which takes ten
  // times as long.)
  std::vector<Symbol> symbols(const Words &files) const {
    const fs::path table = folder_ / "symbols";
    finish(start(Words{"readelf", "-sW"} + files, table, "/dev/null"));
    std::ifstream file(table);
    std::vector<Symbol> found;
    for (std::string line; std::getline(file, line);) {
      std::istringstream words(line);
      std::string number, value, size, type, binding, visibility, section, name;
      if (words >> number >> value >> size >> type >> binding >> visibility >> section >> name &&
          (binding == "GLOBAL" || binding == "WEAK" || binding == "UNIQUE"))
        found.push_back({binding == "GLOBAL", section == "UND",
                         section.find_first_not_of("0123456789") == section.npos, name});
    }
    return found;
  }

  // The names that a submission defines and that the harness and the runtime define, or call of
  // C's and C++'s libraries.
  static std::set<std::string> taken_names(const std::vector<Symbol> &own,
                                           const std::vector<Symbol> &owners) {
    static const std::regex of_a_library("([A-Za-z]|__real_|_Z(St|NSt|NKSt|[nd][wla])).*");
    std::set<std::string> defined, taken;
    for (const Symbol &symbol : own)
      if (!symbol.is_used_only)
        defined.insert(symbol.name);
    for (const Symbol &symbol : owners)
      if (symbol.is_global && defined.count(symbol.name) &&
          (symbol.is_in_section ||
           (symbol.is_used_only && std::regex_match(symbol.name, of_a_library))))
        taken.insert(symbol.name);
    return taken;
  }

  // The names that a submission uses and with which the grader asks the runtime, and the runtime
  // tells the tools: of device_guard.hpp and course_cpu_grader.h.
  static std::set<std::string> names_of_the_grader(const std::vector<Symbol> &own) {
    static const std::regex asked(
        R"(course_cpu::tools::.*|course(_cpu)?::((guard|limit|treat|check|counted|live|device|take|watch)_[a-z_]*|launches)\(.*)");
    std::set<std::string> names;
    for (const Symbol &symbol : own)
      if (const std::string name = readable(symbol.name);
          symbol.is_used_only && std::regex_match(name, asked))
        names.insert(name);
    return names;
  }

  // A function that the harness calls and no file defines is the contract's function.
  static int judge_linker(const std::string &said) {
    static const std::regex undefined("undefined reference to [`'](.*)'");
    std::set<std::string> missing;
    for (std::sregex_iterator at(said.begin(), said.end(), undefined), end; at != end; ++at)
      missing.insert((*at)[1]);
    for (const std::string &name : missing)
      std::cout << "the file does not define " << name << ", nor does a library of this exercise\n";
    if (!missing.empty())
      return step_is_wrong;
    std::cout << said;
    return said.find("multiple definition of") != said.npos ? step_is_wrong : step_failed;
  }

  Settings its_;
  const std::string worker_;
  const fs::path folder_;
  const bool is_instrumented_;
};

int take_step(const Words &words) {
  Steps steps(read_settings(words.at(0)), words.at(1), words.at(2));
  const std::string &step = words.at(3);
  if (step == "compile")
    return steps.compile(words.at(4), words.at(5), words.at(6) == "main", words.at(7) == "counted");
  if (step == "link")
    return steps.link(Words(words.begin() + 4, words.end()));
  if (step == "read")
    return steps.read(words.at(4));
  if (step == "control")
    return steps.control();
  throw std::runtime_error("no step: " + step);
}

} // namespace
} // namespace course

int main(int argc, char **argv) try {
  setenv("LC_ALL", "C.UTF-8", 1); // messages of compilers and linkers are parsed
  return course::take_step({argv + 1, argv + argc});
} catch (const std::exception &error) {
  std::cout << "compile-worker: " << error.what() << "\n";
  return course::step_failed;
}
