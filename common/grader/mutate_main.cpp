// Grades the mutants of solutions: each should be refused. `mutate --help` has the options.
#include "common/grader/bank.hpp"
#include "common/grader/grading.hpp"
#include "common/grader/mutants.hpp"

#include <CLI/CLI.hpp>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <map>
#include <new>
#include <stdexcept>

namespace fs = std::filesystem;

namespace {

using course::Exercise, course::Kind, course::Mutant, course::Submission;

const fs::path root = COURSE_ROOT;

struct Options {
  std::vector<std::string> exercises;
  std::string file;
  int jobs = 1;
};

// The verdict on a mutant; `same`: it compiles to the solution's code. A process that grades
// mutants sends outcomes through a pipe, each in one piece.
struct Outcome {
  int mutant;
  bool same;
  Kind kind;
};

// Grades a file as check does: first its values, and if they pass, under the tools.
Kind grade(const Submission &values, const Exercise &exercise, const fs::path &file) {
  setenv("COURSE_LIMIT_SECONDS", "5", 1);
  setenv("COURSE_LIMIT_MEMORY_MIB", "512", 1);
  const Kind kind = values.judge().kind;
  if (kind != Kind::pass || !COURSE_COUNTS)
    return kind;
  setenv("COURSE_LIMIT_SECONDS", "30", 1);
  setenv("COURSE_LIMIT_MEMORY_MIB", "2048", 1);
  return Submission(exercise, file, {false, "all", true, false}).judge().kind;
}

// Grades mutants until `next`, which the processes share, is past the last.
void work(const Exercise &exercise, const std::string &solution, const std::vector<Mutant> &mutants,
          std::atomic<int> &next, int results) {
  const course::PrivateFolder folder;
  const fs::path file =
      fs::path(folder.path()) / (exercise.name + ".cu"); // its name is in the code
  const auto write = [&file](const std::string &text) { std::ofstream(file) << text; };
  write(solution);
  const Submission original(exercise, file, {});
  for (int i; (i = next++) < int(mutants.size());) {
    Outcome outcome{i, false, Kind::error};
    write(mutants[i].text);
    try {
      const Submission submission(exercise, file, {});
      outcome.same = submission.same_code(original);
      outcome.kind = outcome.same ? Kind::pass : grade(submission, exercise, file);
    } catch (const course::Interrupted &) {
      throw;
    } catch (const std::exception &error) {
      std::cerr << "mutate: " << exercise.full_name() << ":" << mutants[i].line << ": "
                << error.what() << "\n"
                << mutants[i].diff;
    }
    if (::write(results, &outcome, sizeof outcome) != sizeof outcome)
      std::exit(2);
  }
}

// The outcomes, in the order of the mutants. Throws where one is missing.
std::vector<Outcome> outcomes(const Exercise &exercise, const std::string &solution,
                              const std::vector<Mutant> &mutants, int jobs) {
  void *shared = mmap(nullptr, sizeof(std::atomic<int>), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  int ends[2];
  if (shared == MAP_FAILED || pipe(ends) != 0)
    throw std::runtime_error("no shared memory, or no pipe");
  auto &next = *new (shared) std::atomic<int>(0);
  std::cout.flush();
  for (int job = 0; job < jobs; ++job)
    if (fork() == 0) {
      close(ends[0]);
      int code = 0;
      try {
        work(exercise, solution, mutants, next, ends[1]);
      } catch (const std::exception &error) {
        std::cerr << "mutate: " << error.what() << "\n";
        code = 2;
      }
      _exit(code);
    }
  close(ends[1]);
  std::vector<Outcome> all;
  for (Outcome outcome; read(ends[0], &outcome, sizeof outcome) == sizeof outcome;)
    all.push_back(outcome);
  close(ends[0]);
  while (wait(nullptr) > 0)
    ;
  munmap(shared, sizeof(std::atomic<int>));
  if (all.size() != mutants.size())
    throw std::runtime_error(exercise.full_name() + ": not all mutants were graded");
  std::sort(all.begin(), all.end(),
            [](const Outcome &a, const Outcome &b) { return a.mutant < b.mutant; });
  return all;
}

// Grades the mutants of one solution, and prints those that pass. Returns whether all were graded.
bool mutate(const Exercise &exercise, const Options &options) {
  const fs::path file = options.file.empty() ? root / "solutions" / (exercise.full_name() + ".cu")
                                             : fs::path(options.file);
  const std::string solution = course::text_of_file(file);
  if (grade(Submission(exercise, file, {}), exercise, file) != Kind::pass)
    throw std::runtime_error(file.string() + " does not pass");
  const std::vector<Mutant> mutants = course::mutants_of(solution);

  std::map<Kind, int> counts;
  int same = 0;
  std::vector<const Mutant *> survivors;
  for (const Outcome &outcome : outcomes(exercise, solution, mutants, options.jobs)) {
    same += outcome.same;
    if (outcome.same)
      continue;
    ++counts[outcome.kind];
    if (outcome.kind == Kind::pass)
      survivors.push_back(&mutants[outcome.mutant]);
  }
  const int judged = int(mutants.size()) - same - counts[Kind::compile] - counts[Kind::error];
  const int killed = judged - int(survivors.size());
  std::cout << exercise.full_name() << ": " << mutants.size() << " mutants, " << same
            << " compile to the same code, " << counts[Kind::compile] << " do not compile; "
            << killed << " of " << judged << " (" << std::fixed << std::setprecision(1)
            << 100.0 * killed / std::max(1, judged) << " %) are killed:";
  for (const auto &[kind, count] : counts)
    if (count > 0 && kind != Kind::pass && kind != Kind::compile)
      std::cout << " " << count << " " << name(kind);
  std::cout << "\n";
  for (const Mutant *mutant : survivors)
    std::cout << exercise.full_name() << ":" << mutant->line << " survives\n" << mutant->diff;
  std::cout << std::flush;
  return counts[Kind::error] == 0;
}

} // namespace

int main(int argc, char **argv) try {
  course::begin_grading();
  Options options;
  CLI::App app(
      "Changes the solutions of exercises in one place after the other, and grades each mutant as\n"
      "check does. A mutant that survives is right, or its judge is too weak.\n"
      "Exit code: 0 all were graded; 2 grading itself failed.",
      "mutate");
  app.add_option("EXERCISE", options.exercises, "NN-slug/name, or NN-slug for all of a lesson")
      ->required();
  app.add_option("--file", options.file, "The solution, instead of solutions/NN-slug/name.cu");
  app.add_option("--jobs", options.jobs, "How many mutants are graded at a time")
      ->check(CLI::PositiveNumber);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    return app.exit(error) ? 2 : 0;
  }
  setenv("COURSE_SEED", "1", 0); // the same verdicts each time
  setenv("COURSE_FIRST_FAILURE", "1", 0);
  setenv("COURSE_NO_WARNINGS", "1", 0);
  bool graded = true;
  for (const std::string &word : options.exercises)
    for (const Exercise &exercise : course::matching(word))
      graded = mutate(exercise, options) && graded;
  return graded ? 0 : 2;
} catch (const std::exception &error) {
  std::cerr << "mutate: " << error.what() << "\n";
  return 2;
}
