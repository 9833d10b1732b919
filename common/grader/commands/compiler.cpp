#include "common/grader/commands/compiler.hpp"

#include "common/grader/commands/grading.hpp"
#include "common/grader/commands/process.hpp"

#include <unistd.h>

#include <algorithm>
#include <vector>

namespace course {
namespace {

namespace fs = std::filesystem;

const fs::path root = COURSE_ROOT, build = COURSE_BUILD;

const fs::path program = build / "grader/compile-worker", settings = build / "grader/settings.txt";

std::vector<std::pair<std::string, std::string>> environment(const PrivateFolder &folder) {
  std::vector<std::pair<std::string, std::string>> variables{{"TMPDIR", folder.path()}};
  for (char **variable = environ; *variable; ++variable) {
    const std::string text = *variable;
    const std::size_t equals = text.find('=');
    if (equals != text.npos && text.substr(0, equals) != "TMPDIR")
      variables.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  return variables;
}

// The headers and tools that the compiler may read: no solution, no bank, no other answer.
Access access_of_compiler(const Exercise &exercise) {
  Access access;
  access.readable = {exercise.contract(),
                     root / "common/cpu",
                     root / "common/grader/worker/bounded",
                     root / "common/grader/commands/control.cu",
                     root / "common/grader/worker/no_main.hpp",
                     build / "toolkit",
                     settings,
                     build / "grader/harness",
                     build / "grader/libcourse_worker.a"};
  for (const auto &entry : fs::directory_iterator(root / "common"))
    if (entry.path().extension() == ".hpp")
      access.readable.push_back(entry.path());
  for (const char *folder : {"exercises", "lessons"})
    for (const auto &entry : fs::recursive_directory_iterator(root / folder))
      if (entry.path().extension() == ".hpp")
        access.readable.push_back(entry.path());
  return access;
}

Limits limits_of_compiler() {
  Limits limits;
  const std::size_t half = std::size_t(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE) / 2;
  limits.seconds = 60;
  limits.memory = std::min(std::size_t(3) << 30, half);
  limits.processes = 64;
  limits.output = 1 << 20;
  limits.own_user = false; // the course may be open to its owner alone
  return limits;
}

// Failed without a word on the submission.
bool is_unclear(const Outcome &outcome) {
  return outcome.end == End::signalled || outcome.end == End::lost ||
         outcome.end == End::memory_is_full ||
         (outcome.end == End::finished && outcome.code != step_done &&
          outcome.code != step_is_wrong && outcome.code != step_is_not_built);
}

// True if the judge runs the program itself: there is no function to call.
bool needs_main(const Exercise &exercise) { return !fs::exists(exercise.contract()); }

// Returns where a program without a fault is compiled with the same files closed, and limits
// suffice for a larger one.
void try_control(const Outcome &outcome, CompilerStep step) {
  step.name = "control";
  step.words.clear();
  const Outcome control = step.start().wait();
  if (control.end == End::interrupted)
    throw Interrupted();
  if (!tight_limit().empty())
    throw MachineFault(outcome.output);
  if (control.end != End::finished || control.code != step_done)
    throw MachineFault("this machine cannot compile any program now:\n" +
                       (control.output.empty() ? outcome.output : control.output) +
                       "\nIs the disk or the memory full? The folder is " + step.folder.path() +
                       "; to use another folder, set TMPDIR. ./course doctor shows the free disk "
                       "space and memory.");
}

// A step that failed without a word on the submission is tried again, since a process may have been
// killed by chance; then the control tells whose fault it is.
Compilation judge(Outcome outcome, const CompilerStep &step) {
  if (is_unclear(outcome))
    outcome = step.start().wait();
  if (outcome.end == End::interrupted)
    throw Interrupted();
  if (outcome.end == End::finished && outcome.code == step_is_not_built)
    throw MachineFault(outcome.output);
  if (outcome.end == End::memory_is_full)
    throw MachineFault(memory_is_full_text);
  if (is_unclear(outcome) || outcome.end == End::time || outcome.end == End::not_started)
    try_control(outcome, step);
  const Limits limits = limits_of_compiler();
  if (outcome.end == End::time)
    return {
        false,
        {"the compiler ran more than " + std::to_string(int(limits.seconds)) + " s, its limit"}};
  if (outcome.end == End::memory)
    return {false,
            {"the compiler used more than " + std::to_string(limits.memory >> 20) +
                 " MiB of memory, its limit",
             "a very large array with initial values, or templates without an end."}};
  if (outcome.end == End::output)
    return {false,
            {"the compiler printed more than " + std::to_string(limits.output >> 20) +
             " MiB, its limit. The output begins with\n" + outcome.output.substr(0, 4000)}};
  if (outcome.end == End::finished &&
      (outcome.code == step_done || outcome.output.find("terminated program") == std::string::npos))
    return {outcome.code == step_done, {outcome.output}};
  return {false,
          {outcome.output + "The compiler was killed, although it can compile a small program.",
           "a very large array with initial values."}};
}

} // namespace

Sandbox CompilerStep::start() const {
  std::vector<std::string> arguments{settings, worker, folder.path(), name};
  arguments.insert(arguments.end(), words.begin(), words.end());
  Access access = access_of_compiler(exercise);
  access.readable.insert(access.readable.end(), readable.begin(), readable.end());
  access.hidden = readable; // files beside it, as another's answer
  return Sandbox(program, arguments, environment(folder), folder, limits_of_compiler(), access);
}

// A reader that fails is no witness.
Compilation SecondReading::finish() {
  const Outcome outcome = reader_.wait();
  if (outcome.end == End::interrupted)
    throw Interrupted();
  const bool is_read = outcome.end == End::finished;
  return {!is_read || outcome.code != step_is_wrong, {is_read ? outcome.output : ""}};
}

WorkerCompilation::WorkerCompilation(const Exercise &exercise, const fs::path &file,
                                     const PrivateFolder &folder, const std::string &worker)
    : step_{exercise,
            folder,
            worker,
            "compile",
            {file, "learner", needs_main(exercise) ? "main" : "",
             is_counted(exercise) ? "counted" : ""},
            {file}},
      learner_(step_.start()) {}

Compilation WorkerCompilation::finish() {
  const Compilation own = judge(learner_.wait(), step_);
  if (!own.succeeded)
    return own;
  CompilerStep link{step_.exercise, step_.folder, step_.worker, "link"};
  link.words = {step_.exercise.harness(), step_.folder.path() + "/learner.o"};
  for (std::string name : step_.exercise.uses) {
    std::replace(name.begin(), name.end(), '/', '-');
    const std::string object = build / "grader/used" / step_.worker / (name + ".o"); // judge.cmake
    link.words.push_back(object);
    link.readable.push_back(object);
  }
  Compilation program = judge(link.start().wait(), link);
  if (program.succeeded)
    program.said = own.said; // its warnings
  return program;
}

} // namespace course
