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

// A step of compile-worker for a submission.
struct CompilerStep {
  const Exercise &exercise;
  const PrivateFolder &folder; // of the worker; it stays the caller's
  std::string worker;          // "worker", or "worker-instrumented"
  std::string name;
  std::vector<std::string> words = {};    // of compile-worker, after the step
  std::vector<std::string> readable = {}; // beside what every compiler may read

  Sandbox start() const;
};

// A compiler that knows execution spaces, which the CPU backend's does not, reads a submission.
class SecondReading {
public:
  SecondReading(const Exercise &exercise, const std::filesystem::path &file,
                const PrivateFolder &folder)
      : reader_(CompilerStep{exercise, folder, "worker", "read", {file}, {file}}.start()) {}
  Compilation finish();

private:
  Sandbox reader_;
};

// Makes a worker of a submission: starts with the object, ends when `folder` holds the program.
class WorkerCompilation {
public:
  WorkerCompilation(const Exercise &exercise, const std::filesystem::path &file,
                    const PrivateFolder &folder, const std::string &worker);

  // Throws MachineFault where it is not the submission that fails.
  Compilation finish();

private:
  const CompilerStep step_; // the submission's own
  Sandbox learner_;
};

} // namespace course
