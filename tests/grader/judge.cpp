// Runs the cases of a judge: writes requests, runs workers, reads replies, reports.
#include "tests/grader/judge.hpp"

#include "tests/grader/exercise.hpp"
#include "tests/grader/explain.hpp"
#include "tests/grader/outcome.hpp"

#include <catch2/catch_message.hpp>
#include <catch2/catch_test_macros.hpp>

#include <sys/prctl.h>

#include <csignal>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <stdexcept>
#include <thread>

namespace course {
namespace {

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

// Ranks need time to find each other, and each has its own memory.
Limits limits(int ranks) {
  Limits result;
  const int workers = std::max(1, ranks);
  result.seconds =
      std::stod(variable("COURSE_LIMIT_SECONDS", tool().empty() ? "10" : "100")) * (ranks ? 2 : 1);
  result.memory =
      (std::stoull(variable("COURSE_LIMIT_MEMORY_MIB", "2048")) << 20) * std::size_t(workers);
  result.processes *= workers;
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

const char *const often_exit =
    "\n  Often: an error of CUDA that CUDA_CHECK reports, or a call of exit().";

// The complaint about a case on several ranks that have ended: that of the first rank with one.
Complaint judge_ranks(const Batch &batch, const Outcome &outcome) {
  const Case &its_case = *batch.cases.front();
  Complaint first;
  for (int rank = 0; rank < its_case.ranks; ++rank) {
    Reply reply(batch.folder->path() + "/reply." + std::to_string(rank));
    const auto complaint = judge_reply(its_case, calls_of(its_case, rank), batch.nonce, reply);
    if (!complaint)
      return {"exit",
              "the ranks ended before all had answered, with exit code " +
                  std::to_string(outcome.code) +
                  "\n  Often: an error of CUDA or MPI on one of them, or a call of exit()." +
                  tail(outcome.output)};
    if (reply.left() > 0)
      return no_reply;
    if (!first.kind.empty() || complaint->kind.empty())
      continue;
    first = {complaint->kind, "on rank " + std::to_string(rank) + " of " +
                                  std::to_string(its_case.ranks) + ": " + complaint->message};
    // What it often means is said of threads, and would lead astray between ranks.
    const std::size_t often = first.message.find("\n  Often: ");
    if (first.kind == "value" && often != std::string::npos)
      first.message.erase(often, first.message.find('\n', often + 1) - often);
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
  const Complaint end = stopped(outcome, limits(ranks), batch.folder->path(), ranks);
  if (batch.cases.front()->calls.empty())
    return {end.kind.empty() ? judge_program(*batch.cases.front(), outcome) : end};
  if (ranks)
    return {end.kind.empty() ? judge_ranks(batch, outcome) : end};
  std::vector<Complaint> complaints;
  Reply reply(batch.folder->path() + "/reply");
  for (const Case *its_case : batch.cases) {
    auto complaint =
        judge_reply(*its_case, calls_of(*its_case), batch.nonce + complaints.size(), reply);
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
