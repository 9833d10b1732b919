#include "common/grader/commands/grading.hpp"

#include "common/grader/commands/compiler.hpp"
#include "common/grader/commands/holes.hpp"
#include "common/grader/commands/process.hpp"
#include "common/grader/judge/environment.hpp"
#include "common/grader/sandbox/text.hpp"

#include <sys/prctl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <random>
#include <sstream>
#include <stdexcept>

namespace course {
namespace {

namespace fs = std::filesystem;

const fs::path root = COURSE_ROOT;

volatile std::sig_atomic_t interrupted = 0;

// Only this user may read the seed.
void write(const Order &order, const fs::path &path) {
  std::ofstream file(path);
  fs::permissions(path, fs::perms(0600));
  if (!(file << to_json(order)).flush())
    throw MachineFault("cannot write " + path.string() + ": is the disk full?");
}

// A word as a shell reads it: in quotes where a blank or another character needs them.
std::string shell_word(const std::string &word) {
  const auto is_plain = [](unsigned char c) { return std::isalnum(c) || std::strchr("-_./", c); };
  if (std::all_of(word.begin(), word.end(), is_plain))
    return word;
  std::string quoted = "'";
  for (const char c : word)
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

constexpr std::size_t npos = std::string::npos;

// A seed of the judge's numbers: runs of the same submission get the same ones.
std::string drawn_seed() {
  std::ostringstream text;
  text << std::hex << (std::random_device{}() & 0xFFFFFF);
  return text.str();
}

// The number in an environment variable; 0: it is not set.
double number_in(const char *name) {
  constexpr double most = 1e9;
  const std::string text = variable(name);
  char *end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (*end != '\0' || !(number >= 0 && number <= most))
    throw std::runtime_error(std::string(name) + "=" + text +
                             " is not a number from 0 to 1000000000");
  return number;
}

// True if the file is unchanged in and outside its blanks. Outside, it is compared with the
// solution, if the course has it: a learner may also repair a bug there, or make it worse.
bool as_handed_out(const Exercise &exercise, const fs::path &file) {
  const fs::path solution = root / "solutions" / exercise.file();
  return untouched(file, exercise.full_name(), root / "tests/starters.txt") &&
         (!fs::exists(solution) || same_outside(file, solution));
}

} // namespace

void begin_grading() {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  for (int number : {SIGINT, SIGTERM, SIGHUP})
    std::signal(number, [](int) { interrupted = 1; });
  umask(022);
  raise_limits();
}

Order order_of_environment() {
  Order order;
  order.seed = variable("COURSE_SEED", drawn_seed());
  if (order.seed.size() > 16 || order.seed.find_first_not_of("0123456789abcdefABCDEF") != npos)
    throw std::runtime_error("COURSE_SEED=" + order.seed +
                             " is not a hexadecimal number of at most 16 digits");
  order.only = int(number_in("COURSE_CASE"));
  order.limit_seconds = number_in("COURSE_LIMIT_SECONDS");
  order.limit_memory_mib = int(number_in("COURSE_LIMIT_MEMORY_MIB"));
  order.stops_at_wrong = !variable("COURSE_FIRST_FAILURE").empty();
  order.thread_order = variable("COURSE_CPU_ORDER");
  order.shares_gpu = !variable("COURSE_GPU_SHARED").empty();
  return order;
}

std::vector<Exercise> matching(const std::string &word, const fs::path &registry) {
  std::vector<Exercise> found;
  for (const Exercise &exercise : all_exercises(registry))
    if (exercise.full_name() == word || exercise.lesson == word)
      found.push_back(exercise);
  if (found.empty())
    throw std::runtime_error("there is no exercise " + word +
                             ". ./course list shows all exercises");
  return found;
}

bool is_one_of(Kind kind, const std::string &kinds) {
  return ("|" + kinds + "|").find(std::string("|") + name(kind) + "|") != std::string::npos;
}

bool is_counted(const Exercise &exercise) { return exercise.counted && COURSE_COUNTS; }

Submission::Submission(const Exercise &exercise, const fs::path &file, const Runs &runs)
    : exercise_(exercise), file_(fs::absolute(file)), runs_(runs),
      started_(!as_handed_out(exercise, file)) {
  if (!started_)
    return;
  if (exercise.in_python())
    prepare_python();
  else
    prepare_cuda();
  for (const PrivateFolder *folder : {&folder_, &plain_, &instrumented_})
    fs::permissions(folder->path(), fs::perms(0711)); // the worker is another user
}

namespace {

// True if the tools may find the line of the error.
bool may_have_a_line(Kind kind) {
  return is_one_of(kind, "value|input|oob|leak|idle|launch|work|exit|crash|timeout");
}

// A fault that is named needs no guess. But what is read uninitialised was left out before, and a
// guess may tell where; only that a NaN was computed is none then.
bool needs_guess(const Remarks &fault, const Remarks &remarks) {
  return fault.front().about == About::uninitialised &&
         std::none_of(remarks.begin(), remarks.end(),
                      [](const Remark &its) { return its.about == About::computed_nan; });
}

bool names_kernel(const Remarks &remarks) { return remarks.front().about == About::endless; }

} // namespace

Verdict Submission::judge(const Runs &runs, const Order &order) const {
  Verdict verdict = judge_answer(runs, order);
  if (verdict.kind == Kind::pass && reading_) {
    read_to_the_end_ = reading_->finish();
    if (living_descendants() > 0)
      kill_descendants();
  }
  reading_.reset();
  if (verdict.kind != Kind::pass || !read_to_the_end_)
    return verdict;
  verdict.warnings += read_to_the_end_->succeeded ? read_to_the_end_->said.fact : "";
  if (!read_to_the_end_->succeeded) {
    verdict.kind = Kind::compile;
    verdict.remarks = {read_to_the_end_->said};
  }
  return verdict;
}

Verdict Submission::judge_answer(const Runs &runs, const Order &order) const {
  if (!compiled_) {
    Verdict verdict{exercise_.full_name()};
    verdict.file = printable(file_.string());
    verdict.kind = started_ ? Kind::compile : Kind::not_started;
    if (started_)
      verdict.remarks = {compiler_said_};
    return verdict;
  }
  Order under_tool = order;
  under_tool.tool = runs.tool;
  if (!runs.values) {
    const Verdict verdict = ask(under_tool, runs.counts);
    if (verdict.cases == 0)
      throw std::runtime_error(
          "a tool cannot run this case: it is too large, or there is no such case");
    return verdict;
  }
  Verdict verdict = ask(order, runs.counts);
  if (runs.tool.empty())
    return verdict;
  // A kernel that uses host memory looks like host code that does its work: a tool tells them
  // apart.
  if (verdict.kind == Kind::pass || verdict.kind == Kind::idle) {
    const Verdict found = ask(under_tool, runs.counts);
    if (found.cases > 0 &&
        (verdict.kind == Kind::pass ? found.kind != Kind::pass : found.kind == Kind::fault))
      verdict = found;
    if (verdict.kind == Kind::fault)
      verdict.remarks.push_back(
          {"All values are right in this run, but this error must be fixed."});
    return verdict;
  }
  if (may_have_a_line(verdict.kind)) {
    const int only = under_tool.only;
    under_tool.only = verdict.number;
    if (under_tool.limit_seconds == 0)
      under_tool.limit_seconds = 5;
    Verdict found = ask(under_tool, runs.counts);
    // Too large for a tool, earlier calls again, or hidden numbers: it is looked for in all cases.
    if (found.cases == 0 || verdict.kind == Kind::idle) {
      under_tool.only = only;
      found = ask(under_tool, runs.counts);
    }
    Remarks &remarks = verdict.remarks;
    if (found.kind == Kind::fault) {
      if (!needs_guess(found.remarks, remarks))
        for (Remark &remark : remarks)
          remark.often.clear();
      remarks.insert(remarks.begin(), found.remarks.begin(), found.remarks.end());
    } else if (verdict.kind == Kind::timeout && found.kind == Kind::timeout &&
               names_kernel(found.remarks)) { // the answer does not end without the tools either
      if (names_kernel(remarks))
        remarks.erase(remarks.begin());
      remarks.insert(remarks.begin(), found.remarks.front());
    }
  }
  return verdict;
}

// A tool is asked no large case, since that would take seconds: then the verdict may be of no case.
Verdict Submission::ask(Order order, bool counts) const {
  const bool sees_accesses = !order.tool.empty() && !COURSE_CUDA;
  const fs::path written = folder() / "verdict", its_order = folder() / "order";
  order.exercise = exercise_.full_name();
  order.contract = exercise_.contract();
  order.control = exercise_.control();
  order.library = exercise_.in_python() ? exercise_.harness() : fs::path();
  order.with_nccl = exercise_.is_linked_with("nccl");
  order.file = file_;
  order.worker = sees_accesses ? instrumented() : plain();
  order.instrumented = counts && is_counted(exercise_) ? instrumented() : fs::path();
  order.counts = counts;
  order.verdict = written;
  write(order, its_order);
  std::vector<std::string> judge{exercise_.judge()};
  if (!order.tool.empty() || !runs_.large)
    judge.push_back("~[large]");
  if (order.stops_at_wrong)
    judge.push_back("--abort");
  const int code =
      finish(start(judge, folder() / "log", folder() / "log",
                   {{"COURSE_ORDER", its_order},
                    {"GLIBC_TUNABLES", "glibc.malloc.hugetlb=1"}, // huge pages for lists of MB
                    {"TMPDIR", folder()}}));
  if (interrupted)
    throw Interrupted();
  const std::string json = fs::exists(written) ? text_of_file(written) : "";
  fs::remove(written);
  Verdict verdict;
  if (!json.empty())
    verdict = verdict_of_json(json);
  verdict.seed = order.seed;
  verdict.file = printable(file_.string());
  const bool passes = verdict.kind == Kind::pass && verdict.cases > 0;
  const bool nothing_asked = !json.empty() && verdict.cases == 0 && !order.tool.empty();
  const bool is_complete = nothing_asked || (verdict.cases > 0 && passes == (code == 0));
  if (json.empty() || !is_complete || code >= 128)
    throw std::runtime_error("the judge of " + exercise_.full_name() + " failed (exit code " +
                             std::to_string(code) + "):\n" +
                             printable(text_of_file(folder() / "log")));
  if (!reading_ && living_descendants() > 0) {
    kill_descendants();
    throw std::runtime_error(exercise_.full_name() + ": a process was left behind");
  }
  verdict.warnings = compiler_said_.fact;
  if (verdict.file != "exercises/" + exercise_.file() && !verdict.rerun.empty())
    verdict.rerun += " --file " + shell_word(verdict.file);
  return verdict;
}

void Submission::prepare_cuda() {
  const std::string name = file_.string();
  if (file_.extension() != ".cu" || name.find('\n') != name.npos ||
      (COURSE_CUDA && name.find_first_of("'\"`$\\<>|&;()*?!#") != name.npos))
    throw std::runtime_error(
        "nvcc cannot compile a file with this name: rename it, for example to " + exercise_.name +
        ".cu");
  compiled_ = compile();
}

// The worker gets a copy, since it may not look into the submission's folder. The tools look into
// programs of CUDA C++ only.
void Submission::prepare_python() {
  if (file_.extension() != ".py")
    throw std::runtime_error(exercise_.full_name() + " is in Python: its file must end with .py");
  if (!runs_.values)
    throw std::runtime_error("the tools look into CUDA C++ programs: check this exercise, which is "
                             "in Python, without --tool");
  if (!fs::exists(exercise_.harness()))
    throw MachineFault(exercise_.harness().string() + " is not built; ./course check builds it");
  runs_.tool.clear();
  std::ofstream copy(plain());
  if (!(copy << text_of_file(file_)).flush())
    throw MachineFault("cannot write " + plain().string());
  compiled_ = true;
}

// Builds the workers that the runs take, side by side. False: the submission does not compile. What
// it takes from an earlier exercise is that one's solution: a verdict says nothing of another file.
bool Submission::compile() {
  const bool needs_plain = runs_.values || COURSE_CUDA;
  const bool needs_instrumented =
      (runs_.counts && is_counted(exercise_)) || (!runs_.tool.empty() && !COURSE_CUDA);
  std::vector<std::unique_ptr<WorkerCompilation>> workers;
  if (needs_plain)
    workers.push_back(std::make_unique<WorkerCompilation>(exercise_, file_, plain_, "worker"));
  if (needs_instrumented)
    workers.push_back(std::make_unique<WorkerCompilation>(exercise_, file_, instrumented_,
                                                          "worker-instrumented"));
  for (const auto &worker : workers) {
    const Compilation compilation = worker->finish();
    if (worker == workers.front() || !compilation.succeeded)
      compiler_said_ = compilation.said;
    if (!compilation.succeeded) {
      workers.clear();
      kill_descendants(); // the other compiler
      return false;
    }
  }
  if (runs_.reads && !COURSE_CUDA)
    reading_ = std::make_unique<SecondReading>(exercise_, file_, read_);
  return true;
}

} // namespace course
