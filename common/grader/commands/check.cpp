// Compiles and judges a learner's exercises, built for one backend. `check --help` has the options.
#include "common/grader/commands/grading.hpp"
#include "common/grader/commands/holes.hpp"
#include "common/grader/sandbox/confine.hpp"
#include "common/grader/sandbox/text.hpp"

#include <CLI/CLI.hpp>

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>

namespace fs = std::filesystem;

namespace {

using course::Exercise, course::Kind, course::Verdict;

struct Options {
  std::vector<std::string> exercises;
  std::string file, tool, format = "text", registry = course::course_registry;
  course::Order order = course::order_of_environment();

  // Without a tool that is asked for: values first, and the tools where they need no GPU.
  course::Runs runs() const { return {tool.empty(), tool.empty() && COURSE_COUNTS ? "all" : tool}; }
};

std::string colour(const char *code, const std::string &text) {
  const char *plain = std::getenv("NO_COLOR");
  if ((plain && *plain) || !isatty(1))
    return text;
  return std::string("\033[") + code + "m" + text + "\033[0m";
}

// "all 11 cases pass, and the tools find no error"
std::string praise(const Verdict &verdict, const std::string &tool) {
  const std::string number = verdict.cases == 1
                                 ? "its only case passes"
                                 : "all " + std::to_string(verdict.cases) + " cases pass";
  if (tool.empty())
    return number;
  return number + ", and " + (tool == "all" ? "the tools find" : tool + " finds") + " no error";
}

void print(const Verdict &verdict, const std::string &tool) {
  const std::string &name = verdict.exercise;
  if (!verdict.warnings.empty())
    std::cout << "! " << name << "  the compiler warns:\n" << course::indented(verdict.warnings);
  switch (verdict.kind) {
  case Kind::not_started:
    std::cout << colour("90", "· " + name + "  not started: fill in the TODOs in " + verdict.file)
              << "\n";
    return;
  case Kind::pass:
    std::cout << colour("32", "✓ " + name) << "  " << praise(verdict, tool)
              << colour("90", "  (seed " + verdict.seed + ")") << "\n";
    return;
  case Kind::compile:
    std::cout << colour("31", "✗ " + name) << "  does not compile:\n"
              << course::indented(text_of(verdict.remarks));
    return;
  default:
    break;
  }
  std::cout << colour("31", "✗ " + name) << " · \"" << verdict.title << "\"      " << verdict.passed
            << " of " << verdict.cases << (verdict.cases == 1 ? " case passes\n" : " cases pass\n")
            << course::indented(text_of(verdict.remarks))
            << "  Run this case again: " << verdict.rerun << "\n";
  if (const std::size_t others = verdict.also.size())
    std::cout << "  Also wrong: \"" << verdict.also[0] << "\""
              << (others > 1 ? " and " + std::to_string(others - 1) + " more" : "") << "\n";
  std::cout << "  File: " << verdict.file << "\n";
}

// Records the verdict on a learner's own file for ./course list, and the file as it was judged.
void record(const Verdict &verdict, const std::string &text) {
  const fs::path path = fs::path(COURSE_ROOT "/build/progress/verdicts") / verdict.exercise;
  std::error_code ignored; // another's build folder
  fs::create_directories(path.parent_path(), ignored);
  std::ofstream(path.string() + fs::path(verdict.file).extension().string()) << text;
  std::ofstream(path.string() + ".state") << state_of(verdict) << "\n";
}

// True if the machine's limits may be the reason. The compiler names errors in a file, and
// otherwise a control is compiled.
bool may_come_of_limits(Kind kind) {
  return kind != Kind::pass && kind != Kind::not_started && kind != Kind::compile;
}

// The verdict on an exercise; where grading itself fails one that says so.
Verdict judge(const Exercise &exercise, const Options &options) {
  const std::string its_file = "exercises/" + exercise.file();
  const bool is_own = options.file.empty() && options.tool.empty() && options.order.only == 0;
  const fs::path file = options.file.empty() ? COURSE_ROOT "/" + its_file : options.file;
  Verdict verdict{exercise.full_name(), options.file.empty() ? its_file : options.file};
  std::string text;
  try {
    text = is_own ? course::text_of_file(file) : "";
    verdict = course::Submission(exercise, file, options.runs()).judge(options.order);
  } catch (const course::Interrupted &) {
    throw;
  } catch (const std::exception &error) {
    verdict.kind = Kind::error;
    verdict.remarks = {{error.what()}};
  }
  const std::string limit = course::tight_limit();
  if (!limit.empty() && may_come_of_limits(verdict.kind)) {
    verdict.kind = Kind::error;
    verdict.remarks.insert(verdict.remarks.begin(), {limit});
  }
  if (is_own && verdict.kind != Kind::error)
    record(verdict, text);
  return verdict;
}

// Returns the exit code.
int grade(const std::vector<Exercise> &exercises, const Options &options) {
  bool failed = false, wrong = false, not_started = false;
  for (const Exercise &exercise : exercises) {
    const auto start = std::chrono::steady_clock::now();
    Verdict verdict = judge(exercise, options);
    const std::chrono::duration<double> duration = std::chrono::steady_clock::now() - start;
    verdict.seconds = duration.count();
    verdict.max_points = exercise.points;
    if (options.format == "json")
      std::cout << to_json(verdict) << std::endl;
    else if (verdict.kind != Kind::error)
      print(verdict, exercise.in_python() ? "" : options.runs().tool);
    if (verdict.kind == Kind::error) {
      std::cerr << "check: " << verdict.exercise << " could not be checked, so " << verdict.file
                << " may be right:\n"
                << course::indented(text_of(verdict.remarks));
      failed = true;
      continue;
    }
    not_started |= verdict.kind == Kind::not_started;
    wrong |= verdict.kind != Kind::pass && verdict.kind != Kind::not_started;
  }
  return failed ? 2 : wrong ? 1 : not_started ? 4 : 0;
}

} // namespace

int main(int argc, char **argv) try {
  course::begin_grading();
  Options options;
  CLI::App app("Compiles and judges exercises.\n"
               "Exit code: 0 all pass; 1 something is wrong; 4 nothing is wrong, but something is "
               "not started; 2 the grader itself failed, and the files may be right.",
               "check");
  app.add_option("EXERCISE", options.exercises, "NN-slug/name, or NN-slug for all of a lesson")
      ->required();
  app.add_option("--file", options.file, "Grade this file instead of exercises/NN-slug/name.cu");
  app.add_option("--registry", options.registry, "Take the exercises from this file")
      ->check(CLI::ExistingFile)
      ->capture_default_str();
  app.add_option("--tool", options.tool,
                 "Run only under memcheck, racecheck, initcheck, synccheck or all of them: an "
                 "error that they find is a verdict. Without a GPU, a file that passes always runs "
                 "under all of them");
  app.add_option("--format", options.format,
                 "Print the verdicts as text, or each as a line of JSON")
      ->check(CLI::IsMember({"text", "json"}));
  app.add_flag_callback(
      "--isolation",
      [] {
        std::cout << name(course::isolation()) << ": " << meaning(course::isolation()) << "\n";
        throw CLI::Success();
      },
      "Print how submissions are isolated on this machine, and end");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    return app.exit(error) ? 2 : 0;
  }

  std::vector<Exercise> exercises;
  for (const std::string &word : options.exercises)
    for (const Exercise &exercise : course::matching(word, options.registry))
      exercises.push_back(exercise);
  return grade(exercises, options);
} catch (const std::exception &error) {
  std::cerr << "check: " << error.what() << "\n";
  return 2;
}
