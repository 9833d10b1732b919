// What a worker left when it ended, read and put into words. Nothing of it is trusted.
#pragma once

#include "tests/grader/explain.hpp"
#include "tests/grader/judge.hpp"
#include "tests/grader/process.hpp"

#include <optional>
#include <string>
#include <vector>

namespace course {

// The environment's variable of that name; `otherwise` where it is not set, or empty.
std::string variable(const char *name, const std::string &otherwise = "");

// The check that the worker runs under (memcheck, ... or all); empty: none.
std::string tool();

using Calls = std::vector<const Call *>;

// A file that the worker left; empty if there is none, or not a regular one.
Bytes content_of(const std::string &path);

// The reply, read piece by piece.
class Reply {
public:
  explicit Reply(const std::string &path) : bytes_(content_of(path)) {}
  std::size_t left() const { return bytes_.size() - at_; }
  std::optional<Bytes> take(std::size_t count) {
    if (count > left())
      return {};
    at_ += count;
    return Bytes(bytes_.begin() + at_ - count, bytes_.begin() + at_);
  }
  std::optional<std::uint64_t> number() {
    auto bytes = take(sizeof(std::uint64_t));
    return bytes ? std::optional(value_at<std::uint64_t>(bytes->data())) : std::nullopt;
  }

private:
  Bytes bytes_;
  std::size_t at_ = 0;
};

// The end of what it printed, as the end of a message.
std::string tail(const std::string &output);

// What the checks found: the first fault, and where there are more, all by their places.
Complaint found_by_checks(const Outcome &outcome);

// A limit or a signal that ended the worker; empty when it ended by itself. `folder` holds the
// notes of its ranks (0: no MPI).
Complaint stopped(const Outcome &outcome, const Limits &limit, const std::string &folder,
                  int ranks);

extern const Complaint no_reply; // what came is no reply

// Reads one case's part of the reply, with the answers to `calls`. Nothing when the reply ends
// before it.
std::optional<Complaint> judge_reply(const Case &its_case, const Calls &calls, std::uint64_t nonce,
                                     Reply &reply);

// A case that runs the whole program.
Complaint judge_program(const Case &its_case, const Outcome &outcome);

// The work that was counted, beside the limits of the case.
Complaint judge_work(const Case &its_case, const Bytes &report);

} // namespace course
