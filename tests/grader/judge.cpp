// Runs the cases of a judge: writes requests, runs workers, reads replies, reports.
#include "tests/grader/judge.hpp"

#include "tests/grader/exercise.hpp"
#include "tests/grader/explain.hpp"
#include "tests/grader/process.hpp"

#include <catch2/catch_message.hpp>
#include <catch2/catch_test_macros.hpp>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <iomanip>
#include <optional>
#include <stdexcept>
#include <thread>

namespace course {
namespace {

std::string variable(const char *name, const std::string &otherwise = "") {
  const char *value = std::getenv(name);
  return value && *value ? value : otherwise;
}

std::uint64_t seed() {
  static const std::uint64_t value = variable("COURSE_SEED").empty()
                                         ? std::random_device{}() & 0xFFFFFF
                                         : std::stoull(variable("COURSE_SEED"), nullptr, 16);
  return value;
}

std::string hexadecimal(std::uint64_t value) {
  std::ostringstream out;
  out << std::hex << value;
  return out.str();
}

// The check that the worker runs under (memcheck, ... or all); empty: none.
std::string tool() { return variable("COURSE_TOOL"); }

// Ranks need time to find each other, and each has its own memory.
Limits limits(int ranks) {
  Limits result;
  result.seconds =
      std::stod(variable("COURSE_LIMIT_SECONDS", tool().empty() ? "10" : "100")) * (ranks ? 2 : 1);
  result.memory = (std::stoull(variable("COURSE_LIMIT_MEMORY_MIB", "2048")) << 20) *
                  std::size_t(std::max(1, ranks));
  return result;
}

// The file that tells `check` what happened: for each case a line "kind, tab, title", then the
// lines of its message, indented. Without COURSE_RESULT there is none.
void record(const std::string &title, const Complaint &complaint) {
  static std::ofstream file(variable("COURSE_RESULT", "/dev/null"));
  file << (complaint.kind.empty() ? "pass" : complaint.kind) << '\t' << title << '\n';
  std::istringstream lines(complaint.message);
  for (std::string line; std::getline(lines, line);)
    file << ' ' << line << '\n';
  file.flush();
}

// Whether loads and stores are counted for this case. A worker counts or checks.
bool is_counted(const Case &its_case) {
  return COURSE_COUNTS && tool().empty() && !its_case.work.empty();
}

// Cases that share a worker: one, or on a GPU many, since starting there takes long.
struct Batch {
  std::vector<const Case *> cases;
  std::vector<int> numbers; // of the cases, in the order of the test: 1, 2, ...
  std::unique_ptr<PrivateFolder> folder;
  std::unique_ptr<Confined> worker;
  std::uint64_t nonce = 0;
};

const char counts_file[] = "counts"; // which a counted worker writes at its end

using Calls = std::vector<const Call *>;

// The calls of a case that `rank` makes; all where there are no ranks.
Calls calls_of(const Case &its_case, int rank = 0) {
  const std::size_t ranks = std::max(1, its_case.ranks);
  if (its_case.calls.size() % ranks)
    throw std::logic_error("\"" + its_case.title + "\": with() is not there for every rank");
  Calls calls;
  for (std::size_t k = rank; k < its_case.calls.size(); k += ranks)
    calls.push_back(&its_case.calls[k]);
  return calls;
}

void write_request(const std::string &path, std::uint64_t nonce, const std::vector<Calls> &cases) {
  std::ofstream file(path, std::ios::binary);
  auto number = [&](std::uint64_t value) {
    file.write(reinterpret_cast<const char *>(&value), sizeof value);
  };
  number(nonce);
  number(cases.size());
  for (const Calls &calls : cases) {
    number(calls.size());
    for (const Call *call : calls)
      for (const Parameter &parameter : call->parameters) {
        number(parameter.count);
        file.write(reinterpret_cast<const char *>(parameter.before.data()),
                   parameter.before.size());
      }
  }
  if (!file.flush())
    throw std::runtime_error("cannot write " + path + ": disk full?");
}

// The request of a batch, or one for each rank of its only case.
void write_requests(const Batch &batch) {
  const std::string path = batch.folder->path() + "/request";
  const int ranks = batch.cases.front()->ranks;
  for (int rank = 0; rank < ranks; ++rank)
    write_request(path + "." + std::to_string(rank), batch.nonce,
                  {calls_of(*batch.cases.front(), rank)});
  if (ranks)
    return;
  std::vector<Calls> cases;
  for (const Case *its_case : batch.cases)
    cases.push_back(calls_of(*its_case));
  write_request(path, batch.nonce, cases);
}

std::string text_of(const char *path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

using Environment = std::vector<std::pair<std::string, std::string>>;

void set(Environment &environment, const std::string &name, const std::string &value) {
  environment.erase(std::remove_if(environment.begin(), environment.end(),
                                   [&](auto &entry) { return entry.first == name; }),
                    environment.end());
  environment.emplace_back(name, value);
}

// What ranks of MPI need: mpirun, no leftovers outside the folder, no network, and patience, since
// ranks may outnumber cores.
void set_for_ranks(Environment &environment, const std::string &folder) {
  for (auto &[name, value] :
       Environment{{"PATH", variable("PATH")},
                   {"OPAL_PREFIX", variable("OPAL_PREFIX")},
                   {"HOME", folder},
                   {"TMPDIR", folder},
                   {"OMPI_MCA_pml", "ob1"},
                   {"OMPI_MCA_btl", "self,vader"},
                   {"OMPI_MCA_btl_vader_backing_directory", folder},
                   {"OMPI_MCA_btl_vader_single_copy_mechanism", "none"},
                   {"OMPI_MCA_mpi_yield_when_idle", "1"},
                   {"COURSE_CPU_THREADS", variable("COURSE_CPU_THREADS", "2")}})
    if (!value.empty())
      set(environment, name, value);
}

void start(Batch &batch) {
  batch.folder = std::make_unique<PrivateFolder>();
  batch.nonce = (std::uint64_t(std::random_device{}()) << 32) | std::random_device{}();
  Environment environment{
      {"PATH", "/usr/bin:/bin"}, {"HOME", "."}, {"TMPDIR", "."}, {"CUDA_CACHE_DISABLE", "1"}};
  for (const char *name :
       {"LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES", "COURSE_CPU_THREADS", "COURSE_CPU_DEVICES"})
    if (!variable(name).empty())
      environment.emplace_back(name, variable(name));
  // The CPU backend runs threads and blocks in another order for each case.
  const int number = batch.numbers.front();
  const std::string orders[] = {"forward", "reverse", "random:" + std::to_string(seed() + number)};
  environment.emplace_back("COURSE_CPU_ORDER", variable("COURSE_CPU_ORDER", orders[number % 3]));
  const Case &first = *batch.cases.front();
  if (first.device_memory)
    environment.emplace_back(COURSE_CUDA ? "COURSE_DEVICE_MEMORY" : "COURSE_CPU_MEMORY",
                             std::to_string(first.device_memory));
  if (!first.calls.empty()) {
    write_requests(batch);
    environment.emplace_back("COURSE_REQUEST", "request");
  }
  if (first.ranks)
    set_for_ranks(environment, batch.folder->path());
  for (auto &[name, value] : first.environment)
    set(environment, name, value);
  std::string program = variable("COURSE_WORKER");
  if (program.empty())
    throw std::runtime_error("COURSE_WORKER names no worker: use ./course check");
  if (is_counted(first)) {
    program = variable("COURSE_WORKER_CHECKED");
    if (program.empty())
      throw std::runtime_error("at_most() needs COUNTED in the line of this exercise in "
                               "CMakeLists.txt: course_exercise(NN-slug NAME COUNTED)");
    set(environment, "COURSE_CPU_COUNT", counts_file);
  }
  std::vector<std::string> arguments = first.arguments;
  if (!tool().empty() && COURSE_CUDA) {
    arguments.insert(arguments.begin(), {tool(), program});
    program = COURSE_SANITIZER;
    // Where compute-sanitizer is, and that it runs.
    for (const char *name : {"PATH", "CUDACXX", "COURSE_TOOL"})
      set(environment, name, variable(name));
  } else if (!tool().empty()) {
    set(environment, "COURSE_CPU_CHECKS", tool());
  }
  if (first.ranks) {
    // The script's text, not its name: the worker's user need not be able to read the course.
    arguments.insert(arguments.begin(), {"-c", text_of(COURSE_RANKS), "ranks.sh",
                                         std::to_string(first.ranks), program});
    program = "/bin/bash";
  }
  batch.worker = std::make_unique<Confined>(program, arguments, environment, *batch.folder,
                                            limits(first.ranks));
}

// A file that the worker left, empty if there is none. It is not trusted: only a regular file
// counts.
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

// The end of what it printed, without the paragraphs between two rules in which mpirun says that
// a rank has failed.
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
    text += "\n    rank " + std::to_string(rank) + ": " + (note.empty() ? "not in MPI" : note);
  }
  return text;
}

// What the checks found: the first fault, and where there are more, all by their places.
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

// A limit or a signal that ended the worker; empty when it ended by itself.
Complaint stopped(const Outcome &outcome, const std::string &folder, int ranks) {
  const Limits limit = limits(ranks);
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

// Reads one case's part of the reply. Nothing when the reply ends before it.
std::optional<Complaint> judge_reply(const Calls &calls, std::uint64_t nonce, Reply &reply) {
  if (reply.left() == 0)
    return {};
  if (reply.number() != nonce)
    return no_reply;
  Complaint value;
  for (std::size_t k = 0; k < calls.size(); ++k) {
    const Call &call = *calls[k];
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
      if (std::string wrong = call.result_complaint(result->data()); !wrong.empty())
        complain({"value", "it returned: " + wrong});
  }
  auto length = reply.number();
  auto bytes = length && *length <= reply.left() ? reply.take(*length) : std::nullopt;
  if (!bytes)
    return no_reply;
  // What explains a wrong value goes before it; a leak, which explains nothing, after.
  Complaint leak;
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
  }
  return value.kind.empty() ? leak : value;
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
  if (!work)
    return {"work", "nothing was counted: no kernel was launched"};
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

const char *const often_exit =
    "\n  Often: an error of CUDA that CUDA_CHECK reports, or a call of exit().";

// The complaint about a case on several ranks that have ended: that of the first rank with one.
Complaint judge_ranks(const Batch &batch, const Outcome &outcome) {
  const Case &its_case = *batch.cases.front();
  Complaint first;
  for (int rank = 0; rank < its_case.ranks; ++rank) {
    const std::string name = std::to_string(rank),
                      on = "on rank " + name + " of " + std::to_string(its_case.ranks) + ": ";
    Reply reply(batch.folder->path() + "/reply." + name);
    const auto complaint = judge_reply(calls_of(its_case, rank), batch.nonce, reply);
    if (!complaint)
      return {"exit", on + "ended before it answered; exit code of the ranks together: " +
                          std::to_string(outcome.code) + often_exit + tail(outcome.output)};
    if (reply.left() > 0)
      return no_reply;
    if (first.kind.empty() && !complaint->kind.empty())
      first = {complaint->kind, on + complaint->message};
  }
  return first;
}

// Waits for the worker; a complaint for each case that was reached, at least one.
std::vector<Complaint> finish(Batch &batch) {
  Outcome outcome = batch.worker->wait();
  const int ranks = batch.cases.front()->ranks;
  if (ranks && outcome.end == End::finished && outcome.code > 128 &&
      outcome.code < 128 + NSIG) { // mpirun's word for a signal
    outcome.end = End::signalled;
    outcome.code -= 128;
  }
  if (const Complaint check = found_by_checks(outcome); !check.kind.empty())
    return {check}; // it explains what else may be wrong
  const Complaint end = stopped(outcome, batch.folder->path(), ranks);
  if (batch.cases.front()->calls.empty())
    return {end.kind.empty() ? judge_program(*batch.cases.front(), outcome) : end};
  if (ranks)
    return {end.kind.empty() ? judge_ranks(batch, outcome) : end};
  std::vector<Complaint> complaints;
  Reply reply(batch.folder->path() + "/reply");
  for (const Case *its_case : batch.cases) {
    auto complaint = judge_reply(calls_of(*its_case), batch.nonce + complaints.size(), reply);
    if (!complaint)
      break;
    complaints.push_back(*complaint);
    if (!complaint->kind.empty() && complaint->kind != "leak")
      break; // what follows in the same process proves nothing
  }
  const Case &first = *batch.cases.front();
  if (!complaints.empty() && complaints[0].kind.empty() && is_counted(first))
    complaints[0] = judge_work(first, content_of(batch.folder->path() + "/" + counts_file));
  const bool complete = complaints.size() == batch.cases.size();
  const bool all_right = complete && std::all_of(complaints.begin(), complaints.end(),
                                                 [](const Complaint &c) { return c.kind.empty(); });
  if (all_right && reply.left() > 0)
    complaints.back() = no_reply;
  else if (!end.kind.empty() && complete)
    complaints.back() = end;
  else if (!complete && (complaints.empty() || complaints.back().kind.empty())) {
    if (!end.kind.empty())
      complaints.push_back(end);
    else
      complaints.push_back({"exit", "ended before it answered, with exit code " +
                                        std::to_string(outcome.code) + often_exit +
                                        tail(outcome.output)});
  }
  return complaints;
}

} // namespace

Judge::Judge() : random_(seed()) {}

void Judge::run() {
  static int counted = 0; // cases of the TEST_CASEs before
  prctl(PR_SET_DUMPABLE, 0);
  const int only = std::stoi(variable("COURSE_CASE", "0"));
  std::deque<Batch> waiting;
  for (auto &its_case : cases_) {
    const int number = ++counted;
    if (only && only != number)
      continue;
    const auto plain = [](const Case &c) {
      return tool().empty() && !c.calls.empty() && c.ranks == 0 && c.environment.empty() &&
             c.device_memory == 0;
    };
    const bool joins =
        COURSE_CUDA && !waiting.empty() && plain(*its_case) && plain(*waiting.back().cases.front());
    if (!joins)
      waiting.emplace_back();
    waiting.back().cases.push_back(its_case.get());
    waiting.back().numbers.push_back(number);
  }
  const std::size_t together = COURSE_CUDA ? 1 : 2;
  std::deque<Batch> running;
  while (!waiting.empty() || !running.empty()) {
    while (!waiting.empty() && running.size() < together) {
      start(waiting.front());
      running.push_back(std::move(waiting.front()));
      waiting.pop_front();
    }
    const auto complaints = finish(running.front());
    for (std::size_t i = 0; i < complaints.size(); ++i) {
      Complaint complaint = complaints[i];
      const Case &its_case = *running.front().cases[i];
      if (!complaint.kind.empty())
        complaint.message += "\n  The same numbers again: COURSE_SEED=" + hexadecimal(seed()) +
                             " COURSE_CASE=" + std::to_string(running.front().numbers[i]) +
                             " ./course check " + this_exercise.name +
                             (tool().empty() ? "" : " --tool " + tool());
      record(its_case.title, complaint);
      INFO(its_case.title << "\n  " << complaint.message);
      CHECK(complaint.kind == "");
    }
    for (std::size_t i = complaints.size(); i < running.front().cases.size(); ++i)
      record(running.front().cases[i]->title, {"skipped", ""});
    running.pop_front();
    // Nobody need wait twice for ranks or for a time limit; a bank asks for the first failure only.
    const std::string &last = complaints.back().kind;
    if (last == "timeout" || last == "deadlock" ||
        (!last.empty() && !variable("COURSE_FIRST_FAILURE").empty())) {
      for (const Batch &batch : waiting)
        for (const Case *its_case : batch.cases)
          record(its_case->title, {"skipped", ""});
      waiting.clear();
    }
  }
  cases_.clear();
}

} // namespace course
