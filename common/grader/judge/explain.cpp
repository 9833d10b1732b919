#include "common/grader/judge/explain.hpp"

#include "common/cpu/fault_report.hpp"
#include "common/cpu/refusals.hpp"
#include "common/grader/judge/exchange.hpp"
#include "common/grader/judge/order.hpp"
#include "common/grader/sandbox/text.hpp"
#include "common/grader/worker/note.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <regex>
#include <sstream>

namespace course {
namespace {
const char no_guard[] = "the guard is missing: `if (i < n)` keeps out the threads past the end.",
           one_too_far[] = "<= instead of <.",
           counts_bytes[] = " counts bytes: n * sizeof(...), not n.";
} // namespace

std::vector<std::string> parameter_names(const std::string &header, const std::string &function,
                                         std::size_t count) {
  std::ifstream file(header);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  text = std::regex_replace(text, std::regex("//[^\n]*"), "");
  std::vector<std::string> names;
  std::smatch match;
  if (std::regex_search(text, match, std::regex("\\b" + function + "\\s*\\(([^)]*)\\)"))) {
    std::string list = match[1];
    std::regex last_word("(\\w+)\\s*(,|$)");
    for (std::sregex_iterator it(list.begin(), list.end(), last_word), end; it != end; ++it)
      names.push_back((*it)[1]);
  }
  for (std::size_t i = names.size(); i < count; ++i)
    names.push_back("parameter " + std::to_string(i + 1));
  return names;
}

Remark explain_damage(const Found &damage, const Calls &calls) {
  const auto elements = [&](std::size_t bytes) { return (damage.past_end + bytes - 1) / bytes; };
  for (const Call *call : calls)
    for (const Parameter &parameter : call->parameters) {
      const std::size_t bytes = parameter.element.bytes;
      if (!parameter.pointer || bytes == 1)
        continue;
      if (damage.bytes == parameter.count && damage.bytes > bytes)
        return {damage.text, std::string("cudaMalloc") + counts_bytes};
      if (damage.bytes != parameter.count * bytes || damage.past_end == 0)
        continue;
      if (elements(bytes) == 1)
        return {damage.text, one_too_far};
      // Whole warps of threads would have written so much.
      if ((parameter.count + elements(bytes)) % 32 == 0 && elements(bytes) < 1024)
        return {damage.text, no_guard};
    }
  return {damage.text};
}

namespace {

// The program's own lines. Left out are the paragraphs between two rules in which mpirun reports a
// failed rank, and the lines that Open MPI and Python print after a crash.
std::vector<std::string> own_lines(const std::string &output) {
  static const std::regex of_others(
      "\\[[^ \\]]+:\\d+\\] .*|\\d+ more process(es)? ha(s|ve) sent help.*|"
      "  File \"<string>\", line .*|Current thread 0x.*|Extension modules: .*");
  std::vector<std::string> lines;
  std::istringstream stream(output);
  bool paragraph = false;
  for (std::string line; std::getline(stream, line);) {
    const bool rule = line.size() > 70 && line.find_first_not_of('-') == std::string::npos;
    if (rule)
      paragraph = !paragraph;
    else if (!paragraph && line.size() < 1000 && !std::regex_match(line, of_others))
      lines.push_back(line);
  }
  return lines;
}

// Which kernel ran at the end of the time, as the CPU backend says it in two lines, which are taken
// out; empty: none.
Remark interrupted_kernel(std::vector<std::string> &lines) {
  for (auto line = lines.begin(); line != lines.end(); ++line) {
    const auto next = line + 1;
    const auto its = interruption(*line, next == lines.end() ? "" : *next);
    if (!its)
      continue;
    std::string place = its->kernel;
    if (its->is_of_host)
      place = place.empty() ? refusals::of_host : refusals::of_host + (refusals::now + place);
    if (!its->line.empty())
      place += ", at " + its->line;
    lines.erase(line, next == lines.end() ? next : next + 1);
    return {place + ": does not end", "", its->is_of_host ? About::any : About::endless};
  }
  return {};
}

// The error that ended the program, as CUDA_CHECK, the CPU backend, the worker of a rank or the
// C library prints it, in lines which are taken out; empty: none is named.
Remark last_words(std::vector<std::string> &lines) {
  static const std::regex place("(\\S.*:\\d+): (.*)"), failed("  failed: (.*)"),
      copy("cudaMemcpy(Async)?\\(.*\\)"), kernel("error: (kernel .*)"),
      nccl("error: (deadlock: .*|calls that do not match|rank \\d+, nccl.*)"),
      rank("rank \\d+(, [^:]*)?: .*"),
      freed("(free|munmap_chunk)\\(\\): invalid pointer|double free or corruption \\(out\\)"),
      overwritten("(malloc|free|realloc|malloc_consolidate)\\(\\): .*|corrupted (size|double-).*");
  Remark words;
  std::string why; // why a launch or a copy was refused
  std::optional<RefusedLaunch> launch;
  std::optional<RefusedCopy> copied;
  std::string of_nccl; // the first fault of its ranks: others follow from it
  std::vector<std::string> others;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string &line = lines[i], &next = i + 1 < lines.size() ? lines[i + 1] : "";
    std::smatch match, reason;
    if (std::regex_match(line, match, kernel)) {
      words = {match[1]};
      others.insert(others.end(), lines.begin() + i + 1, lines.end());
      break;
    }
    if (std::regex_match(line, match, nccl)) {
      std::string said = match[1];
      while (i + 1 < lines.size() && !std::regex_match(lines[i + 1], nccl) &&
             !std::regex_match(lines[i + 1], place))
        said += "\n" + lines[++i];
      if (of_nccl.empty())
        of_nccl = said;
      continue;
    }
    const auto its_launch = refused_launch(line);
    const auto its_copy = refused_copy(line);
    if (its_launch || its_copy) {
      why = line;
      launch = its_launch;
      copied = its_copy;
    } else if (std::regex_match(line, match, place) && std::regex_match(next, reason, failed)) {
      const std::string call = match[2];
      const bool asks = call.find("LastError") != call.npos;
      words = {match[1].str() + ": " +
               (copied && asks ? call + " returns the error of an earlier call: " : "") +
               (why.empty() ? call + " failed: " + reason[1].str() : why)};
      if (why.empty() && std::regex_match(call, copy) &&
          reason[1].str().rfind("invalid argument", 0) == 0)
        words.often = "cudaMemcpyHostToDevice instead of cudaMemcpyDeviceToHost; source and "
                      "destination swapped (the destination comes first); or a device address past "
                      "the end of its array, or already freed.";
      ++i;
    } else {
      if (std::regex_match(line, freed))
        words = {line + ": free() got a pointer that is not from malloc.",
                 "free(d_x) instead of cudaFree(d_x); free(x) instead of cudaFreeHost(x), for "
                 "memory from cudaMallocHost; or a write past the end of a host array: MPI counts "
                 "elements, not bytes."};
      else if (std::regex_match(line, overwritten))
        words = {line + ": something wrote past the end of a host array.",
                 "an index outside a std::vector; or an MPI call whose count is in bytes: MPI "
                 "counts elements."};
      else if (words.empty() && std::regex_match(line, rank))
        words = {line};
      others.push_back(line);
    }
  }
  lines = std::move(others);
  if (!of_nccl.empty())
    return {of_nccl};
  if (words.empty())
    words = {why};
  if (copied && copied->there > 0 &&
      (copied->bytes == 4 * copied->there || copied->bytes == 8 * copied->there))
    words.often =
        std::string(copied->memory == "pinned" ? "cudaHostRegister" : "cudaMalloc") + counts_bytes;
  if (launch && launch->block.x > 1024 && launch->block.y * launch->block.z == 1 &&
      launch->grid.y * launch->grid.z == 1 && launch->grid.x <= 1024 && launch->grid.x % 32 == 0)
    words.often = "<<<block, grid>>> instead of <<<grid, block>>>: the number of blocks comes "
                  "first.";
  return words;
}

} // namespace

void add_output(Finding &finding, const std::string &output) {
  std::vector<std::string> lines = own_lines(output);
  Remark words = interrupted_kernel(lines);
  if (words.empty())
    words = last_words(lines);
  if (!words.empty())
    finding.remarks.insert(finding.remarks.begin(), words);
  if (lines.empty())
    return;
  std::string printed = "It printed:";
  constexpr std::size_t head = 4, tail = 5;
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (lines.size() <= head + tail || i < head || i + tail >= lines.size())
      printed += "\n  | " + lines[i];
    else if (i == head)
      printed += "\n  | ...";
  finding.remarks.push_back({printed});
}

Finding explain_ranks(const std::vector<Finding> &ranks) {
  const auto first =
      std::find_if(ranks.begin(), ranks.end(), [](const Finding &rank) { return rank.is_wrong(); });
  if (first == ranks.end())
    return {};
  Finding finding = *first;
  finding.remarks.front().fact.insert(0, "on rank " + std::to_string(first - ranks.begin()) +
                                             " of " + std::to_string(ranks.size()) + ": ");
  // Guesses from the pattern of values are about threads, and mislead about ranks.
  if (finding.kind == Kind::value)
    for (Remark &remark : finding.remarks)
      if (remark.about != About::known_mistake)
        remark.often.clear();
  // Not a struct: ranks may have to return different ones.
  if (first - ranks.begin() == 1 && !first->expected.empty() &&
      std::all_of(first, ranks.end(),
                  [&](const Finding &rank) { return rank.expected == first->expected; }))
    finding.remarks.push_back({"Only rank 0 has the right value.",
                               "MPI_Reduce, which gives the result to one rank, instead of "
                               "MPI_Allreduce, which gives it to all."});
  return finding;
}

namespace {

// The calls in which the ranks waited when they were stopped, by their notes.
std::string where(const std::string &folder, int ranks) {
  std::string text;
  for (int rank = 0; rank < ranks; ++rank) {
    const Bytes bytes = content_of(folder + "/waits." + std::to_string(rank));
    std::string call;
    if (bytes.size() == sizeof(Note)) {
      const auto begin = bytes.begin() + offsetof(Note, call);
      call = printable(std::string(begin, std::find(begin, begin + sizeof Note::call, 0)));
    }
    text += "\n  rank " + std::to_string(rank) + ": " +
            (call.empty() ? "computing, or in another call" : call);
  }
  return text;
}

// The usual cause of a fault: a read of uninitialised memory; or an access outside an array by
// threads at the element of their own number: as many threads as the last block has too many, or
// one.
std::string guess_of(const FaultReport &report) {
  const Fault &fault = report.faults.front();
  if (reads_uninitialised_array(fault))
    return "a copy to the device or a kernel is missing, or it fills only a part of the array.";
  const std::optional<OutsideAccess> its = outside_access(fault);
  if (its && its->before == its->bytes)
    return "i - 1 where i is 0. In C++, -1 % n is -1, not n - 1: write (i - 1 + n) % n.";
  if (!its || its->before > 0 || !its->is_linear)
    return "";
  const auto count = its->array / its->bytes, past = its->past / its->bytes, rank = its->thread,
             blocks = its->block;
  const auto place = std::find_if(report.places.begin(), report.places.end(), [&](const auto &p) {
    return p.tool == fault.tool && p.where == its->where;
  });
  const std::size_t met = place == report.places.end() ? 0 : place->met;
  for (const std::size_t block : {32, 64, 96, 128, 160, 192, 256, 320, 384, 512, 640, 768, 1024}) {
    const std::size_t too_many = (block - count % block) % block;
    if (count + past == blocks * block + rank && rank < block && past < too_many) {
      if (too_many > 3 && met > 0 && met % too_many == 0)
        return no_guard;
      if (too_many > 3 && past == 0 && met > 0 && met <= 3)
        return one_too_far;
    }
  }
  return "";
}

Remark of_tool(const std::string &tool, const std::string &found) {
  return {tool + ": " + found, "", tool == "initcheck" ? About::uninitialised : About::any};
}

// The first report of compute-sanitizer after its tool's name, and the lines that explain the
// reports of this tool, all as common/cli/sanitizer.sh shows them; empty: there is none.
Remark sanitizer_report(const std::string &output) {
  const std::string mark = "========= ", detail = mark + "  ", begin = mark + "COMPUTE-SANITIZER";
  const auto is_fault = [&](const std::string &line) {
    return line.size() > mark.size() && line.find("SUMMARY: ") == line.npos &&
           line.find("Target application ") == line.npos;
  };
  std::istringstream lines(output);
  std::string found, report, meaning;
  bool begun = false, in_report = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.find(begin) != line.npos) {
      if (!found.empty())
        break;
      begun = true; // before, such lines are the program's own
    } else if (line.rfind(mark, 0) == 0) {
      if (line.rfind(detail, 0) != 0)
        in_report = begun && report.empty() && is_fault(line);
      if (in_report)
        report += (report.empty() ? "" : "\n") + line.substr(mark.size());
    } else {
      for (const std::string name : tool_names)
        if (line.rfind(name + ": ", 0) == 0 && !report.empty()) {
          found = name;
          meaning += line.substr(name.size() + 1).replace(0, 1, "\n");
        }
    }
  }
  return found.empty() ? Remark{} : of_tool(found, report + meaning);
}

} // namespace

bool is_uncaught(const Outcome &outcome) {
  return outcome.end == End::signalled && outcome.code == SIGABRT &&
         (outcome.output.find("terminate called after throwing an instance of") !=
              std::string::npos ||
          outcome.output.find("due to uncaught exception of type") != std::string::npos);
}

Finding explain_faults(const Outcome &outcome) {
  const bool exits_with_faults = outcome.end == End::finished && outcome.code == exit_with_faults;
  if (!exits_with_faults && !is_uncaught(outcome))
    return {};
  if (const Remark report = sanitizer_report(outcome.output); exits_with_faults && !report.empty())
    return {Kind::fault, report};
  FaultReport report = read_fault_report(outcome.output);
  if (!exits_with_faults && report.faults.empty())
    return {};
  // Told last, since it could still be looked at; what it has led to is told before.
  std::stable_partition(report.faults.begin(), report.faults.end(),
                        [](const Fault &fault) { return fault.what == "an unchecked error"; });
  if (report.faults.empty() && report.places.empty()) // its own exit code, or it hides the report
    return {Kind::exit, "ended with exit code " + std::to_string(exit_with_faults) +
                            ", but without the report of a tool"};
  Finding finding;
  finding.kind = Kind::fault;
  if (!report.faults.empty()) {
    const Fault &first = report.faults.front();
    Remark &remark = finding.remarks.emplace_back(of_tool(first.tool, first.what));
    for (const std::string &line : first.details)
      remark.fact += "\n  " + line;
    remark.often = guess_of(report);
  }
  if (report.places.size() > 1 || report.faults.empty()) {
    std::string &fact = finding.remarks.emplace_back(Remark{count_of(report.places)}).fact;
    for (const FaultPlace &place : report.places)
      fact += "\n  " + text_of(place);
  }
  return finding;
}

Finding explain_end(const Outcome &outcome, const Limits &limit, const std::string &folder,
                    int ranks) {
  std::ostringstream text;
  switch (outcome.end) {
  case End::time:
    text << "stopped after the time limit of " << limit.seconds << " s";
    if (ranks)
      text << "\nWhat each rank was doing:" << where(folder, ranks);
    return {Kind::timeout, text.str()};
  case End::memory:
    text << "stopped at the memory limit of " << (limit.memory >> 20)
         << " MiB. Without a GPU, device arrays count as well";
    return {Kind::memory, text.str()};
  case End::processes:
    text << "stopped, because it started more than " << limit.processes << " processes";
    return {Kind::processes, text.str()};
  case End::output:
    text << "stopped, because it printed more than " << (limit.output >> 20) << " MiB";
    return {Kind::output, text.str()};
  case End::lost:
    return {Kind::forgery, "the process that watches your program was killed"};
  case End::signalled:
    text << "crashed: " << strsignal(outcome.code);
    if (outcome.code == SIGFPE)
      text << ": host code divides an integer by 0";
    if (outcome.code == SIGSEGV && !this_order().library.empty())
      return {Kind::crash, text.str(),
              "argtypes is missing or wrong (an address is a c_void_p), or memory was freed that "
              "the library still used."};
    if (outcome.code != SIGSEGV)
      return {Kind::crash, text.str()};
    return {
        Kind::crash, text.str(),
        std::string("host code uses an index outside its array, an offset in bytes (+ on a pointer "
                    "counts elements), a pointer that was never set, or (on a GPU) a device "
                    "pointer") +
            (ranks ? "; or an MPI call has a count in bytes: MPI counts elements." : ".")};
  case End::finished:
  case End::not_started: // nobody asks: these are faults of the machine
  case End::interrupted:
  case End::memory_is_full:
    break;
  }
  if (ranks && outcome.code == EDEADLK) // as ranks.hpp ends them
    return {Kind::deadlock, "the ranks wait for each other:" + where(folder, ranks),
            "all ranks receive first, or all send first (a send can wait for its receive); not all "
            "ranks make the same call; or the tags differ."};
  const bool still_ending = ranks && outcome.code; // mpirun does not wait for ranks that it ends
  if (outcome.left_behind && !still_ending)
    return {Kind::processes, "left processes running when it ended"};
  return {};
}

} // namespace course
