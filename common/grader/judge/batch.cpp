#include "common/grader/judge/batch.hpp"

#include "common/grader/judge/answer.hpp"
#include "common/grader/judge/environment.hpp"
#include "common/grader/judge/exchange.hpp"
#include "common/grader/judge/explain.hpp"
#include "common/grader/judge/order.hpp"
#include "common/grader/sandbox/text.hpp"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <map>
#include <random>
#include <sstream>
#include <stdexcept>

namespace course {
namespace {

namespace fs = std::filesystem;

// Seconds that the workers of this judge have run. All of them together may run as long as six that
// meet their limit: else a slow answer takes as long as it has cases.
double seconds_spent = 0;
double seconds_left(const Limits &each) { return 6 * each.seconds - seconds_spent; }

// Ranks need time to find each other, and each has its own memory.
Limits limits(int ranks) {
  Limits result;
  const int workers = std::max(1, ranks);
  const Order &order = this_order();
  const double usual = order.tool.empty() ? 10 : 100;
  result.seconds = (order.limit_seconds > 0 ? order.limit_seconds : usual) * (ranks ? 2 : 1);
  const std::size_t mib = order.limit_memory_mib > 0 ? order.limit_memory_mib : 2048;
  result.memory = (mib << 20) * workers;
  result.processes *= workers;
  return result;
}

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

// The bytes of a reply to these calls, with what the worker may find.
std::size_t reply_size(const Calls &calls) {
  std::size_t bytes = 1 << 16;
  for (const Call *call : calls) {
    bytes += call->result_bytes;
    for (const Parameter &parameter : call->parameters)
      bytes += parameter.pointer ? parameter.before.size() : 0;
  }
  return bytes;
}

// The requests of cases, one for each rank where there are some, and room for the replies.
void write_requests(const std::string &folder, std::uint64_t nonce,
                    const std::vector<const Case *> &cases) {
  const int ranks = cases.front()->ranks;
  for (int rank = 0; rank < std::max(1, ranks); ++rank) {
    const std::string of_rank = ranks ? "." + std::to_string(rank) : "";
    std::vector<Calls> calls;
    std::size_t size = 0;
    for (const Case *its_case : cases) {
      calls.push_back(calls_of(*its_case, rank));
      size += reply_size(calls.back());
    }
    write_request(folder + "/request" + of_rank, nonce, cases.front()->launches, calls);
    reserve(folder + "/reply" + of_rank, size);
  }
}

using Environment = std::map<std::string, std::string>;

// Settings for MPI ranks: mpirun, no leftovers outside the folder, no network, and patience, since
// ranks may outnumber cores. A send reads its memory late, except the first bytes: a program that
// changes them before it waits for the send sends something else.
void set_for_ranks(Environment &environment, const std::string &folder) {
  for (const auto &[name, value] :
       Environment{{"PATH", variable("PATH")},
                   {"OPAL_PREFIX", variable("OPAL_PREFIX")},
                   {"HOME", folder},
                   {"TMPDIR", folder},
                   {"OMPI_MCA_pml", "ob1"},
                   {"OMPI_MCA_btl", "self,vader"},
                   {"OMPI_MCA_btl_vader_backing_directory", folder},
                   {"OMPI_MCA_btl_vader_single_copy_mechanism", "none"},
                   {"OMPI_MCA_btl_vader_eager_limit", "128"},
                   {"OMPI_MCA_osc", "^rdma,ucx"}, // windows without a network
                   {"OMPI_MCA_osc_sm_backing_directory", folder},
                   {"OMPI_MCA_mpi_yield_when_idle", "1"},
                   {"COURSE_CPU_THREADS", variable("COURSE_CPU_THREADS", "2")}})
    if (!value.empty())
      environment[name] = value;
}

// Draws the devices of the CPU backend: an answer that is right only with the cores and the memory
// of this machine is not right. An answer may take all that memory: less than the sandbox allows.
void set_devices(Environment &environment, std::uint64_t draw) {
  std::mt19937_64 random(draw);
  const auto one_of = [&random](std::initializer_list<std::size_t> values) {
    return std::to_string(*(values.begin() + random() % values.size()));
  };
  environment["COURSE_CPU_PROCESSORS"] = one_of({1, 2, 7, 24, 68});
  environment["COURSE_CPU_DEVICES"] = one_of({1, 2, 3});
  environment["COURSE_CPU_MEMORY"] =
      one_of({std::size_t(4) << 28, std::size_t(5) << 28, std::size_t(6) << 28});
}

// The worker of a case.
std::string program_of(const Case &its_case) {
  const Order &order = this_order();
  if (order.worker.empty())
    throw std::runtime_error("this judge has no order (COURSE_ORDER): use ./course check");
  if (!is_counted(its_case))
    return order.worker;
  if (order.instrumented.empty())
    throw std::runtime_error("at_most() needs `counted` in the line of this exercise in "
                             "common/cmake/registry.json");
  return order.instrumented;
}

constexpr int code_of_loader = 127; // where it does not find a library

// The libraries that the loader does not find. It lists all instead of running the program.
std::string missing_libraries(const std::string &program) {
  const PrivateFolder folder;
  Access access;
  access.readable = {program};
  const Outcome outcome =
      Sandbox(program, {},
              {{"LD_TRACE_LOADED_OBJECTS", "1"}, {"LD_LIBRARY_PATH", variable("LD_LIBRARY_PATH")}},
              folder, limits(0), access)
          .wait();
  std::istringstream lines(outcome.output);
  std::string missing;
  for (std::string line; std::getline(lines, line);)
    if (const std::size_t end = line.find(" => not found"); end != line.npos) {
      const std::size_t start = line.find_first_not_of(" \t");
      missing += (missing.empty() ? "" : ", ") + line.substr(start, end - start);
    }
  return missing;
}

} // namespace

bool shares_worker(const Case &its_case) {
  return !its_case.calls.empty() && its_case.ranks == 0 && its_case.environment.empty() &&
         its_case.launches == Launches::run && !its_case.fails;
}

bool Batch::take(const Case &its_case) {
  if (!COURSE_CUDA || !this_order().tool.empty() || !shares_worker(its_case) ||
      !shares_worker(*cases_.front()))
    return false;
  cases_.push_back(&its_case);
  return true;
}

void Batch::start(const std::string &thread_order, std::uint64_t draw) {
  try {
    start_worker(thread_order, draw);
  } catch (const MachineFault &error) {
    fault_ = error.what();
  }
}

void Batch::start_worker(const std::string &thread_order, std::uint64_t draw,
                         const std::string &control) {
  folder_ = std::make_unique<PrivateFolder>();
  nonce_ = (std::uint64_t(std::random_device{}()) << 32) | std::random_device{}();
  Environment environment{
      {"PATH", "/usr/bin:/bin"}, {"HOME", "."}, {"TMPDIR", "."}, {"CUDA_CACHE_DISABLE", "1"}};
  const auto inherit = [&](std::initializer_list<const char *> names) {
    for (const char *name : names)
      if (!variable(name).empty())
        environment[name] = variable(name);
  };
  inherit({"LD_LIBRARY_PATH", COURSE_CUDA ? "CUDA_VISIBLE_DEVICES" : "COURSE_CPU_THREADS"});
  environment["COURSE_CPU_ORDER"] = thread_order;
  const Case &first = *cases_.front();
  if (!first.calls.empty() && !COURSE_CUDA)
    set_devices(environment, draw);
  if (!first.calls.empty()) {
    write_requests(folder_->path(), nonce_, cases_);
    environment["COURSE_REQUEST"] = "request";
  }
  if (first.ranks)
    set_for_ranks(environment, folder_->path());
  for (const auto &[name, value] : first.environment)
    environment[name] = value;
  const Order &order = this_order();
  std::string program = program_of(first);
  if (is_counted(first))
    environment["COURSE_CPU_COUNT"] = "/dev/null"; // the reply has the sums
  std::vector<std::string> arguments = first.arguments;
  const std::string &library = order.library;
  if (!library.empty()) { // the submission is a file of Python
    arguments = {"-I", "-B", "-X", "faulthandler", "-c"};
    if (control.empty())
      arguments.insert(arguments.end(), {text_of_file(COURSE_PYTHON_WORKER), program, library});
    else // an unreadable folder is an empty package, so the control calls NumPy
      arguments.insert(arguments.end(), {"import ctypes, sys, numpy; numpy.zeros(1); "
                                         "library = ctypes.CDLL(sys.argv[1]); "
                                         "library.course_held_stream(); library.course_go_on(); "
                                         "library.course_allocate_pinned(ctypes.c_size_t(1))",
                                         library});
    program = COURSE_PYTHON;
    const std::string folders = variable("LD_LIBRARY_PATH");
    environment["LD_LIBRARY_PATH"] =
        fs::path(library).parent_path().string() + (folders.empty() ? "" : ":" + folders);
    environment["OPENBLAS_NUM_THREADS"] = "1";
  } else if (!control.empty()) {
    program = folder_->path() + "/control";
    fs::copy_file(control, program);
  }
  // A script's text, not its name: the worker's user need not be able to read the course.
  if (!order.tool.empty() && COURSE_CUDA && control.empty()) {
    arguments.insert(arguments.begin(),
                     {"-c", text_of_file(COURSE_SANITIZER), "sanitizer.sh", order.tool, program});
    program = "/bin/bash";
    environment["COURSE_TOOL"] = order.tool;
    inherit({"PATH", "CUDACXX", "CUDA_HOME"}); // by which compute-sanitizer is found and run
  } else if (!order.tool.empty()) {
    environment["COURSE_CPU_TOOL"] = order.tool;
  }
  if (first.ranks) {
    arguments.insert(arguments.begin(), {"-c", text_of_file(COURSE_RANKS), "ranks.sh",
                                         std::to_string(first.ranks), program});
    program = "/bin/bash";
  }
  if (COURSE_CUDA) {
    std::string device = variable("CUDA_VISIBLE_DEVICES", "0"); // the first of them
    device = device.substr(0, device.find(','));
    std::replace(device.begin(), device.end(), '/', '-'); // of a part of a device
    // Many small programs take longer to begin than they compute. But kernels of NCCL wait for
    // those of other devices, which must run at the same time.
    turn_ = std::make_unique<DeviceTurn>(device, order.shares_gpu && !order.with_nccl);
  }
  Access access;
  access.readable = {order.worker, order.instrumented, library, "/dev/urandom"};
  access.hidden = {order.file};
  if (first.ranks) { // mpirun looks for its ranks, and reads what they print
    access.readable.push_back("/proc");
    access.devices = {"/dev/ptmx", "/dev/pts"};
  } else if (!order.tool.empty()) {
    access.readable.push_back("/proc/self");
  }
  if (COURSE_CUDA)
    access.devices = {"/dev", "/proc"}; // a driver uses them
  // mpirun, compute-sanitizer and NVIDIA's NCCL speak to themselves by TCP.
  access.network = first.ranks > 0 || (COURSE_CUDA && (!order.tool.empty() || order.with_nccl));
  Limits limit = limits(first.ranks);
  if (control.empty())
    limit.seconds = std::clamp(seconds_left(limit), 0.001, limit.seconds);
  const std::vector<std::pair<std::string, std::string>> variables(environment.begin(),
                                                                   environment.end());
  worker_ = std::make_unique<Sandbox>(program, arguments, variables, *folder_, limit, access);
}

// The error that ended the worker and is not the submission's. If the worker could not be started,
// a program without a fault decides.
Finding Batch::fault_of_machine(const Outcome &outcome) const {
  if (!fault_.empty())
    return {Kind::error, fault_};
  if (outcome.end == End::interrupted)
    return {Kind::error, "interrupted"};
  if (outcome.end == End::memory_is_full)
    return {Kind::error, memory_is_full_text};
  if (outcome.end == End::finished && outcome.code == code_of_loader &&
      this_order().library.empty())
    if (const std::string missing = missing_libraries(program_of(*cases_.front()));
        !missing.empty())
      return {Kind::error, "this machine lacks a library of the program: " + missing +
                               ". On a cluster, load the modules with which the course was built"};
  if (outcome.end != End::not_started)
    return {};
  try {
    const PrivateFolder folder;
    const std::string control = folder.path() + "/control";
    std::filesystem::copy_file("/bin/true", control);
    const Outcome its = Sandbox(control, {}, {}, folder, limits(0), {}).wait();
    if (its.end == End::finished && its.code == 0)
      return {Kind::exit, "the program cannot be started: " + outcome.output};
  } catch (const std::exception &) { // the same fault
  }
  return {Kind::error, "no program can be started in " + folder_->path() + ": " + outcome.output +
                           "\nTo use another folder for temporary files, set TMPDIR"};
}

// The machine's fault where the exercise needs MPI or Python, and a program that only starts it
// fails twice; else nothing. Asked once, since the exercise has one number of ranks.
Finding Batch::fault_of_control() const {
  const Order &order = this_order();
  const std::string &program = order.control.empty() ? order.library : order.control;
  if (program.empty())
    return {};
  static const Finding fault = [&]() -> Finding {
    Case control;
    control.ranks = cases_.front()->ranks;
    Outcome outcome;
    for (int i = 0; i < 2; ++i) {
      Batch batch(control, 0);
      try {
        batch.start_worker("forward", 0, program);
      } catch (const std::exception &error) {
        return {Kind::error, error.what()};
      }
      outcome = batch.worker_->wait();
      if (outcome.end == End::interrupted)
        return {Kind::error, "interrupted"};
      if (outcome.end == End::finished && outcome.code == 0)
        return {};
    }
    return {
        Kind::error,
        "a program without an error that only starts MPI or Python fails here, too. " +
            (outcome.output.empty() ? "" : "It printed:\n" + indented(outcome.output)) +
            "./course doctor shows which MPI and which Python this is. For root, submissions run "
            "as another user, who must be able to read them."};
  }();
  return fault;
}

std::vector<Finding> Batch::finish() {
  std::vector<Finding> all = findings();
  if (all.back().is_wrong() && all.back().kind != Kind::error)
    if (const Finding fault = fault_of_control(); fault.is_wrong())
      return {fault};
  return all;
}

std::vector<Finding> Batch::findings() {
  Outcome outcome = worker_ ? worker_->wait() : Outcome{};
  seconds_ = outcome.seconds;
  turn_.reset();
  if (const Finding fault = fault_of_machine(outcome); fault.is_wrong())
    return {fault};
  seconds_spent += outcome.seconds;
  if (const Limits limit = limits(cases_.front()->ranks);
      outcome.end == End::time && seconds_left(limit) <= 0)
    return {{Kind::timeout,
             "the cases together ran more than " + std::to_string(int(6 * limit.seconds)) +
                 " s, the time limit of an exercise",
             "one thread does all the work, or the same work is repeated."}};
  const Case &first = *cases_.front();
  if (first.ranks && outcome.end == End::finished && outcome.code > 128 &&
      outcome.code < 128 + NSIG) { // mpirun's word for a signal
    outcome.end = End::signalled;
    outcome.code -= 128;
  }
  // An uncaught exception, or abort(), is one way to end with a reason.
  if (first.fails && outcome.end == End::signalled && outcome.code == SIGABRT) {
    outcome.end = End::finished;
    outcome.code += 128; // as a shell tells it
  }
  // It explains what else may be wrong; where kernels did nothing, that is the fault.
  if (!this_order().tool.empty() && first.launches == Launches::run && !first.faults)
    if (const Finding fault = explain_faults(outcome); fault.is_wrong())
      return {fault};
  const Finding end = explain_end(outcome, limits(first.ranks), folder_->path(), first.ranks);
  std::vector<Finding> findings;
  const bool is_program = first.calls.empty() || (first.fails && outcome.code != 0);
  // MPI itself may crash when it ends, after the replies: these tell what is wrong.
  const bool may_be_its_end = first.ranks && !is_program && end.kind == Kind::crash;
  const Finding replied = may_be_its_end ? judge_ranks(outcome) : Finding{};
  crashed_at_its_end_ = may_be_its_end && !replied.is_wrong();
  if (!is_program && first.nothing_right && (end.is_wrong() || outcome.code != 0))
    return {Finding{}}; // it has noticed
  if (!is_program && !first.ranks)
    findings = judge_replies(outcome, end);
  else if (end.is_wrong())
    findings = {replied.kind == Kind::value ? replied : end};
  else
    findings = {is_program ? judge_program(first, outcome) : judge_ranks(outcome)};
  if (findings.back().is_wrong())
    add_output(findings.back(), outcome.output);
  return findings;
}

// The finding of a case on several ranks that have ended.
Finding Batch::judge_ranks(const Outcome &outcome) const {
  const Case &its_case = *cases_.front();
  std::vector<Finding> ranks;
  for (int rank = 0; rank < its_case.ranks; ++rank) {
    Reply reply(folder_->path() + "/reply." + std::to_string(rank));
    const auto finding = judge_reply(its_case, calls_of(its_case, rank), nonce_, reply);
    if (!finding)
      return {Kind::exit, "not all ranks returned their results; they ended with exit code " +
                              std::to_string(outcome.code)};
    if (reply.left() > 0)
      return no_reply;
    ranks.push_back(*finding);
  }
  return explain_ranks(ranks);
}

std::vector<Finding> Batch::judge_replies(const Outcome &outcome, const Finding &end) const {
  std::vector<Finding> findings;
  Reply reply(folder_->path() + "/reply");
  for (const Case *its_case : cases_) {
    auto finding = judge_reply(*its_case, calls_of(*its_case), nonce_ + findings.size(), reply);
    if (!finding)
      break;
    findings.push_back(*finding);
    if (finding->is_wrong() && finding->kind != Kind::leak)
      break; // later cases in the same process prove nothing
  }
  const bool complete = findings.size() == cases_.size();
  const bool all_right = complete && std::none_of(findings.begin(), findings.end(),
                                                  [](const Finding &f) { return f.is_wrong(); });
  if (all_right && reply.left() > 0)
    findings.back() = no_reply;
  else if (end.is_wrong() && complete)
    findings.back() = end;
  else if (!complete && (findings.empty() || !findings.back().is_wrong())) {
    if (end.is_wrong())
      findings.push_back(end);
    else
      findings.push_back({Kind::exit, "ended with exit code " + std::to_string(outcome.code) +
                                          " before it returned its results"});
  }
  return findings;
}

} // namespace course
