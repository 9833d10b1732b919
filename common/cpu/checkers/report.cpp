// Faults in words.
#include "report.h"

#include "../system_folders.hpp"
#include "access.h"
#include "clock.h"
#include "runtime/allocations.h"
#include "runtime/capture.h"
#include "runtime/observer.h"
#include "runtime/worker.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <tuple>
#include <unistd.h>
#include <unordered_map>

namespace course_cpu {
namespace tools {

using namespace course; // the words of a fault report

// The runtime itself has no line numbers.
bool is_ours(const std::string &line) {
  for (const char *start : {COURSE_CPU_INCLUDE, COURSE_CPU_REAL_INCLUDE, "??"})
    if (line.rfind(start, 0) == 0)
      return true;
  return is_of_system(line) || line.find("/include/c++/") != line.npos ||
         line.find(":?") != line.npos;
}

namespace {

constexpr Tool all_tools[] = {Tool::memcheck, Tool::racecheck, Tool::initcheck, Tool::synccheck};
constexpr const char *of_library = "a line of the library";

struct Report {
  std::recursive_mutex mutex;
  std::vector<FaultPlace> places; // of the faults, in the order in which they were told
  std::map<std::tuple<Tool, std::string, Code, Code>, std::size_t> by_code;
  std::map<std::tuple<Tool, std::string, std::string>, std::size_t> by_line;
};

Report &all() {
  static auto &report = *new Report;
  return report;
}

// ---- lines ----

std::vector<std::string> output_of(const std::string &command) {
  std::vector<std::string> lines;
  FILE *pipe = popen(command.c_str(), "r");
  if (!pipe)
    return lines;
  char line[4096];
  while (std::fgets(line, sizeof line, pipe)) {
    line[std::strcspn(line, "\n")] = 0;
    lines.push_back(line);
  }
  pclose(pipe);
  return lines;
}

std::string program() {
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  return std::string(path, length > 0 ? static_cast<std::size_t>(length) : 0);
}

std::string quoted(const std::string &text) {
  std::string result = "'";
  for (const char c : text)
    result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

// The innermost line at this code that is the program's own; "" if none is.
const std::string &own_line(Code code) {
  static auto &known = *new std::unordered_map<Code, std::string>;
  const auto found = known.try_emplace(code);
  std::string &result = found.first->second;
  if (!found.second || code == 0)
    return result;
  char address[32];
  std::snprintf(address, sizeof address, " 0x%x", code - 1);
  for (std::string &line : output_of("addr2line -i -e " + quoted(program()) + address)) {
    line = line.substr(0, line.find(" (discriminator"));
    if (is_ours(line))
      continue;
    result = shortened(line);
    break;
  }
  return result;
}

// ---- words ----

std::string index_text(std::size_t number, const dim3 &size) {
  const std::size_t row = number / size.x;
  return "(" + std::to_string(number % size.x) + ", " + std::to_string(row % size.y) + ", " +
         std::to_string(row / size.y) + ")";
}

std::string launch_line(const Operation &operation) {
  return operation.line == 0 || is_ours(operation.file)
             ? line_of(operation.calls)
             : shortened(operation.file) + ":" + std::to_string(operation.line);
}

std::string distance_text(std::uintptr_t address, std::uintptr_t begin, std::uintptr_t end) {
  if (address < begin)
    return size_text(begin - address) + " before the start";
  if (address >= end)
    return size_text(address - end) + " past the end";
  return "at byte " + std::to_string(address - begin);
}

// The variable of the program at an address, with its offset.
std::string symbol_text(std::uintptr_t address) {
  const Symbol *const symbol = symbol_at(address);
  return symbol ? symbol->name + ", a variable of " + size_text(symbol->bytes) + ", at byte " +
                      std::to_string(address - symbol->begin)
                : "a variable of the program";
}

// ---- the end ----

using Handles = std::map<std::pair<std::string, const void *>, Calls>;
std::mutex handles_mutex;
Handles &handles() { // of living streams and events: where they were created
  static auto &all = *new Handles;
  return all;
}

void tell_leaks() {
  for (const Device &device : devices())
    if (device.sticky != cudaSuccess) // nothing can be freed any more
      return;
  for (const Allocation *a : living_device_allocations())
    if (is_new(Tool::memcheck, "leak", own_code(a->allocated)))
      tell("memory is never freed: " + size_text(a->end - a->begin),
           {"allocated at " + line_of(a->allocated)});
  for (const auto &[handle, created] : handles())
    if (is_new(Tool::memcheck, "handle", own_code(created)))
      tell(handle.first + " is never destroyed", {"created at " + line_of(created)});
}

bool tool_is_named() {
  const char *const name = std::getenv("COURSE_CPU_TOOL");
  return name && *name;
}

void at_exit(int status, void *) {
  if (status == 0 && !in_operation() && !host_callback_runs)
    for (Device &device : devices()) // a device does what it was given, also when nobody waits
      finish_all(device);
  end_of_unordered();
  tell_races();
  tell_unseen();
  const bool only_leaks = all().places.empty();
  if (wanted(Tool::memcheck) && status == 0)
    tell_leaks();
  std::fflush(nullptr);
  const std::vector<FaultPlace> &places = all().places;
  if (places.empty())
    return;
  std::fputs(text_of(places).c_str(), stderr);
  std::fflush(nullptr);
  // As with compute-sanitizer, a leak alone is told, and is no failure where nobody asked.
  if (!only_leaks || tool_is_named())
    _exit(exit_with_faults);
}

unsigned read_tools() {
  if (const char *count = std::getenv("COURSE_CPU_COUNT"); count && *count)
    return 0;
  const char *text = std::getenv("COURSE_CPU_TOOL");
  if (!text || !*text)
    return 15;
  unsigned tools = 0;
  for (std::string rest = text; !rest.empty();) {
    const std::string name = rest.substr(0, rest.find(','));
    rest.erase(0, name.size() + 1);
    unsigned tool = name == "all" ? 15 : 0;
    for (unsigned i = 0; i < 4; ++i)
      if (name == tool_names[i])
        tool = 1u << i;
    if (tool == 0) {
      std::fprintf(stderr,
                   "error: COURSE_CPU_TOOL names '%s': use memcheck, racecheck, initcheck, "
                   "synccheck, some of them with commas between, or all\n",
                   name.c_str());
      std::_Exit(2);
    }
    tools |= tool;
  }
  return tools;
}

unsigned tools = read_tools();
const int registered = on_exit(at_exit, nullptr);

} // namespace

void created(const char *what, const void *handle) {
  Calls calls = calls_of_host();
  std::lock_guard<std::mutex> lock(handles_mutex);
  handles()[{what, handle}] = std::move(calls);
}

void destroyed(const char *what, const void *handle) {
  std::lock_guard<std::mutex> lock(handles_mutex);
  handles().erase({what, handle});
}

void all_destroyed() {
  std::lock_guard<std::mutex> lock(handles_mutex);
  handles().clear();
}

bool wanted(Tool tool) { return tools >> static_cast<unsigned>(tool) & 1; }

std::string line_of(Code code) {
  const std::string &line = own_line(code);
  return line.empty() ? of_library : line;
}

Code own_code(const Calls &calls) {
  for (const Code code : calls)
    if (!own_line(code).empty())
      return code;
  return 0;
}

std::string line_of_interrupted(const void *code) {
  // The lines are those before return addresses; this is the address of what comes next.
  Calls calls{code_of(static_cast<const char *>(code) + 1)};
  for (const Code caller : calls_of_host())
    calls.push_back(caller);
  return line_of(calls);
}

std::string line_of(const Calls &calls) { return line_of(own_code(calls)); }

std::string launch_text(const Operation &operation) {
  return "kernel " + operation.kernel + " launched at " + launch_line(operation);
}

std::size_t place_number(Tool tool, const std::string &kind, const std::string &where) {
  Report &report = all();
  const auto found = report.by_line.try_emplace({tool, kind, where}, report.places.size());
  if (found.second)
    report.places.push_back({tool_names[static_cast<int>(tool)], where, 0});
  return found.first->second;
}

void add_met(std::size_t place, std::size_t times) {
  std::lock_guard<std::recursive_mutex> lock(all().mutex);
  all().places[place].met += times;
}

bool is_new(Tool tool, const char *kind, Code place, Code other) {
  Report &report = all();
  std::lock_guard<std::recursive_mutex> lock(report.mutex);
  const auto known = report.by_code.find({tool, kind, place, other});
  if (known != report.by_code.end()) {
    ++report.places[known->second].met;
    return false;
  }
  const std::string line = line_of(place);
  const std::size_t number =
      place_number(tool, kind, other == 0 ? line : lines_text(line, line_of(other)));
  report.by_code[{tool, kind, place, other}] = number;
  return ++report.places[number].met == 1;
}

bool is_new(Tool tool, const std::string &kind, const std::string &where) {
  std::lock_guard<std::recursive_mutex> lock(all().mutex);
  return ++all().places[place_number(tool, kind, where)].met == 1;
}

bool was_reported(Tool tool, Code place) {
  Report &report = all();
  std::lock_guard<std::recursive_mutex> lock(report.mutex);
  for (const auto &[key, number] : report.by_code)
    if (std::get<0>(key) == tool && (std::get<2>(key) == place || std::get<3>(key) == place))
      return true;
  return false;
}

void tell(const std::string &what, const std::vector<std::string> &details) {
  std::fflush(stdout);
  std::fputs(text_of(Fault{all().places.back().tool, what, details}).c_str(), stderr);
}

// A message of several lines.
static void tell_lines(const std::string &message) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin <= message.size();) {
    const std::size_t end = std::min(message.find('\n', begin), message.size());
    lines.push_back(message.substr(begin, end - begin));
    begin = end + 1;
  }
  tell(lines.front(), {lines.begin() + 1, lines.end()});
}

std::string describe_who(const Access &access) {
  if (access.by == By::host)
    return "at " + line_of(access.code) + " by host code";
  const Segment segment = segment_at(access.tick);
  if (!segment.operation)
    return "at " + line_of(access.code);
  const Operation &operation = *segment.operation;
  if (access.by == By::operation)
    return (access.code == 0 ? std::string("by the ") + operation.what
                             : "at " + line_of(access.code) + " by the host function") +
           std::string(" queued at ") + line_of(operation.calls);
  return "at " + line_of(access.code) + " by thread " + index_text(access.thread, operation.block) +
         " of block " + index_text(access.block, operation.grid) + ", " + launch_text(operation);
}

std::string describe(const Access &access, bool is_write) {
  return std::string(access.atomic ? "atomic " : "") + (is_write ? "write " : "read ") +
         describe_who(access);
}

const Symbol *symbol_at(std::uintptr_t address) {
  static auto &known = *new std::map<std::uintptr_t, Symbol>;
  if (known.empty())
    for (const std::string &line : output_of("nm -CS --defined-only " + quoted(program()))) {
      unsigned long begin = 0, bytes = 0;
      char type = 0;
      int name = 0;
      const bool has_size = line.find_first_not_of("0123456789abcdef", 17) == 33; // else: B, D
      if (has_size && std::sscanf(line.c_str(), "%lx %lx %c %n", &begin, &bytes, &type, &name) == 3)
        known[begin + load_address] = {begin + load_address, bytes,
                                       without_anonymous(line.c_str() + name)};
    }
  const auto after = known.upper_bound(address);
  const Symbol *const before = after == known.begin() ? nullptr : &std::prev(after)->second;
  return before && address < before->begin + before->bytes ? before : nullptr;
}

std::string describe_memory(std::uintptr_t address) {
  const Allocation *a = registered_at(address);
  if (!a && (address - image < image_bytes || is_const(address)))
    return symbol_text(address);
  const bool in_range = address - range < range_bytes;
  if (!a)
    a = in_range ? nearest(address) : registered_near(address);
  if (!a)
    return in_range ? "device memory" : "memory of the program";
  if (!a->shared)
    return "an array of " + size_text(a->end - a->begin) +
           (was_registered(*a) ? " registered at " : " allocated at ") + line_of(a->allocated) +
           ", " + distance_text(address, a->begin, a->end);
  // The variable of the shared memory that is nearest.
  const std::size_t offset = address - a->begin;
  std::size_t best = 0, least = ~std::size_t{0};
  for (std::size_t i = 1; i < variable_count(); ++i) {
    const Variable &v = variable(static_cast<unsigned>(i));
    const std::size_t far = offset < v.offset             ? v.offset - offset
                            : offset < v.offset + v.bytes ? 0
                                                          : offset - v.offset - v.bytes;
    if (v.bytes > 0 && far < least) {
      least = far;
      best = i;
    }
  }
  if (best == 0)
    return "shared memory";
  const Variable &v = variable(static_cast<unsigned>(best));
  return (v.name.empty() ? "dynamic shared memory" : "shared array " + v.name) + " of " +
         size_text(v.bytes) + ", " + distance_text(offset, v.offset, v.offset + v.bytes);
}

// ---- barriers ----

// The kernel's name as the debugger knows it: without its template arguments and namespaces.
static std::string base_name(std::string name) {
  name = name.substr(0, name.find_first_of("<("));
  const std::size_t scope = name.rfind("::");
  return scope == name.npos ? name : name.substr(scope + 2);
}

static std::string file_name(const std::string &path) { return path.substr(path.rfind('/') + 1); }

bool is_behind(Code code, const SourceLine &line) {
  static auto &known = *new std::map<std::tuple<Code, std::string, int>, bool>;
  const auto found = known.try_emplace({code, line.file, line.line});
  bool &result = found.first->second;
  if (!found.second)
    return result;
  char address[32];
  std::snprintf(address, sizeof address, " 0x%x", code - 1);
  const auto frames = output_of("addr2line -i -f -C -e " + quoted(program()) + address);
  const std::string kernel = base_name(current_operation().kernel);
  for (std::size_t i = 0; i + 1 < frames.size(); i += 2) {
    const std::size_t colon = frames[i + 1].rfind(':', frames[i + 1].find(' '));
    if (colon != std::string::npos && base_name(frames[i]) == kernel &&
        file_name(frames[i + 1].substr(0, colon)) == file_name(line.file))
      result = std::atoi(frames[i + 1].c_str() + colon + 1) > line.line;
  }
  return result;
}

static std::string thread_text(unsigned thread) { // of the block that runs
  const Operation &operation = current_operation();
  return "thread " + index_text(thread, operation.block) + " of block " +
         index_text(self.block, operation.grid);
}

void tell_returned(const SourceLine &line, unsigned thread) {
  const std::string where = shortened(line.file) + ":" + std::to_string(line.line);
  if (wanted(Tool::synccheck) && is_new(Tool::synccheck, "returned", where))
    tell("not all threads of a block reach the grid barrier at " + where,
         {thread_text(thread) + " has returned, " + launch_text(current_operation()),
          "Every thread of every block must call grid.sync(). No thread may return before it."});
}

void tell_passed_by(const char *what, const SourceLine &line, unsigned thread, Code code) {
  const std::string where = shortened(line.file) + ":" + std::to_string(line.line);
  if (!is_new(Tool::synccheck, "passed", where))
    return;
  const bool of_warp = what[0] == '_';
  tell(std::string(of_warp ? "not all lanes of a mask reach the "
                           : "not all threads of a block reach the ") +
           what + " at " + where,
       {thread_text(thread) + " does not call it and continues at " + line_of(code) + ", " +
            launch_text(current_operation()),
        of_warp
            ? "A mask must name the lanes that call the operation: in a branch, only those that "
              "take it."
            : "A __syncthreads in a branch must be reached by all threads of the block, or by "
              "none."});
}

// ---- faults that end a kernel ----

// The lines, first those of the block's barrier, at which threads of the block wait.
static std::string waiting_lines() {
  std::set<std::pair<std::string, int>> lines;
  const auto add = [&](const SourceLine &line) { lines.emplace(shortened(line.file), line.line); };
  const Worker &self = worker();
  if (block.last_waiting && block.last_waiting != &block.gate)
    for (const Fiber *fiber = block.gate.next; fiber; fiber = fiber->next)
      add(fiber->line);
  for (unsigned warp = 0; warp < (self.fibers.size() + 31) / 32; ++warp)
    for (const Meeting *meeting = self.warps[warp].meetings; meeting; meeting = meeting->next)
      if (meeting->arrived)
        add(meeting->line);
  std::string text;
  for (const auto &[file, line] : lines)
    text += (text.empty() ? "" : ", ") + file + ":" + std::to_string(line);
  return text;
}

bool threads_stuck(const std::string &message) {
  if (!wanted(Tool::synccheck))
    return false;
  if (is_new(Tool::synccheck, "stuck", waiting_lines()))
    tell_lines(message);
  return true;
}

bool wrong_mask(const SourceLine &line, const std::string &message) {
  if (!wanted(Tool::synccheck))
    return false;
  if (is_new(Tool::synccheck, "mask", shortened(line.file) + ":" + std::to_string(line.line)))
    tell_lines(message);
  return true;
}

bool kernel_ended(const void *code, const std::string &message) {
  const auto tool = std::find_if(std::begin(all_tools), std::end(all_tools), wanted);
  if (tool == std::end(all_tools))
    return false;
  std::string line = code ? line_of_interrupted(code) : line_of(calls_of_host());
  const Operation &operation = current_operation();
  if (operation.line == 0 || line == of_library)
    line = launch_line(operation);
  if (is_new(*tool, "end", line))
    tell_lines(message + "\nat " + line);
  return true;
}

} // namespace tools
} // namespace course_cpu
