// Compiles submissions. A compiler reads any file that a submission names, and takes all the time
// and memory that it asks for: so it is watched and confined like a worker.
#pragma once

#include "common/grader/commands/registry.hpp"
#include "common/grader/judge/verdict.hpp"
#include "common/grader/sandbox/sandbox.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace course {

struct Compilation {
  bool succeeded;
  Remark said; // by the compiler; or the limit that it met
};

// A compiler that knows execution spaces, which the CPU backend's does not, reads a submission.
class SecondReading {
public:
  SecondReading(const Exercise &exercise, const std::filesystem::path &file,
                const PrivateFolder &folder);
  Compilation finish();

private:
  Sandbox reader_;
};

// Makes a worker of a submission: starts with the object, ends when `folder` holds the program.
class WorkerCompilation {
public:
  // `worker`: "worker", or "worker-instrumented". The folder stays the caller's.
  WorkerCompilation(const Exercise &exercise, const std::filesystem::path &file,
                    const PrivateFolder &folder, const std::string &worker);

  // Throws MachineFault where it is not the submission that fails.
  Compilation finish();

private:
  using Words = std::vector<std::string>;
  struct Step {
    std::string name;
    Words words;    // of compile-worker, after the step
    Words readable; // beside what every compiler may read
  };

  Sandbox start(const Step &step, const PrivateFolder &folder) const;
  Compilation judge(Outcome outcome, const Step &step, const PrivateFolder &folder) const;
  void try_control(const Outcome &outcome, const Step &step, const PrivateFolder &folder) const;

  const Exercise &exercise_;
  const PrivateFolder &folder_;
  const std::string worker_;
  const Step step_; // the submission's own
  Sandbox learner_;
};

} // namespace course
