// A worker and the cases that it is asked: one, or on a GPU many, since starting there takes long.
#pragma once

#include "common/grader/judge/case.hpp"
#include "common/grader/judge/device_turn.hpp"
#include "common/grader/judge/verdict.hpp"
#include "common/grader/sandbox/sandbox.hpp"

#include <memory>
#include <vector>

namespace course {

// True if a case may run in the process of other cases.
bool shares_worker(const Case &its_case);

class Batch {
public:
  // `number` of the case, in the order of the test: 1, 2, ...
  Batch(const Case &its_case, int number) : cases_{&its_case}, number_(number) {}

  // Takes the case in if it can share the worker. It has the number after the last one's.
  bool take(const Case &its_case);

  const std::vector<const Case *> &cases() const { return cases_; }
  int number_of(std::size_t index) const { return number_ + int(index); }

  // Starts the worker, on a GPU when its turn has come. `thread_order`: of the CPU backend;
  // `draw`: what its devices say of themselves. A fault of the machine is the finding then.
  void start(const std::string &thread_order, std::uint64_t draw);

  // Waits for the worker. A finding for each case that was reached, at least one.
  std::vector<Finding> finish();

  // How long the worker ran, counted as for its time limit.
  double seconds() const { return seconds_; }

  // True if ranks with right replies crashed in the end. PMIx 4 does that in MPI_Finalize by
  // itself, about once in a thousand times (its issue 2508): the batch deserves a second start.
  bool crashed_at_its_end() const { return crashed_at_its_end_; }

private:
  // With a control it runs in the worker's place.
  void start_worker(const std::string &thread_order, std::uint64_t draw,
                    const std::string &control = "");
  std::vector<Finding> findings();
  Finding fault_of_machine(const Outcome &outcome) const;
  Finding fault_of_control() const;
  Finding judge_ranks(const Outcome &outcome) const;
  std::vector<Finding> judge_replies(const Outcome &outcome, const Finding &end) const;

  std::vector<const Case *> cases_;
  int number_;
  std::unique_ptr<DeviceTurn> turn_;
  std::unique_ptr<PrivateFolder> folder_;
  std::unique_ptr<Sandbox> worker_;
  std::string fault_; // why there is none
  std::uint64_t nonce_ = 0;
  double seconds_ = 0;
  bool crashed_at_its_end_ = false;
};

} // namespace course
