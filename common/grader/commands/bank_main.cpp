// Grades banks: every verdict must be the expected one. `bank --help` has the options.
#include "common/grader/commands/bank.hpp"
#include "common/grader/commands/grading.hpp"
#include "common/grader/judge/environment.hpp"
#include "common/grader/sandbox/text.hpp"

#include <CLI/CLI.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>

namespace fs = std::filesystem;

namespace {

using course::BankEntry, course::Exercise, course::Submission, course::Verdict;

// An exercise of another registry may have none.
fs::path solution_of(const Exercise &exercise) {
  return fs::path(COURSE_ROOT "/solutions") / exercise.file();
}

// One seed, which is fixed, unless the environment has another; and what is wrong twice would say
// the same.
course::Order usual_order() {
  course::Order order = course::order_of_environment();
  order.seed = course::variable("COURSE_SEED", "1");
  order.stops_at_wrong = !std::getenv("COURSE_FIRST_FAILURE") || order.stops_at_wrong;
  return order;
}

struct Options {
  std::vector<std::string> exercises;
  std::string tool, entry, tier, registry = course::course_registry;
  int seeds = 1; // if more, from 1 on; else the one of the order
  course::Order order = usual_order();
};

bool is_for_tools(const BankEntry &entry) {
  return entry.expected == "pass" || course::is_one_of(course::Kind::fault, entry.expected);
}

// Why an entry is not graded now; empty: it is.
std::string reason_to_skip(const Exercise &exercise, const BankEntry &entry,
                           const Options &options) {
  if (entry.cpu_only && COURSE_CUDA)
    return "on a GPU it may be right by luck";
  if (!options.tool.empty() && is_for_tools(entry))
    return "";
  if (!options.tool.empty() && options.tier.empty())
    return "it is wrong without a tool";
  if (entry.expected == "work" && !course::is_counted(exercise))
    return "loads and stores are not counted here";
  return entry.expected == "fault" ? "only a tool finds it (--tool)" : "";
}

// How the values of an entry are judged. What its values alone refuse is not compiled a second
// time, to be counted: in the judges counted cases come after the values, so its verdict is the
// same.
course::Runs values_of(const Exercise &exercise, const BankEntry &entry) {
  course::Runs runs;
  runs.reads = entry.expected == "compile"; // it takes as long as compiling
  runs.counts = !fs::exists(solution_of(exercise));
  for (const course::Kind kind : {course::Kind::pass, course::Kind::work, course::Kind::compile})
    runs.counts = runs.counts || course::is_one_of(kind, entry.expected);
  return runs;
}

// True if a tool checks the entry: in the tier commit only the solution, and faults that only a
// tool finds.
bool has_tool(const Exercise &exercise, const BankEntry &entry, const Options &options) {
  if (exercise.in_python() ||
      (options.tier == "commit" && entry.name != exercise.name && entry.expected != "fault"))
    return false;
  return !options.tool.empty() && is_for_tools(entry);
}

// In which orders of the threads a tool looks at an entry, on the CPU backend; "": in the judge's,
// another for each case, as for `check`. The solution and what a tool has to find: in each.
std::vector<std::string> orders_for(const Exercise &exercise, const BankEntry &entry,
                                    const Options &options) {
  if (options.tier == "commit")
    return {"random:1"};
  if (entry.expected == "pass" && entry.name != exercise.name && fs::exists(solution_of(exercise)))
    return {""};
  return {"forward", "reverse", "random:1"};
}

// Prints whether it is right, and returns that. `more`: after the seed. Messages are printed of a
// wrong verdict, and with --entry.
bool report(const BankEntry &entry, const Verdict &verdict, const Options &options,
            const std::string &more) {
  const bool right = course::is_one_of(verdict.kind, entry.expected);
  std::cout << (right ? "ok     " : "WRONG  ") << entry.name << ": " << name(verdict.kind);
  if (!right)
    std::cout << ", expected " << entry.expected;
  if (!verdict.seed.empty()) // it has been compiled
    std::cout << " (seed " << verdict.seed << more << ")";
  std::cout << "\n";
  if (!right || !options.entry.empty())
    std::cout << course::indented(text_of(verdict.remarks));
  std::cout << std::flush;
  return right;
}

// A bank has memory bombs and endless loops: without a tool they need not press the machine. A
// GPU's context takes seconds where many processes begin at once. Right answers have a learner's
// time: on a slow machine the largest case of one takes five seconds.
course::Order with_little(course::Order order, bool is_right) {
  if (order.limit_memory_mib == 0)
    order.limit_memory_mib = COURSE_CUDA ? 1024 : 512;
  if (order.limit_seconds == 0 && (COURSE_CUDA || !is_right))
    order.limit_seconds = COURSE_CUDA ? 20 : 5;
  return order;
}

// Its values, where they are wanted, with each seed up to the first wrong verdict; and under the
// tool in each order. Returns how many entries are wrong: 0 or 1.
int grade(const Exercise &exercise, const BankEntry &entry, const Options &options, bool values) {
  course::Runs compiled = values_of(exercise, entry);
  compiled.values = values;
  compiled.counts = compiled.counts && values;
  compiled.large =
      options.tier != "nightly" || entry.expected != "pass"; // the solution has had its large case
  if (has_tool(exercise, entry, options))
    compiled.tool = options.tool;
  const course::PrivateFolder folder;
  const fs::path file = fs::path(folder.path()) / fs::path(exercise.file()).filename();
  std::ofstream(file) << entry.text;
  const course::Submission submission(exercise, file, compiled);
  // A machine that stands still looks like an endless loop: what should have ended is judged once
  // more.
  const auto is_right = [&](const Verdict &verdict) {
    return course::is_one_of(verdict.kind, entry.expected);
  };
  const auto judge = [&](const course::Runs &runs, const course::Order &order) {
    const Verdict verdict = submission.judge(runs, order);
    const bool judges_again = verdict.kind == course::Kind::timeout && !is_right(verdict);
    return judges_again ? submission.judge(runs, order) : verdict;
  };
  if (values) {
    course::Order order = with_little(options.order, entry.expected == "pass");
    Verdict verdict;
    for (int seed = 1; seed <= options.seeds && (seed == 1 || is_right(verdict)); ++seed) {
      if (options.seeds > 1)
        order.seed = std::to_string(seed);
      verdict = judge(values_of(exercise, entry), order);
    }
    if (!report(entry, verdict, options, ""))
      return 1;
  }
  if (compiled.tool.empty())
    return 0;
  course::Order order = options.order;
  std::vector<std::string> orders{order.thread_order};
  if (!COURSE_CUDA)
    orders = orders_for(exercise, entry, options);
  for (const std::string &thread_order : orders) {
    order.thread_order = thread_order;
    const Verdict verdict = judge({false, options.tool, compiled.counts}, order);
    const std::string more = thread_order.empty() ? "" : ", order " + thread_order;
    if (!report(entry, verdict, options, ", " + options.tool + more))
      return 1;
  }
  return 0;
}

int grade(const Exercise &exercise, const Options &options) {
  std::vector<BankEntry> bank = course::read_bank(exercise);
  const fs::path solution = solution_of(exercise);
  if (fs::exists(solution))
    bank.push_back({exercise.name, "pass", false, course::text_of_file(solution)});
  int wrong = 0;
  bool found = false, had_wrong = false;
  for (const BankEntry &entry : bank) {
    if (!options.entry.empty() && entry.name != options.entry)
      continue;
    found = true;
    const std::string reason = reason_to_skip(exercise, entry, options);
    if (!reason.empty()) {
      if (options.tier.empty())
        std::cout << "skip   " << entry.name << ": " << reason << std::endl;
      continue;
    }
    bool values = entry.expected != "fault" && options.tool.empty();
    if (!options.tier.empty() && entry.expected != "fault") {
      const bool is_right = entry.expected == "pass", is_solution = entry.name == exercise.name;
      const bool is_quick = is_right ? is_solution : !had_wrong;
      had_wrong = had_wrong || !is_right;
      values = options.tier == (is_quick ? "quick" : is_right ? "nightly" : "commit");
    }
    if (values || has_tool(exercise, entry, options))
      wrong += grade(exercise, entry, options, values);
  }
  if (!options.entry.empty() && !found)
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
  app.add_option("--registry", options.registry, "Take the exercises from this file")
      ->check(CLI::ExistingFile)
      ->capture_default_str();
  const auto only =
      app.add_option("--entry", options.entry, "Grade only this entry, and print its messages");
  const auto tool = app.add_option(
      "--tool", options.tool,
      "Grade under memcheck, racecheck, initcheck, synccheck or all of them: the solution and the "
      "entries that pass must be clean, those that expect `fault` must be found; the solution and "
      "these in three orders of the threads");
  app.add_option(
         "--tier", options.tier,
         "quick: only the solution and the first wrong answer. commit: the other wrong ones; "
         "with --tool the solution and those that only a tool finds, in one order of the threads. "
         "nightly: the other right ones, without the large case; with --tool all that it looks at")
      ->excludes(only)
      ->check(CLI::IsMember({"quick", "commit", "nightly"}));
  app.add_option("--seeds", options.seeds,
                 "Grade with the seeds 1 to N instead of one (COURSE_SEED, or 1), each entry up to "
                 "its first wrong verdict")
      ->excludes(tool)
      ->check(CLI::PositiveNumber);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    return app.exit(error) ? 2 : 0;
  }

  setenv("COURSE_NO_WARNINGS", "1", 0);
  int wrong = 0;
  for (const std::string &word : options.exercises)
    for (const Exercise &exercise : course::matching(word, options.registry))
      wrong += grade(exercise, options);
  return wrong > 0 ? 1 : 0;
} catch (const std::exception &error) {
  std::cerr << "bank: " << error.what() << "\n";
  return 2;
}
