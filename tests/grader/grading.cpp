#include "tests/grader/grading.hpp"

#include "tests/grader/holes.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

namespace course {
namespace {

namespace fs = std::filesystem;

const fs::path root = COURSE_ROOT, build = COURSE_BUILD;

volatile std::sig_atomic_t interrupted = 0;

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

// Files of the course are named from its root.
std::string with_short_paths(std::string text) {
  const std::string prefix = root.string() + "/";
  for (std::size_t at; (at = text.find(prefix)) != text.npos;)
    text.erase(at, prefix.size());
  return text;
}

} // namespace

void begin_grading() {
  prctl(PR_SET_DUMPABLE, 0);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  for (int number : {SIGINT, SIGTERM, SIGHUP})
    std::signal(number, [](int) { interrupted = 1; });
  umask(022);
  PrivateFolder::sweep();
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

bool is_one_of(Kind kind, const std::string &kinds) {
  return ("|" + kinds + "|").find(std::string("|") + name(kind) + "|") != std::string::npos;
}

bool is_counted(const Exercise &exercise) { return exercise.counted && COURSE_COUNTS; }

Submission::Submission(const Exercise &exercise, const fs::path &file, const std::string &tool)
    : exercise_(exercise), file_(fs::absolute(file)), tool_(tool),
      started_(!untouched(file, exercise.full_name(), root / "tests/starters.txt")) {
  if (!started_)
    return;
  const bool instrumented = !tool.empty() && !COURSE_CUDA;
  compiled_ = (instrumented || compile(worker_)) &&
              (!(instrumented || is_counted(exercise)) || compile(instrumented_));
  if (instrumented)
    worker_ = instrumented_;
  fs::permissions(folder(), fs::perms(0711)); // the worker, another user, runs in a folder below
}

bool Submission::same_code(const Submission &other) const {
  return compiled_ && other.compiled_ &&
         text_of(folder() / worker_) == text_of(other.folder() / other.worker_);
}

Verdict Submission::judge() const {
  Verdict verdict{exercise_.full_name()};
  verdict.file = escaped(with_short_paths(file_.string()));
  if (!compiled_) {
    verdict.kind = started_ ? Kind::compile : Kind::not_started;
    if (started_)
      verdict.message = escaped(with_short_paths(text_of(folder() / "compiler")));
    return verdict;
  }
  const int code = run({exercise_.judge()}, folder() / "log",
                       {{"COURSE_WORKER", folder() / worker_},
                        {"COURSE_WORKER_INSTRUMENTED",
                         is_counted(exercise_) ? folder() / instrumented_ : fs::path()},
                        {"COURSE_SUBMISSION", file_},
                        {"COURSE_TOOL", tool_},
                        {"COURSE_VERDICT", folder() / "verdict"},
                        {"TMPDIR", folder()}});
  if (interrupted)
    throw Interrupted();
  const std::string file = verdict.file, json = text_of(folder() / "verdict");
  if (!json.empty())
    verdict = verdict_of_json(json);
  verdict.file = file;
  const bool passes = verdict.kind == Kind::pass && verdict.cases > 0;
  if (json.empty() || passes != (code == 0) || code >= 128)
    throw std::runtime_error("the judge of " + exercise_.full_name() + " failed (exit code " +
                             std::to_string(code) + "):\n" + escaped(text_of(folder() / "log")));
  if (living_descendants() > 0) {
    kill_descendants();
    throw std::runtime_error(exercise_.full_name() + ": a process was left behind");
  }
  verdict.message = escaped(with_short_paths(verdict.message));
  if (file != "exercises/" + exercise_.full_name() + ".cu" && !verdict.rerun.empty())
    verdict.rerun += " --file " + file;
  return verdict;
}

// False: the submission does not compile. What it takes from an earlier exercise is that one's
// solution: a verdict says nothing of another file.
bool Submission::compile(const char *worker) {
  std::vector<std::string> words{COURSE_ROOT "/tests/grader/compile-worker.sh",
                                 build / "tests/settings.sh",
                                 file_,
                                 exercise_.harness(),
                                 folder(),
                                 worker};
  for (const std::string &used : exercise_.uses)
    words.push_back(root / "solutions" / (used + ".cu"));
  const int code = run(words, folder() / "compiler");
  if (code > 1)
    throw std::runtime_error("compiling for " + exercise_.full_name() + " failed:\n" +
                             escaped(text_of(folder() / "compiler")));
  return code == 0;
}

} // namespace course
