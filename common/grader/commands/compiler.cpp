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

const fs::path program = build / "grader/compile-worker", settings = build / "grader/settings.json";

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

} // namespace

SecondReading::SecondReading(const Exercise &exercise, const fs::path &file,
                             const PrivateFolder &folder)
    : reader_([&] {
        Access access = access_of_compiler(exercise);
        access.readable.push_back(file);
        access.hidden = {file};
        return Sandbox(program, {settings, "worker", folder.path(), "read", file},
                       environment(folder), folder, limits_of_compiler(), access);
      }()) {}

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
    : exercise_(exercise), folder_(folder),
      worker_(worker), step_{"compile",
                             {file, "learner", needs_main(exercise) ? "main" : "",
                              is_counted(exercise) ? "counted" : ""},
                             {file}},
      learner_(start(step_, folder)) {}

Compilation WorkerCompilation::finish() {
  const Compilation own = judge(learner_.wait(), step_, folder_);
  if (!own.succeeded)
    return own;
  Step link{"link", {exercise_.harness(), folder_.path() + "/learner.o"}, {}};
  for (std::string name : exercise_.uses) {
    std::replace(name.begin(), name.end(), '/', '-');
    const std::string object = build / "grader/used" / worker_ / (name + ".o"); // judge.cmake
    link.words.push_back(object);
    link.readable.push_back(object);
  }
  Compilation program = judge(start(link, folder_).wait(), link, folder_);
  if (program.succeeded)
    program.said = own.said; // its warnings
  return program;
}

Sandbox WorkerCompilation::start(const Step &step, const PrivateFolder &folder) const {
  Words arguments{settings, worker_, folder.path(), step.name};
  arguments.insert(arguments.end(), step.words.begin(), step.words.end());
  Access access = access_of_compiler(exercise_);
  access.readable.insert(access.readable.end(), step.readable.begin(), step.readable.end());
  access.hidden = step.readable; // files beside it, as another's answer
  return Sandbox(program, arguments, environment(folder), folder, limits_of_compiler(), access);
}

// A step that failed without a word on the submission is tried again, since a process may have been
// killed by chance; then the control tells whose fault it is.
Compilation WorkerCompilation::judge(Outcome outcome, const Step &step,
                                     const PrivateFolder &folder) const {
  if (is_unclear(outcome))
    outcome = start(step, folder).wait();
  if (outcome.end == End::interrupted)
    throw Interrupted();
  if (outcome.end == End::finished && outcome.code == step_is_not_built)
    throw MachineFault(outcome.output);
  if (outcome.end == End::memory_is_full)
    throw MachineFault(memory_is_full_text);
  if (is_unclear(outcome) || outcome.end == End::time || outcome.end == End::not_started)
    try_control(outcome, step, folder);
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

// Returns where a program without a fault is compiled with the same files closed, and limits
// suffice for a larger one.
void WorkerCompilation::try_control(const Outcome &outcome, const Step &step,
                                    const PrivateFolder &folder) const {
  const Outcome control = start({"control", {}, step.readable}, folder).wait();
  if (control.end == End::interrupted)
    throw Interrupted();
  if (!tight_limit().empty())
    throw MachineFault(outcome.output);
  if (control.end != End::finished || control.code != step_done)
    throw MachineFault("this machine cannot compile any program now:\n" +
                       (control.output.empty() ? outcome.output : control.output) +
                       "\nIs the disk or the memory full? The folder is " + folder.path() +
                       "; to use another folder, set TMPDIR. ./course doctor shows the free disk "
                       "space and memory.");
}

} // namespace course
