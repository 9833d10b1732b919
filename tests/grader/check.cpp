// check NN-slug[/name]...: compiles and judges a learner's exercises, built for one backend.
//   --file FILE   grades this file instead of exercises/NN-slug/name.cu
//   --expect KIND[|KIND...]  succeeds when that is the verdict (pass, not-started, or a kind of
//                 tests/README.md); 77 (skipped; not in CI) when a file expected untouched is begun
//   --bank        grades all files of tests/bank/NN-slug/name by the `// expect:` in their first
//                 line
//   --tool TOOL   under a check (memcheck, racecheck, initcheck, synccheck or all), whose report is
//                 a verdict. With --bank: the solution and the files that pass must be clean in
//                 three orders; those that expect `check` must be found out; the others are left
//                 out
// Exit code: 0 all pass; 1 something is wrong; 4 nothing is wrong, something is not started;
// 2 grading itself failed.
#include "tests/grader/holes.hpp"
#include "tests/grader/process.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>

namespace fs = std::filesystem;

namespace {

const fs::path root = COURSE_ROOT, build = COURSE_BUILD;

struct Exercise {
  std::string lesson, name; // "03-add-list", "axpby"
  fs::path judge, harness;
  bool counted; // its judge also needs the checked worker, which counts loads and stores
  std::string full_name() const { return lesson + "/" + name; }
};

// What CMake lists in tests/exercises.txt: lesson, name, judge, harness and perhaps "counted",
// separated by tabs.
std::vector<Exercise> all_exercises() {
  std::ifstream file(build / "tests/exercises.txt");
  std::vector<Exercise> all;
  for (std::string line; std::getline(file, line);) {
    std::istringstream fields(line);
    std::string lesson, name, judge, harness, counted;
    std::getline(fields, lesson, '\t');
    std::getline(fields, name, '\t');
    std::getline(fields, judge, '\t');
    std::getline(fields, harness, '\t');
    std::getline(fields, counted, '\t');
    all.push_back({lesson, name, judge, harness, counted == "counted"});
  }
  return all;
}

std::string text_of(const fs::path &path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// Runs a program of the grader's own with its output in a file and some variables more. Returns the
// exit code, or 128 + signal.
int run(std::vector<std::string> words, const fs::path &output,
        const std::map<const char *, std::string> &variables = {}) {
  std::fflush(nullptr);
  pid_t child = fork();
  if (child == 0) {
    int file = open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(file, 1);
    dup2(file, 2);
    for (auto &[name, value] : variables)
      setenv(name, value.c_str(), 1);
    std::vector<char *> arguments;
    for (std::string &word : words)
      arguments.push_back(word.data());
    arguments.push_back(nullptr);
    execv(arguments[0], arguments.data());
    _exit(127);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child)
    throw std::runtime_error("cannot run " + words[0]);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

std::string tool; // --tool

struct Verdict {
  std::string kind = "pass"; // pass, not-started, or what is wrong
  int passed = 0, cases = 0;
  std::string title, message;    // of the first case that fails
  std::vector<std::string> also; // titles of others that fail
};

// Files of the course are named from its root.
std::string with_short_paths(std::string line) {
  const std::string prefix = root.string() + "/";
  for (std::size_t at; (at = line.find(prefix)) != line.npos;)
    line.erase(at, prefix.size());
  return line;
}

// Reads what the judge recorded: "kind, tab, title", then its message's lines, indented by one.
Verdict read_result(const fs::path &path) {
  Verdict verdict;
  std::ifstream file(path);
  bool first = false;
  for (std::string line; std::getline(file, line);) {
    if (line[0] == ' ') {
      if (first)
        verdict.message += with_short_paths(line.substr(1)) + "\n";
      continue;
    }
    const std::string kind = line.substr(0, line.find('\t')), title = line.substr(kind.size() + 1);
    ++verdict.cases;
    verdict.passed += kind == "pass";
    first = kind != "pass" && kind != "skipped" && verdict.kind == "pass";
    if (first) {
      verdict.kind = kind;
      verdict.title = title;
    } else if (kind != "pass" && kind != "skipped")
      verdict.also.push_back(title);
  }
  return verdict;
}

// A compiled submission, in a folder that is removed with it.
class Submission {
public:
  // Throws std::runtime_error when the grader's own parts are missing.
  Submission(const Exercise &exercise, const fs::path &file) : exercise_(exercise) {
    const bool checked = !tool.empty() && !COURSE_CUDA;
    compiled_ = (checked || compile(file, worker_)) &&
                (!(checked || exercise.counted) || compile(file, worker_checked_));
    if (checked)
      worker_ = worker_checked_;
    fs::permissions(folder(), fs::perms(0711)); // the worker, another user, runs in a folder below
  }

  // Asks the judge. Throws std::runtime_error when the judge itself fails.
  Verdict judge() const {
    Verdict verdict;
    if (!compiled_) {
      verdict.kind = "compile";
      verdict.message = text_of(folder() / "compiler");
      return verdict;
    }
    const int code =
        run({exercise_.judge}, folder() / "log",
            {{"COURSE_WORKER", folder() / worker_},
             {"COURSE_WORKER_CHECKED", exercise_.counted ? folder() / worker_checked_ : fs::path()},
             {"COURSE_TOOL", tool},
             {"COURSE_RESULT", folder() / "result"},
             {"TMPDIR", folder()}});
    if (code == 128 + SIGINT || code == 128 + SIGTERM)
      throw std::runtime_error("interrupted");
    verdict = read_result(folder() / "result");
    const bool consistent = code == 0 ? verdict.kind == "pass" && verdict.cases > 0
                                      : verdict.kind != "pass" && code < 128;
    if (!consistent)
      throw std::runtime_error("the judge of " + exercise_.full_name() + " failed (exit code " +
                               std::to_string(code) + "):\n" + text_of(folder() / "log"));
    if (course::living_descendants() > 0) {
      course::kill_descendants();
      throw std::runtime_error(exercise_.full_name() + ": a process was left behind");
    }
    return verdict;
  }

private:
  // False: the submission does not compile.
  bool compile(const fs::path &file, const char *worker) {
    const int code = run({COURSE_ROOT "/tests/grader/compile-worker.sh",
                          build / "tests/settings.sh", file, exercise_.harness, folder(), worker},
                         folder() / "compiler");
    if (code > 1)
      throw std::runtime_error("compiling for " + exercise_.full_name() + " failed:\n" +
                               text_of(folder() / "compiler"));
    return code == 0;
  }
  fs::path folder() const { return folder_.path(); }
  course::PrivateFolder folder_;
  const Exercise &exercise_;
  const char *worker_ = "worker", *worker_checked_ = "worker-checked";
  bool compiled_;
};

std::string colour(const char *code, const std::string &text) {
  const char *plain = std::getenv("NO_COLOR");
  if ((plain && *plain) || !isatty(1))
    return text;
  return std::string("\033[") + code + "m" + text + "\033[0m";
}

void print(const Exercise &exercise, const fs::path &file, const Verdict &verdict) {
  const std::string name = exercise.full_name();
  const std::string shown = fs::relative(file, root).string();
  if (verdict.kind == "not-started") {
    std::cout << colour("90", "· " + name + "  not started: fill in the holes (TODO) of " + shown)
              << "\n";
    return;
  }
  if (verdict.kind == "pass") {
    std::cout << colour("32", "✓ " + name) << "  all " << verdict.cases << " public tests pass";
    std::cout << (tool.empty() ? "\n" : ", and the checks find nothing\n");
    return;
  }
  if (verdict.kind == "compile") {
    std::cout << colour("31", "✗ " + name) << "  does not compile:\n" << verdict.message;
    return;
  }
  std::cout << colour("31", "✗ " + name) << " · \"" << verdict.title << "\"      " << verdict.passed
            << " of " << verdict.cases << " public tests pass\n  " << verdict.message;
  for (std::size_t i = 0; i < std::min<std::size_t>(verdict.also.size(), 5); ++i)
    std::cout << "  also wrong: \"" << verdict.also[i] << "\"\n";
  if (verdict.also.size() > 5)
    std::cout << "  and " << verdict.also.size() - 5 << " more\n";
  std::cout << "  Look: " << shown << "\n";
}

Verdict grade(const Exercise &exercise, const fs::path &file) {
  if (course::untouched(file, exercise.full_name(), root / "tests/starters.txt")) {
    Verdict verdict;
    verdict.kind = "not-started";
    return verdict;
  }
  return Submission(exercise, file).judge();
}

bool is_one_of(const std::string &kind, const std::string &kinds) {
  return ("|" + kinds + "|").find("|" + kind + "|") != std::string::npos;
}

// What a bank file's first line expects.
struct Expectation {
  std::string kinds;     // "pass", or the kinds of failure, separated by '|'
  bool cpu_only = false; // a GPU may let it pass: a race that luck hides
};

Expectation expectation(const fs::path &file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  const std::string fail = "// expect: fail because=", on_cpu = " on=cpu";
  if (line == "// expect: pass")
    return {"pass"};
  if (line.rfind(fail, 0) == 0 && line.size() > fail.size()) {
    const std::size_t end = line.find(on_cpu);
    if (end == std::string::npos || end + on_cpu.size() == line.size())
      return {line.substr(fail.size(), end - fail.size()), end != std::string::npos};
  }
  throw std::runtime_error(file.string() + ":1: `// expect: pass` or `// expect: fail "
                                           "because=KIND [on=cpu]` is missing");
}

// Why a file of a bank is not graded now; empty: it is.
std::string reason_to_skip(const Exercise &exercise, const std::string &expected) {
  if (!tool.empty())
    return expected == "pass" || is_one_of("check", expected) ? "" : "it is wrong without checks";
  if (expected == "work" && !exercise.counted)
    return "loads and stores are not counted here";
  return expected == "check" ? "only checks find it (--tool)" : "";
}

// Grades every file of an exercise's bank, COURSE_SEEDS times with other numbers, or with a tool in
// three orders. Returns how many verdicts are not the expected one.
int run_bank(const Exercise &exercise) {
  const fs::path folder = root / "tests/bank" / exercise.lesson / exercise.name;
  const char *wanted = std::getenv("COURSE_SEEDS");
  const int seeds = wanted ? std::max(1, std::atoi(wanted)) : 1;
  const char *const orders[] = {"forward", "reverse", "random:1"};
  const int rounds = tool.empty() ? seeds : COURSE_CUDA ? 1 : 3;
  // A bank has memory bombs and endless loops: they need not press the machine.
  if (tool.empty()) {
    setenv("COURSE_LIMIT_MEMORY_MIB", COURSE_CUDA ? "1024" : "512", 0);
    setenv("COURSE_LIMIT_SECONDS", "5", 0);
    setenv("COURSE_FIRST_FAILURE", "1", 0); // the rest would say the same
  }
  std::vector<fs::path> files;
  for (auto &entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".cu")
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  if (files.empty())
    throw std::runtime_error(folder.string() + " has no .cu file");
  const fs::path solution = root / "solutions" / exercise.lesson / (exercise.name + ".cu");
  if (!tool.empty() && fs::exists(solution))
    files.push_back(solution);
  int wrong = 0;
  for (const fs::path &file : files) {
    const auto [expected, cpu_only] = file == solution ? Expectation{"pass"} : expectation(file);
    if (const std::string reason = reason_to_skip(exercise, expected); !reason.empty()) {
      std::cout << "skip   " << file.stem().string() << ": " << reason << "\n";
      continue;
    }
    if (cpu_only && COURSE_CUDA) {
      std::cout << "skip   " << file.stem().string() << ": on a GPU luck decides\n";
      continue;
    }
    const bool begun = !course::untouched(file, exercise.full_name(), root / "tests/starters.txt");
    Submission submission(exercise, file);
    for (int k = 0; k < rounds; ++k) {
      if (!tool.empty() && !COURSE_CUDA)
        setenv("COURSE_CPU_ORDER", orders[k], 1);
      Verdict verdict;
      verdict.kind = "not-started";
      if (begun)
        verdict = submission.judge();
      const bool right = is_one_of(verdict.kind, expected);
      wrong += !right;
      std::cout << (right ? "ok     " : "WRONG  ") << file.stem().string() << ": " << verdict.kind
                << (right ? "" : ", expected " + expected + "\n  " + verdict.message) << std::endl;
      if (verdict.kind == "timeout" || verdict.kind == "deadlock")
        break; // other numbers wait as long
    }
  }
  return wrong;
}

std::vector<Exercise> matching(const std::string &word) {
  std::vector<Exercise> found;
  for (const Exercise &exercise : all_exercises())
    if (exercise.full_name() == word || exercise.lesson == word)
      found.push_back(exercise);
  if (found.empty())
    throw std::runtime_error("no exercise " + word + "; ./course list shows them");
  return found;
}

} // namespace

int main(int argc, char **argv) try {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  for (int number : {SIGINT, SIGTERM}) // ends the judge; what is ours is removed first
    std::signal(number, [](int) {});
  std::string file, expected;
  bool bank = false;
  std::vector<Exercise> chosen;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--bank")
      bank = true;
    else if ((word == "--file" || word == "--expect" || word == "--tool") && i + 1 < argc)
      (word == "--file" ? file : word == "--tool" ? tool : expected) = argv[++i];
    else
      for (const Exercise &exercise : matching(word))
        chosen.push_back(exercise);
  }
  if (chosen.empty()) {
    std::cerr
        << "usage: check [--file FILE] [--expect KIND] [--bank] [--tool TOOL] NN-slug[/name]...\n";
    return 2;
  }
  bool wrong = false, not_started = false;
  for (const Exercise &exercise : chosen) {
    if (bank) {
      wrong |= run_bank(exercise) > 0;
      continue;
    }
    const fs::path its_file = file.empty()
                                  ? root / "exercises" / exercise.lesson / (exercise.name + ".cu")
                                  : fs::path(file);
    const Verdict verdict = grade(exercise, its_file);
    print(exercise, its_file, verdict);
    if (!expected.empty()) {
      if (expected == "not-started" && verdict.kind != expected)
        return course::begun_exit_code();
      wrong |= !is_one_of(verdict.kind, expected);
      continue;
    }
    not_started |= verdict.kind == "not-started";
    wrong |= verdict.kind != "pass" && verdict.kind != "not-started";
  }
  return wrong ? 1 : not_started ? 4 : 0;
} catch (const std::exception &error) {
  std::cerr << "check: " << error.what() << "\n";
  return 2;
}
