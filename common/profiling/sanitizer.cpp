// course-sanitizer TOOL PROGRAM [ARGUMENT]...: runs a program on a GPU under compute-sanitizer and
// reports what it finds as the CPU backend's tools do (common/cpu/fault_report.hpp): in CUDA's
// terms, each fault once, and at the end how often each was met.
//
// TOOL: memcheck, racecheck, initcheck, synccheck, or all: a run for each, of which the first
// prints what the program prints. Exit code: 86 when something was found, else the program's; 3
// without compute-sanitizer. course-sanitizer --read TOOL < TEXT: the same for what
// compute-sanitizer has written.
#include "../cpu/fault_report.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <regex>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace course; // the words of a fault report

constexpr int missing = 3; // the exit code without compute-sanitizer

using Lines = std::vector<std::string>;

// "4,000" in "of size 4,000 bytes", as a number.
unsigned long long number(std::string text) {
  text.erase(std::remove(text.begin(), text.end(), ','), text.end());
  return std::strtoull(text.c_str(), nullptr, 10);
}

// The first group that `pattern` finds in `text`; empty where there is none.
std::string part(const std::string &text, const char *pattern) {
  std::smatch match;
  return std::regex_search(text, match, std::regex(pattern)) ? match[1].str() : "";
}

// "(232, 0, 0)" for "(232,0,0)".
std::string index_text(const std::string &text) {
  return std::regex_replace(text, std::regex(","), ", ");
}

// "library::sum" for "std::enable_if<!T1, void>::type library::sum<int, (bool)1>(T2)+0xa0": without
// template arguments, types, parameters and anonymous namespaces.
std::string function_name(const std::string &text) {
  std::string name;
  int depth = 0; // of angle brackets
  for (const char c : without_anonymous(text)) {
    depth += c == '<';
    if (depth == 0 && (c == '(' || c == '+'))
      break;
    if (depth == 0)
      name = c == ' ' ? "" : name + c;
    depth -= c == '>';
  }
  return name;
}

// A place in the program: "add(const float *, int)+0xa0 in add.cu:10".
struct Frame {
  explicit Frame(const std::string &text)
      : function(function_name(text)), line(shortened(part(text, " in ([^()]+:[0-9]+)"))) {}
  // Not of CUDA's own headers.
  bool is_own() const {
    static const std::regex headers(".*/targets/.*/include/.*|/usr/.*|(device_|sm_[0-9]|cuda_).*");
    return !line.empty() && !std::regex_match(line, headers);
  }
  std::string function, line;
};

// One report of compute-sanitizer.
struct Record {
  std::string header;
  Lines details;

  // The first group of `pattern` in the details.
  std::string detail(const char *pattern) const {
    for (const std::string &line : details)
      if (std::string text = part(line, pattern); !text.empty())
        return text;
    return "";
  }
  // Where it happened, the innermost frame first.
  std::vector<Frame> frames() const {
    std::vector<Frame> all;
    for (const std::string &line : details)
      if (const std::string text = part(line, "^(?:at|Device Frame:) (.+)$"); !text.empty())
        all.emplace_back(text);
    return all;
  }
  // The line of host code that launched, allocated, or called.
  std::string host_line() const {
    for (const std::string &line : details)
      if (const std::string text = part(line, "^Host Frame: (.+)$"); !text.empty())
        if (const Frame frame(text); frame.is_own())
          return frame.line;
    return "";
  }
};

class Report {
public:
  // Prints what is new in `text`, the output of one tool.
  void read(const std::string &its_tool, std::istream &text) {
    tool_ = its_tool;
    kernel_failed_ = false;
    Record record;
    for (std::string line; std::getline(text, line);) {
      const std::string mark = "=========";
      if (line.rfind(mark, 0) != 0)
        continue;
      line.erase(0, mark.size());
      const std::size_t begin = line.find_first_not_of(' ');
      if (begin == std::string::npos || begin == 1) {
        tell(record);
        record = {};
      }
      if (begin == 1)
        record.header = line.substr(begin);
      else if (begin != std::string::npos)
        record.details.push_back(line.substr(begin));
    }
    tell(record);
  }

  // Prints the end of the report. Returns whether there was a fault.
  bool summarise() const {
    if (places_.empty())
      return false;
    std::vector<FaultPlace> places;
    for (const Met &met : places_)
      places.push_back({met.tool, met.where, std::max(met.records, met.counted)});
    std::cerr << text_of(places);
    return true;
  }

private:
  struct Met {
    std::string tool, kind, where;
    std::size_t records = 0, counted = 0; // counted: as compute-sanitizer says itself
  };

  // Counts a fault and prints it if it is new. `counted`: how often compute-sanitizer says it was
  // met.
  void add(const std::string &kind, const std::string &where, const std::string &what,
           Lines details, std::size_t counted = 0) {
    auto met = std::find_if(places_.begin(), places_.end(), [&](const Met &m) {
      return m.tool == tool_ && m.kind == kind && m.where == where;
    });
    if (met == places_.end()) {
      met = places_.insert(met, {tool_, kind, where});
      details.erase(std::remove(details.begin(), details.end(), ""), details.end());
      std::cerr << text_of(Fault{tool_, what, details});
    }
    met->counted += counted;
    met->records += counted == 0;
  }

  // "kernel add launched at add.cu:15"
  static std::string kernel_text(const Record &record, const std::string &kernel) {
    const std::string line = record.host_line();
    return "kernel " + kernel + (line.empty() ? "" : " launched at " + line);
  }

  // Who did it, from a record with "at" and "by thread": the line, and all of it in words.
  static std::pair<std::string, std::string> who(const Record &record) {
    const std::vector<Frame> frames = record.frames();
    std::string line =
        frames.empty() ? "a place without a line" : "a line of " + frames[0].function;
    for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame)
      if (frame->is_own())
        line = frame->line;
    const std::string kernel = frames.empty() ? "" : frames.back().function;
    return {line, "at " + line + " by thread " +
                      index_text(record.detail("^by thread (\\(.*?\\))")) + " of block " +
                      index_text(record.detail("in block (\\(.*?\\))")) + ", " +
                      kernel_text(record, kernel)};
  }

  void tell(const Record &record) {
    static const std::regex nothing("COMPUTE-SANITIZER|.* SUMMARY: .*|"
                                    "Target application returned an error|"
                                    ".*Target application terminated before first .*");
    if (record.header.empty() || std::regex_match(record.header, nothing))
      return;
    const std::string &header = record.header;
    if (!part(header, "^(Invalid|Uninitialized) __").empty())
      tell_access(record);
    else if (!part(header, "(hazard) detected").empty())
      tell_hazard(record);
    else if (!part(header, "(Race) reported").empty())
      tell_races(record);
    else if (!part(header, "^(Barrier) error").empty())
      tell_barrier(record);
    else if (!part(header, "^(Leaked) ").empty())
      tell_leak(record);
    else if (!part(header, "^(Program hit) ").empty())
      tell_error(record);
    else if (!part(header, "^(Host API memory access)").empty())
      add("call", call_line(record),
          record.detail("on access by (\\w+)") + " reads uninitialised memory",
          {"called at " + call_line(record)});
    else if (!part(header, "(process didn't terminate)").empty() && tool_ != "memcheck")
      ; // the run says so itself
    else if (!part(header, "(process didn't terminate)").empty())
      add("host", "host code", "host code crashed",
          {"Often: host code touches device memory. Copy it with cudaMemcpy first."});
    else // as it is
      add("other", header, header, record.details);
  }

  void tell_access(const Record &record) {
    const std::string verb = part(record.header, " (read|write) of size");
    const std::string memory = part(record.header, " __(\\w+)__ ");
    const std::string bytes = size_text(number(part(record.header, "of size ([0-9,]+)")));
    const auto [line, text] = who(record);
    if (record.header[0] == 'U') {
      add("read", line, "read of uninitialised memory", {verb + " " + text});
      return;
    }
    kernel_failed_ = true;
    const std::string place = memory == "global" ? distance_text(record) : memory + " memory";
    if (!record.detail("(is misaligned)").empty())
      add("misaligned", line, "misaligned " + verb + " of " + bytes,
          {verb + " " + text, place,
           "The address of " + bytes + " at once must be a multiple of " + bytes + "."});
    else
      add("outside", line, verb + " of " + bytes + " outside any array",
          {verb + " " + text, place});
  }

  // Where an address is, as compute-sanitizer knows the arrays.
  static std::string distance_text(const Record &record) {
    constexpr unsigned long long far = 1 << 24; // bytes; the next array is no help then
    const std::string address = record.detail("^Access to (0x[0-9a-f]+)");
    const unsigned long long distance = number(record.detail("^and is ([0-9,]+) bytes"));
    if (std::strtoull(address.c_str(), nullptr, 16) < 65536)
      return "the address is a null pointer";
    if (distance > far)
      return "the address is far from any array: if it is memory of the host, pass the kernel what "
             "cudaMalloc "
             "gave";
    std::string text = "an array of " + size_text(number(record.detail("of size ([0-9,]+) bytes")));
    if (!record.detail("bytes (after) the nearest").empty())
      text += ", " + past_end_text(distance - 1);
    else if (!record.detail("bytes (before) the nearest").empty())
      text += ", " + before_start_text(distance);
    return text;
  }

  static std::string advice(const std::string &header, bool one_line) {
    return one_line ? one_line_advice : race_advice(header.rfind("Warning", 0) == 0);
  }

  // Two threads and one address.
  void tell_hazard(const Record &record) {
    Lines details, lines;
    int writes = 0;
    const std::string block = index_text(part(record.header, "in block (\\(.*?\\))"));
    for (const std::string &line : record.details) {
      const std::string thread = part(line, "^(?:Write|Read) Thread (\\(.*?\\)) at ");
      if (thread.empty())
        continue;
      const Frame frame(part(line, " at (.*)$"));
      const bool write = line[0] == 'W';
      writes += write;
      lines.push_back(frame.is_own() ? frame.line : "a line of " + frame.function);
      details.push_back(std::string(write ? "write" : "read") + " at " + lines.back() +
                        " by thread " + index_text(thread) + " of block " + block + ", " +
                        kernel_text(record, frame.function));
    }
    if (lines.size() != 2)
      return;
    details.push_back(advice(record.header, writes == 2 && lines[0] == lines[1]));
    add("race", lines_text(lines[0], lines[1]), "race on shared memory", details);
  }

  // One line and those that race with it, with counts.
  void tell_races(const Record &record) {
    const Frame first(part(record.header, " access at (.*)$"));
    const std::string first_text = part(record.header, "between (Read|Write) access");
    for (const std::string &line : record.details) {
      const std::string access = part(line, "^and (Read|Write) access at ");
      if (access.empty())
        continue;
      const Frame second(part(line, " access at (.*)$"));
      const auto words = [](const std::string &what, const Frame &frame) {
        return std::string(what == "Write" ? "write" : "read") + " at " + frame.line +
               " by a thread of kernel " + frame.function;
      };
      add("race", lines_text(first.line, second.line), "race on shared memory",
          {words(first_text, first), words(access, second),
           advice(record.header,
                  first_text == "Write" && access == "Write" && first.line == second.line)},
          number(part(line, "\\[([0-9,]+) hazards?\\]")));
    }
  }

  void tell_barrier(const Record &record) {
    const auto [line, text] = who(record);
    add("barrier", line, "not all threads reach the barrier at " + line,
        {part(record.header, "Barrier error detected\\. (.*)$"), text, barrier_advice});
  }

  void tell_leak(const Record &record) {
    if (kernel_failed_) // nothing can be freed any more
      return;
    const std::string line = call_line(record);
    add("leak", line,
        "memory is never freed: " + size_text(number(part(record.header, "^Leaked ([0-9,]+)"))),
        {"allocated at " + line});
  }

  void tell_error(const Record &record) {
    if (kernel_failed_) // it is that fault's consequence
      return;
    const std::string line = call_line(record), call = part(record.header, "API call to (\\w+)");
    add("error", line, call + " fails: " + part(record.header, "Program hit (\\w+)"),
        {"called at " + line});
  }

  static std::string call_line(const Record &record) {
    const std::string line = record.host_line();
    return line.empty() ? "a place without a line" : line;
  }

  std::string tool_;
  bool kernel_failed_ = false;
  std::vector<Met> places_;
};

// The path of compute-sanitizer: on the PATH, beside nvcc, or in the CUDA Toolkit at CUDA_HOME.
std::string find_sanitizer() {
  const auto variable = [](const char *name, const char *otherwise = "") {
    const char *value = std::getenv(name);
    return std::string(value ? value : otherwise);
  };
  const std::string nvcc = variable("CUDACXX");
  std::string folders = variable("PATH") + ":" + nvcc.substr(0, nvcc.rfind('/')) + ":" +
                        variable("CUDA_HOME", "/usr/local/cuda") + "/bin:";
  for (std::size_t end; (end = folders.find(':')) != folders.npos; folders.erase(0, end + 1))
    if (const std::string path = folders.substr(0, end) + "/compute-sanitizer";
        access(path.c_str(), X_OK) == 0)
      return path;
  return "";
}

// Runs the words as a command, silent or not. Returns its exit code, 128 + signal, or -1.
int run(std::vector<std::string> words, bool silent) {
  const pid_t child = fork();
  if (child == 0) {
    if (silent)
      for (const int output : {1, 2})
        dup2(open("/dev/null", O_WRONLY), output);
    std::vector<char *> arguments;
    for (std::string &word : words)
      arguments.push_back(word.data());
    arguments.push_back(nullptr);
    execv(arguments[0], arguments.data());
    _exit(missing);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child)
    return -1;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

// The command that runs `program`, and writes what `tool` finds to the file `log`.
std::vector<std::string> command(const std::string &sanitizer, const std::string &tool,
                                 const std::string &log, const Lines &program) {
  // A program may use no CUDA at all, as one rank's part of a job.
  std::vector<std::string> words{sanitizer, "--tool",        tool, "--log-file",
                                 log,       "--strip-paths", "no", "--require-cuda-init",
                                 "no"};
  if (tool == "memcheck")
    words.insert(words.end(), {"--leak-check", "full"});
  if (tool == "racecheck") // pairs of threads, which it has to write in full, and pairs of lines
    words.insert(words.end(), {"--racecheck-report", "all", "--print-limit", "10000"});
  words.insert(words.end(), program.begin(), program.end());
  return words;
}

int run_all(const std::string &tool, const Lines &program) {
  const std::string sanitizer = find_sanitizer();
  if (sanitizer.empty()) {
    std::cerr
        << "there is no compute-sanitizer here: it comes with the CUDA Toolkit (on a cluster: "
           "module load CUDA)\n";
    return missing;
  }
  std::string log = "/tmp/course-sanitizer-XXXXXX";
  if (const char *folder = std::getenv("TMPDIR"))
    log = std::string(folder) + "/course-sanitizer-XXXXXX";
  const int file = mkstemp(log.data());
  if (file < 0) {
    std::cerr << "cannot write to " << log << "\n";
    return missing;
  }
  close(file);
  Report report;
  int code = 0;
  bool first = true;
  for (const std::string one : tool_names)
    if (tool == one || tool == "all") {
      std::ofstream(log, std::ios::trunc).close(); // nothing of the tool before
      const int came = run(command(sanitizer, one, log, program), !first);
      code = code ? code : came;
      first = false;
      std::ifstream text(log);
      report.read(one, text);
    }
  unlink(log.c_str());
  return report.summarise() ? exit_with_faults : code;
}

} // namespace

int main(int argc, char **argv) {
  const Lines words(argv + 1, argv + argc);
  if (words.size() == 2 && words[0] == "--read") {
    Report report;
    report.read(words[1], std::cin);
    return report.summarise() ? exit_with_faults : 0;
  }
  const bool is_tool =
      !words.empty() &&
      (words[0] == "all" || std::count(std::begin(tool_names), std::end(tool_names), words[0]) > 0);
  if (words.size() < 2 || !is_tool) {
    std::cerr << "usage: course-sanitizer TOOL PROGRAM [ARGUMENT]...\n";
    return 2;
  }
  return run_all(words[0], {words.begin() + 1, words.end()});
}
