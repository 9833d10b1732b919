#include "tests/grader/outcome.hpp"

#include "tests/grader/exercise.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace course {

std::string variable(const char *name, const std::string &otherwise) {
  const char *value = std::getenv(name);
  return value && *value ? value : otherwise;
}

std::string tool() { return variable("COURSE_TOOL"); }

Bytes content_of(const std::string &path) {
  Bytes bytes;
  int file = open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  struct stat status;
  if (file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode)) {
    bytes.resize(status.st_size);
    if (read(file, bytes.data(), bytes.size()) != ssize_t(bytes.size()))
      bytes.clear();
  }
  if (file >= 0)
    close(file);
  return bytes;
}

// Without the paragraphs between two rules in which mpirun says that a rank has failed.
std::string tail(const std::string &output) {
  std::vector<std::string> lines;
  std::istringstream stream(output);
  bool paragraph = false;
  for (std::string line; std::getline(stream, line);) {
    const bool rule = line.size() > 70 && line.find_first_not_of('-') == std::string::npos;
    if (rule)
      paragraph = !paragraph;
    else if (!paragraph)
      lines.push_back(line);
  }
  if (lines.empty())
    return "";
  std::string text = "\n  It printed:";
  for (std::size_t i = lines.size() > 6 ? lines.size() - 6 : 0; i < lines.size(); ++i)
    text += "\n    | " + lines[i];
  return text;
}

namespace {
// Where the ranks were when they were stopped: for each the note of ranks.hpp.
std::string where(const std::string &folder, int ranks) {
  std::string text;
  for (int rank = 0; rank < ranks; ++rank) {
    Reply file(folder + "/waits." + std::to_string(rank));
    file.number(); // how often it moved
    const Bytes bytes = file.take(std::min<std::size_t>(file.left(), 248)).value_or(Bytes{});
    std::string note;
    for (unsigned char c : bytes) {
      if (c == 0)
        break;
      note += c < 32 || c > 126 ? '?' : char(c);
    }
    text += "\n    rank " + std::to_string(rank) + ": " +
            (note.empty() ? "computes, or is in another call" : note);
  }
  return text;
}
} // namespace

Complaint found_by_checks(const Outcome &outcome) {
  constexpr int found = 86; // the exit code
  if (tool().empty() || outcome.end != End::finished || outcome.code != found)
    return {};
  const std::string mark = "========= ", detail = "  ";
  std::vector<std::string> fault, all, *part = nullptr;
  std::istringstream output(outcome.output);
  for (std::string line; std::getline(output, line);) {
    if (line.rfind(mark, 0) != 0)
      continue; // the program's own
    line.erase(0, mark.size());
    if (line.rfind(detail, 0) != 0)
      part = std::isdigit(static_cast<unsigned char>(line[0])) ? &all
             : fault.empty()                                   ? &fault
                                                               : nullptr;
    if (part)
      part->push_back(line);
  }
  if (all.size() > 2) // more than one fault
    fault.insert(fault.end(), all.begin(), all.end());
  std::string message;
  for (const std::string &line : fault)
    message += (message.empty() ? "" : "\n  ") + line;
  return {"check", message};
}

Complaint stopped(const Outcome &outcome, const Limits &limit, const std::string &folder,
                  int ranks) {
  std::ostringstream text;
  switch (outcome.end) {
  case End::time:
    text << "ran " << limit.seconds << " s, stopped (limit " << limit.seconds << " s)";
    if (ranks)
      text << "\n  Where each rank was then:" << where(folder, ranks);
    text << "\n  Often: a loop that does not end, or a barrier that not all threads reach."
         << (tool().empty() ? " With --tool synccheck the message may name it." : "");
    return {"timeout", text.str() + tail(outcome.output)};
  case End::memory:
    text << "took more than " << (limit.memory >> 20) << " MiB of memory, stopped (limit "
         << (limit.memory >> 20) << " MiB)\n  Often: an allocation inside a loop, or a size in "
         << "elements taken for bytes twice.";
    return {"memory", text.str()};
  case End::processes:
    text << "started more than " << limit.processes << " processes, stopped (limit "
         << limit.processes << ")";
    return {"processes", text.str()};
  case End::output:
    text << "printed more than " << (limit.output >> 20) << " MiB, stopped (limit "
         << (limit.output >> 20) << " MiB)\n  Often: a printf in a loop or in every thread.";
    return {"output", text.str() + tail(outcome.output)};
  case End::lost:
    return {"forgery", "the process that watches your program was killed"};
  case End::signalled:
    text << "crashed: " << strsignal(outcome.code)
         << "\n  Often: a device pointer used on the host, a host pointer in a kernel, or an index "
            "outside its array.";
    return {"crash", text.str() + tail(outcome.output)};
  case End::finished:
    break;
  }
  if (ranks && outcome.code == EDEADLK) // as ranks.hpp ends them
    return {"deadlock", "the ranks wait for each other:" + where(folder, ranks) +
                            "\n  Often: each rank sends first, and a send can wait for its "
                            "receive; a call that not all ranks make; tags that differ."};
  const bool still_ending = ranks && outcome.code; // mpirun does not wait for ranks that it ends
  if (outcome.left_behind && !still_ending)
    return {"processes", "left processes running when it ended"};
  return {};
}

const Complaint no_reply{"forgery", "the reply is not one that the grader's worker writes"};

std::optional<Complaint> judge_reply(const Case &its_case, const Calls &calls, std::uint64_t nonce,
                                     Reply &reply) {
  if (reply.left() == 0)
    return {};
  if (reply.number() != nonce)
    return no_reply;
  Complaint value;
  for (std::size_t k = 0; k < calls.size(); ++k) {
    const Call &call = *calls[k];
    const bool right_so_far = value.kind.empty();
    const auto names =
        parameter_names(this_exercise.contract, this_exercise.function, call.parameters.size());
    auto complain = [&](Complaint complaint) {
      if (!value.kind.empty() || complaint.kind.empty())
        return;
      value = std::move(complaint);
      value.message += "\n  Asked: " + describe(call, this_exercise.function, names);
      if (calls.size() > 1)
        value.message += ", call " + std::to_string(k + 1) + " of " + std::to_string(calls.size());
    };
    for (std::size_t i = 0; i < call.parameters.size(); ++i) {
      const Parameter &parameter = call.parameters[i];
      if (!parameter.pointer)
        continue;
      auto came = reply.take(parameter.before.size());
      if (!came)
        return std::nullopt;
      complain(compare(parameter, names[i], *came));
    }
    auto result = reply.take(call.result_bytes);
    if (!result)
      return std::nullopt;
    if (call.result_complaint)
      if (std::string wrong = call.result_complaint(result->data()); !wrong.empty()) {
        if (right_so_far && !value.kind.empty()) // an array of this call is wrong, too
          value.message += "\n  It also returned: " + wrong;
        complain({"value", "it returned: " + wrong});
      }
  }
  auto length = reply.number();
  auto bytes = length && *length <= reply.left() ? reply.take(*length) : std::nullopt;
  if (!bytes)
    return no_reply;
  // What explains a wrong value goes before it; what explains nothing, after.
  Complaint leak, idle;
  std::istringstream findings(std::string(bytes->begin(), bytes->end()));
  for (std::string line; std::getline(findings, line);) {
    const std::string kind = line.substr(0, line.find(' ')), text = line.substr(kind.size() + 1);
    if (kind == "oob")
      return Complaint{kind,
                       text + "\n  Often: an index without its guard `if (i < n)`, or <= for <."};
    if (kind == "launch")
      return Complaint{kind,
                       "an error of CUDA went unreported: " + text +
                           "\n  Often: a launch without CUDA_CHECK(cudaGetLastError()) behind "
                           "it, with too many threads in a block."};
    if (kind == "leak")
      leak = {kind, "device memory was left allocated: " + text +
                        "\n  Each cudaMalloc needs its cudaFree."};
    if (kind == "idle" && its_case.needs_kernel)
      idle = {kind, text + ": the device has to do the work, the host only asks for it"};
  }
  return !value.kind.empty() ? value : !idle.kind.empty() ? idle : leak;
}

Complaint judge_program(const Case &its_case, const Outcome &outcome) {
  const bool failed = outcome.code != 0;
  if (its_case.exit_code < 0 ? !failed : outcome.code != its_case.exit_code)
    return {"value", "exit code: expected " +
                         (its_case.exit_code < 0 ? "one that is not 0"
                                                 : std::to_string(its_case.exit_code)) +
                         "      got " + std::to_string(outcome.code) + tail(outcome.output)};
  for (const std::string &text : its_case.printed)
    if (outcome.output.find(text) == std::string::npos)
      return {"value", "it should print \"" + text + "\" and does not" + tail(outcome.output)};
  for (const std::string &text : its_case.not_printed)
    if (outcome.output.find(text) != std::string::npos)
      return {"value", "it should not print \"" + text + "\"" + tail(outcome.output)};
  return {};
}

namespace {
// The sum over all kernels of a report such as
//   =========   global: 2006 loads of 8024 bytes, 1003 stores of 4012 bytes
std::optional<Work> work_of(const Bytes &report) {
  Work sum;
  std::istringstream lines(std::string(report.begin(), report.end()));
  for (std::string line; std::getline(lines, line);) {
    unsigned long long loads, load_bytes, stores, store_bytes;
    char memory[7];
    if (std::sscanf(line.c_str(),
                    "========= %6[a-z]: %llu loads of %llu bytes, %llu stores of %llu", memory,
                    &loads, &load_bytes, &stores, &store_bytes) != 5)
      continue;
    const bool global = std::string(memory) == "global";
    (global ? sum.global_loads : sum.shared_loads) += loads;
    (global ? sum.global_load_bytes : sum.shared_load_bytes) += load_bytes;
    (global ? sum.global_stores : sum.shared_stores) += stores;
    (global ? sum.global_store_bytes : sum.shared_store_bytes) += store_bytes;
  }
  if (report.empty())
    return {};
  return sum;
}
} // namespace

Complaint judge_work(const Case &its_case, const Bytes &report) {
  const std::pair<std::uint64_t Work::*, const char *> names[] = {
      {&Work::global_loads, "loads from global memory"},
      {&Work::global_load_bytes, "bytes loaded from global memory"},
      {&Work::global_stores, "stores to global memory"},
      {&Work::global_store_bytes, "bytes stored to global memory"},
      {&Work::shared_loads, "loads from shared memory"},
      {&Work::shared_load_bytes, "bytes loaded from shared memory"},
      {&Work::shared_stores, "stores to shared memory"},
      {&Work::shared_store_bytes, "bytes stored to shared memory"}};
  const std::optional<Work> work = work_of(report);
  if (!work || work->global_stores == 0)
    return {"work", "no kernel stored anything in global memory: kernels have to do the work"};
  for (const WorkLimit &limit : its_case.work)
    if (const std::uint64_t came = (*work).*limit.what; came > limit.most) {
      const auto name = std::find_if(std::begin(names), std::end(names),
                                     [&](auto &entry) { return entry.first == limit.what; });
      return {"work", "the values are right, but the work is too much: " + std::to_string(came) +
                          " " + name->second + ", at most " + std::to_string(limit.most) +
                          " are needed\n  Often: " + limit.meaning};
    }
  return {};
}

} // namespace course
