// Grades banks: every verdict must be the expected one. `bank --help` has the options.
#include "tests/grader/bank.hpp"
#include "tests/grader/grading.hpp"

#include <CLI/CLI.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>

namespace fs = std::filesystem;

namespace {

using course::BankEntry, course::Exercise, course::Verdict;

const fs::path root = COURSE_ROOT;

// Exercises of the grader's own have none.
fs::path solution_of(const Exercise &exercise) {
  return root / "solutions" / (exercise.full_name() + ".cu");
}

struct Options {
  std::vector<std::string> exercises;
  std::string tool, entry;
};

// Why an entry is not graded now; empty: it is.
std::string reason_to_skip(const Exercise &exercise, const BankEntry &entry,
                           const std::string &tool) {
  if (entry.cpu_only && COURSE_CUDA)
    return "on a GPU it may be right by luck";
  if (!tool.empty())
    return entry.expected == "pass" || course::is_one_of(course::Kind::fault, entry.expected)
               ? ""
               : "it is wrong without a tool";
  if (entry.expected == "work" && !course::is_counted(exercise))
    return "loads and stores are not counted here";
  return entry.expected == "fault" ? "only a tool finds it (--tool)" : "";
}

// How an entry of a lesson is run. What its values alone refuse is not compiled a second time, to
// be counted: in the judges counted cases come after the values, so its verdict is the same.
course::Runs runs_for(const Exercise &exercise, const BankEntry &entry, const std::string &tool) {
  course::Runs runs{tool.empty(), tool};
  runs.counts = !fs::exists(solution_of(exercise));
  for (const course::Kind kind : {course::Kind::pass, course::Kind::work, course::Kind::compile})
    runs.counts = runs.counts || course::is_one_of(kind, entry.expected);
  return runs;
}

// In which orders of the threads a tool looks at an entry, on the CPU backend; "": in the judge's,
// another for each case, as for `check`. The solution and what a tool has to find: in each.
std::vector<std::string> orders_for(const Exercise &exercise, const BankEntry &entry) {
  if (entry.expected == "pass" && entry.name != exercise.name && fs::exists(solution_of(exercise)))
    return {""};
  return {"forward", "reverse", "random:1"};
}

// Prints a line for each verdict. Returns how many are not the expected one.
int grade(const Exercise &exercise, const BankEntry &entry, const Options &options) {
  const course::PrivateFolder folder;
  const fs::path file = fs::path(folder.path()) / (entry.name + ".cu");
  std::ofstream(file) << entry.text;
  const course::Submission submission(exercise, file, runs_for(exercise, entry, options.tool));

  const auto orders = orders_for(exercise, entry);
  const char *const seeds = std::getenv("COURSE_SEEDS");
  int rounds = seeds ? std::max(1, std::atoi(seeds)) : 1;
  if (!options.tool.empty())
    rounds = COURSE_CUDA ? 1 : int(orders.size());
  int wrong = 0;
  for (int k = 0; k < rounds; ++k) {
    if (!options.tool.empty() && !COURSE_CUDA)
      setenv("COURSE_CPU_ORDER", orders[k].c_str(), 1);
    Verdict verdict = submission.judge();
    const std::string temporary = folder.path() + "/";
    for (std::size_t at; (at = verdict.message.find(temporary)) != std::string::npos;)
      verdict.message.erase(at, temporary.size());
    const bool right = course::is_one_of(verdict.kind, entry.expected);
    wrong += !right;
    std::cout << (right ? "ok     " : "WRONG  ") << entry.name << ": " << name(verdict.kind);
    if (!right)
      std::cout << ", expected " << entry.expected;
    if (!right || !options.entry.empty())
      std::cout << "\n" << course::indented(verdict.message);
    else
      std::cout << "\n";
    std::cout << std::flush;
    if (verdict.kind == course::Kind::timeout || verdict.kind == course::Kind::deadlock)
      break; // other numbers wait as long
  }
  return wrong;
}

int grade(const Exercise &exercise, const Options &options) {
  std::vector<BankEntry> bank = course::read_bank(root, exercise.full_name());
  const fs::path solution = solution_of(exercise);
  if (fs::exists(solution))
    bank.push_back({exercise.name, "pass", false, "", course::text_of_file(solution)});
  int wrong = 0;
  bool found = false;
  for (const BankEntry &entry : bank) {
    if (!options.entry.empty() && entry.name != options.entry)
      continue;
    found = true;
    const std::string reason = reason_to_skip(exercise, entry, options.tool);
    if (reason.empty())
      wrong += grade(exercise, entry, options);
    else
      std::cout << "skip   " << entry.name << ": " << reason << std::endl;
  }
  if (!found)
    throw std::runtime_error("the bank of " + exercise.full_name() + " has no " + options.entry);
  return wrong;
}

} // namespace

int main(int argc, char **argv) try {
  course::begin_grading();
  Options options;
  CLI::App app("Grades the banks of exercises: every verdict must be the expected one.\n"
               "Exit code: 0 all are; 1 some are not; 2 grading itself failed.",
               "bank");
  app.add_option("EXERCISE", options.exercises, "NN-slug/name, or NN-slug for all of a lesson")
      ->required();
  app.add_option("--entry", options.entry, "Grade only this entry, and print what is said of it");
  app.add_option("--tool", options.tool,
                 "Grade under memcheck, racecheck, initcheck, synccheck or all of them: the "
                 "solution and the entries that pass must be clean, those that expect `fault` "
                 "must be found; the solution and these in three orders of the threads");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    return app.exit(error) ? 2 : 0;
  }

  setenv("COURSE_FIRST_FAILURE", "1", 0); // the rest would say the same
  // A bank has memory bombs and endless loops: they need not press the machine. A GPU's context
  // takes seconds where many processes begin at once.
  if (options.tool.empty()) {
    setenv("COURSE_LIMIT_MEMORY_MIB", COURSE_CUDA ? "1024" : "512", 0);
    setenv("COURSE_LIMIT_SECONDS", COURSE_CUDA ? "20" : "5", 0);
  }
  int wrong = 0;
  for (const std::string &word : options.exercises)
    for (const Exercise &exercise : course::matching(word))
      wrong += grade(exercise, options);
  return wrong > 0 ? 1 : 0;
} catch (const std::exception &error) {
  std::cerr << "bank: " << error.what() << "\n";
  return 2;
}
