// Grading one file: compiles it, and asks the judge.
#pragma once

#include "common/grader/commands/compiler.hpp"
#include "common/grader/commands/registry.hpp"
#include "common/grader/judge/order.hpp"
#include "common/grader/judge/verdict.hpp"
#include "common/grader/sandbox/sandbox.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace course {

// A signal asked this process to end.
struct Interrupted : std::runtime_error {
  Interrupted() : std::runtime_error("interrupted") {}
};

// Prepares this process for grading: nobody may read or write its memory, a worker's leftovers
// become its children, a signal that ends it lets it remove its folders first, and folders of
// processes that were killed are removed. Whatever the umask, workers can read their files.
void begin_grading();

// What a person asks of a judge by the environment (COURSE_SEED, COURSE_CASE, ...). Without a seed
// one is drawn. Throws std::runtime_error for a value that is none.
Order order_of_environment();

// The exercises that `word` names: "03-add-list" or "03-add-list/axpby". Throws std::runtime_error
// when there is none.
std::vector<Exercise> matching(const std::string &word,
                               const std::filesystem::path &registry = course_registry);

// `kinds` are separated by '|'.
bool is_one_of(Kind kind, const std::string &kinds);

// True if its judge limits loads and stores, and they can be counted here.
bool is_counted(const Exercise &exercise);

// The runs of a submission: for values; and for faults, if a tool (memcheck, ... or all) has to
// find them. With both, a submission that passes is run again under the tool, and so is the first
// case that does not.
struct Runs {
  bool values = true;
  std::string tool = "";
  bool counts = true; // also what its kernels load and store, where the exercise limits that
  bool reads = true;  // a second compiler reads what passes, without a GPU
  bool large = true;  // also its large case, which takes a second or more
};

// A submission, compiled once; what was built is removed with it.
class Submission {
public:
  // Throws std::runtime_error when the grader's own parts are missing.
  Submission(const Exercise &exercise, const std::filesystem::path &file, const Runs &runs);

  // Asks the judge. Throws std::runtime_error when the judge itself fails.
  Verdict judge(const Order &order) const { return judge(runs_, order); }
  // A part of the runs that it was compiled for.
  Verdict judge(const Runs &runs, const Order &order) const;

private:
  Verdict judge_answer(const Runs &runs, const Order &order) const;
  void prepare_cuda();
  void prepare_python();
  bool compile();
  Verdict ask(Order order, bool counts) const;
  std::filesystem::path folder() const { return folder_.path(); }
  std::filesystem::path plain() const {
    return plain_.path() + "/" + (exercise_.in_python() ? exercise_.name + ".py" : "worker");
  }
  std::filesystem::path instrumented() const {
    return instrumented_.path() + "/worker-instrumented";
  }

  PrivateFolder folder_, plain_, instrumented_, read_;
  const Exercise &exercise_;
  std::filesystem::path file_;
  Runs runs_;
  Remark compiler_said_;
  bool started_, compiled_ = false;
  // Runs beside the judge, which only a right answer waits for.
  mutable std::unique_ptr<SecondReading> reading_;
  mutable std::optional<Compilation> read_to_the_end_;
};

} // namespace course
