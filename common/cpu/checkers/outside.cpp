// Accesses to memory that must not be touched.
#include "access.h"

#include "report.h"
#include "runtime/worker.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>

namespace course_cpu {
namespace tools {

namespace {

enum class Mapping { none, file, stack, memory };

Mapping mapping_at(std::uintptr_t address) {
  std::ifstream maps("/proc/self/maps");
  std::string line;
  while (std::getline(maps, line)) {
    std::uintptr_t begin = 0, end = 0;
    char dash;
    std::istringstream fields(line);
    fields >> std::hex >> begin >> dash >> end;
    if (address < begin || address >= end)
      continue;
    return line.find('/') != line.npos || line.find("[v") != line.npos ? Mapping::file
           : line.find("[stack]") != line.npos                         ? Mapping::stack
                                                                       : Mapping::memory;
  }
  return Mapping::none;
}

bool is_of_worker(const Worker &worker, std::uintptr_t address) {
  const auto within = [address](const void *begin, std::size_t bytes) {
    return address - reinterpret_cast<std::uintptr_t>(begin) < bytes;
  };
  if (within(worker.fibers.data(), worker.fibers.size() * sizeof(Fiber)))
    return true;
  for (const Meeting &meeting : worker.all_meetings)
    if (within(&meeting, sizeof meeting))
      return true;
  return false;
}

} // namespace

Access access_of_caller(Code code) {
  Access a{};
  a.tick = now;
  a.block = self.block;
  a.thread = self.thread;
  a.code = code;
  a.by = self.in_kernel ? By::thread : self.in_operation ? By::operation : By::host;
  return a;
}

void tell_outside(std::uintptr_t address, std::size_t bytes, bool write, Code code) {
  const Allocation *a = nearest(address);
  const bool freed = a && !a->live && address >= a->begin && address < a->end;
  // It is freed already in this order; in another it would not be.
  if (freed && a->freed_by.tick > 0 && self.in_operation &&
      !ordered_before_operation(a->freed_by.tick))
    return tell_race(a->freed_by, true, access_of_caller(code), write, address);
  if (!wanted(Tool::memcheck))
    return;
  if (!is_new(Tool::memcheck, freed ? "freed" : "outside", place_of(access_of_caller(code))))
    return;
  const Access access = access_of_caller(code);
  const char *verb = write ? "write" : "read";
  std::vector<std::string> details{describe(access, write)};
  if (freed) {
    const bool unregistered = was_registered(*a) && !a->cells;
    const std::string how = unregistered ? "unregistered" : "freed";
    details.push_back(how + " at " + line_of(a->freed));
    details.push_back((was_registered(*a) ? "registered at " : "allocated at ") +
                      line_of(a->allocated) + ", " + size_text(a->end - a->begin));
    return tell(std::string(verb) + " of memory that is " + how, details);
  }
  details.push_back(describe_memory(address));
  tell(std::string(verb) + " of " + size_text(bytes) + " outside any array", details);
}

void tell_other_device(std::uintptr_t address, std::size_t bytes, bool write, Code code) {
  if (!wanted(Tool::memcheck))
    return;
  const std::string mine = std::to_string(grid_device),
                    other = std::to_string(nearest(address)->device);
  if (is_new(Tool::memcheck, "other device", code))
    tell(std::string(write ? "write" : "read") + " of " + size_text(bytes) + " of device " + other +
             " by a kernel of device " + mine,
         {describe(access_of_caller(code), write), describe_memory(address),
          "Copy it with cudaMemcpyPeerAsync, or let device " + mine + " use it: cudaSetDevice(" +
              mine + "), cudaDeviceEnablePeerAccess(" + other + ", 0)."});
  abandon(cudaErrorIllegalAddress, "");
}

void tell_constant(std::uintptr_t address, std::size_t bytes, Code code) {
  if (wanted(Tool::memcheck) && is_new(Tool::memcheck, "constant", code))
    tell("write of " + size_text(bytes) + " of a __constant__ variable by a kernel",
         {describe(access_of_caller(code), true), describe_memory(address),
          "Kernels only read constant memory. Write it from host code with cudaMemcpyToSymbol, or "
          "declare the variable __device__."});
}

// Publications to the host: a kernel's volatile or atomic write after a fence publishes the
// accesses before it, and the host acquires them by a volatile read.
struct Told {
  Tick begin, known, of_system; // of the kernel, and up to when
};
static std::map<std::uintptr_t, Told> &told() {
  static auto &all = *new std::map<std::uintptr_t, Told>;
  return all;
}
static std::vector<Told> &known_to_host() {
  static auto &all = *new std::vector<Told>;
  return all;
}

void told_host(const void *pointer, Tick known, Tick of_system) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  const Allocation *a =
      address - range < range_bytes ? granules[(address - range) >> granule_bits] : nullptr;
  if (!a || a->on_device)
    return;
  std::lock_guard<std::recursive_mutex> lock(timeline_mutex);
  told()[address] = {self.begin, known, of_system};
}

bool host_knows(Tick tick, bool of_system) {
  return std::any_of(known_to_host().begin(), known_to_host().end(), [=](const Told &t) {
    return tick >= t.begin && tick <= (of_system ? t.of_system : t.known);
  });
}

// Host code that calls a virtual function reads where the object has its table.
static void find_table_of_kernel(std::uintptr_t address, std::size_t bytes, const Access &written,
                                 Code code) {
  std::uintptr_t word;
  if (bytes != sizeof word || written.by != By::thread || written.tick == 0)
    return;
  std::memcpy(&word, reinterpret_cast<const void *>(address), sizeof word);
  if (word < constants_end || word >= image || !is_table(symbol_at(word)) ||
      !wanted(Tool::memcheck) || !is_new(Tool::memcheck, "table", code))
    return;
  tell("host code calls a virtual function of an object that a kernel has built",
       {describe(access_of_caller(code), false), "built by the " + describe(written, true),
        "On a GPU, the object has the addresses of device code. Copy its values, and build the "
        "host's object in host code."});
}

void touch_by_host(std::uintptr_t address, std::size_t bytes, Kind kind, Code code) {
  const bool write = writes(kind);
  const bool atomic = kind == Kind::atomic_read || kind == Kind::atomic_write;
  std::lock_guard<std::recursive_mutex> lock(timeline_mutex);
  bool on_device = is_device_variable(address);
  if (address - range < range_bytes) {
    const Allocation *a = granules[(address - range) >> granule_bits];
    if (a != &heap_granules && (!a || address < a->begin || address + bytes > a->end || !a->live))
      return tell_outside(address, bytes, write, code);
    on_device = a->on_device;
  }
  if (on_device) {
    if (wanted(Tool::memcheck) && is_new(Tool::memcheck, "device", code))
      tell("host code accesses device memory",
           {describe(access_of_caller(code), write), describe_memory(address),
            is_device_variable(address)
                ? "On a GPU, host code has a different variable of this name: copy with "
                  "cudaMemcpyToSymbol or cudaMemcpyFromSymbol, or declare it __managed__."
                : "Copy it with cudaMemcpy first, or allocate it with cudaMallocManaged."});
    return;
  }
  Cell *cell = shared_cell(address);
  if (!cell)
    return;
  host_is_here();
  if (!write) {
    find_table_of_kernel(address, bytes, cell->write, code);
    read_by_host(address, bytes);
  }
  if (const auto found = told().find(address); kind == Kind::atomic_read && found != told().end()) {
    known_to_host().push_back(found->second);
    told().erase(found);
  }
  std::size_t bits = ((std::size_t{1} << bytes) - 1) << (address & 3);
  for (; bits; bits >>= 4, ++cell, address = (address & ~std::uintptr_t{3}) + 4) {
    Access mine = access_of_caller(code);
    mine.bytes = bits & 15;
    mine.atomic = atomic;
    const auto check = [&](const Access &before, bool before_writes) {
      if (before.by != By::host && (before.bytes & mine.bytes) && before.tick > 0 &&
          !(before.atomic && atomic) && !ordered_before_host(before.tick) &&
          !host_knows(before.tick, true))
        tell_race(before, before_writes, mine, write, address);
    };
    check(cell->write, true);
    if (cell->write.more)
      for (const Access &before : aside(*cell))
        if (write || before.written)
          check(before, before.written);
    if (!write) {
      const auto is_free = [](const Access &read) {
        return read.by == By::host || read.tick == 0 || ordered_before_host(read.tick);
      };
      const bool first = is_free(cell->read[0]);
      if (!first && !is_free(cell->read[1]))
        keep_aside(*cell, cell->read[1], false);
      cell->read[first ? 0 : 1] = mine;
      continue;
    }
    check(cell->read[0], false);
    check(cell->read[1], false);
    mine.written = cell->write.written | mine.bytes;
    cell->write = mine;
  }
}

static bool is_local(const Worker &worker, std::uintptr_t address) { // to whatever thread
  const void *const pointer = reinterpret_cast<void *>(address);
  return worker.direct.holds(pointer) || worker.stacks.holds(pointer);
}

[[noreturn]] static void tell_local(std::size_t bytes, bool write, Code code) {
  if (wanted(Tool::memcheck) && is_new(Tool::memcheck, "local", code))
    tell(std::string(write ? "write" : "read") + " of " + size_text(bytes) +
             " of local memory that is not the thread's",
         {describe(access_of_caller(code), write),
          "The address of a local variable holds for its own thread, until the function returns. "
          "Share values in __shared__ or device memory; or an index is outside a local array."});
  abandon(cudaErrorIllegalAddress, "");
}

// What an address of host code is, which in a kernel is none, and what helps.
struct HostAddress {
  std::string what, advice;

  explicit HostAddress(std::uintptr_t address) {
    const Symbol *const symbol = symbol_at(address);
    if (address < constants) {
      what = "function " + (symbol ? symbol->name : "");
      advice =
          "On a GPU, host code and kernels have different addresses of a function. Let a kernel "
          "take it, or a __device__ variable (__device__ F f = twice;) that cudaMemcpyFromSymbol "
          "copies to host code; or pass an object with operator().";
    } else if (is_table(symbol)) {
      what = "the virtual functions of " + symbol->name.substr(std::strlen("vtable for "));
      advice = "Host code has built the object, and on a GPU it has the addresses of the host's "
               "functions: build it in a kernel (new, or placement new), or do without virtual.";
    } else if (!symbol && is_const(address)) {
      what = "a string, or of another constant";
      advice = "On a GPU, it is host memory: copy it to the device, or write it in the kernel.";
    } else {
      what = is_const(address)               ? "a const variable"
             : is_constant_variable(address) ? "a __constant__ variable"
                                             : "a __device__ variable";
      advice = "On a GPU, host code has a different variable of this name. Use the variable in the "
               "kernel by its name, or pass the kernel the address from cudaGetSymbolAddress.";
    }
  }
};

std::string host_address_text(const void *pointer) {
  const std::uintptr_t own = of_host(reinterpret_cast<std::uintptr_t>(pointer));
  if (own == 0)
    return "";
  const HostAddress address(own);
  return "uses the host's address of " + address.what + "\n" + address.advice;
}

[[noreturn]] static void tell_host_address(std::uintptr_t own, std::size_t bytes, bool write,
                                           Code code) {
  if (wanted(Tool::memcheck) && is_new(Tool::memcheck, "symbol", code)) {
    const HostAddress address(own);
    std::vector<std::string> details{describe(access_of_caller(code), write), address.advice};
    if (const Symbol *const symbol = symbol_at(own); symbol && !is_table(symbol))
      details.insert(details.begin() + 1, describe_memory(own));
    tell(std::string(write ? "write" : "read") + " of " + size_text(bytes) +
             " at the host's address of " + address.what,
         details);
  }
  abandon(cudaErrorIllegalAddress, "");
}

// Memory of the host, or none.
[[noreturn]] static void tell_foreign(std::uintptr_t address, std::size_t bytes, bool write,
                                      Mapping mapping, Code code) {
  if (registered_near(address)) {
    tell_outside(address, bytes, write, code);
  } else if (is_new(Tool::memcheck, "foreign", code)) {
    const std::string what = std::string(write ? "write" : "read") + " of " + size_text(bytes);
    const bool of_host = mapping != Mapping::none;
    std::vector<std::string> details{describe(access_of_caller(code), write)};
    if (of_host && symbol_at(address))
      details.push_back(describe_memory(address));
    details.push_back(mapping == Mapping::stack
                          ? "the address is a local variable of host code: pass its value, or a "
                            "pointer from cudaMalloc; in a member function, [=] captures this"
                      : of_host
                          ? "the address is host memory: pass the kernel a pointer from cudaMalloc"
                      : address < 65536 ? "the address is a null pointer"
                                        : "nothing is allocated at this address");
    tell(of_host ? what + " of host memory by a kernel" : what + " outside any array", details);
  }
  abandon(cudaErrorIllegalAddress, "");
}

// A variable of the host whose address is an argument of the kernel. Others may be static variables
// of kernels.
void touch_variable(std::uintptr_t address, std::size_t bytes, bool write, Code code) {
  if (!wanted(Tool::memcheck) || is_device_variable(address) || is_managed_variable(address) ||
      registered_at(address))
    return;
  const auto *const words = reinterpret_cast<const std::uintptr_t *>(self.arguments);
  const auto *const past_last = words + self.arguments_bytes / sizeof *words;
  const auto in_image = [](std::uintptr_t p) { return p - image < image_bytes; };
  if (std::none_of(words, past_last, in_image))
    return;
  const Symbol *const variable = symbol_at(address);
  if (variable && std::any_of(words, past_last, [variable](std::uintptr_t p) {
        return p - variable->begin < variable->bytes;
      }))
    tell_foreign(address, bytes, write, Mapping::memory, code);
}

// A kernel's access to memory that is neither the device's nor its own.
void touch_foreign(std::uintptr_t address, std::size_t bytes, bool write, Code code) {
  static std::uintptr_t harmless_page = ~std::uintptr_t{0}; // looked up last
  if (address >> 12 == harmless_page || is_of_worker(worker(), address))
    return;
  if (is_local(worker(), address))
    tell_local(bytes, write, code);
  if (const std::uintptr_t own = of_host(address))
    tell_host_address(own, bytes, write, code);
  const Mapping mapping = mapping_at(address);
  if (mapping == Mapping::file) {
    harmless_page = address >> 12;
    return;
  }
  if (wanted(Tool::memcheck))
    tell_foreign(address, bytes, write, mapping, code);
}

// The array as the source writes it before the index that ends in this column of "file:line"; empty
// where the source cannot be read or is another one.
static std::string array_at(const std::string &line, unsigned column) {
  const std::size_t colon = line.rfind(':');
  std::ifstream file(line.substr(0, colon));
  std::string text;
  for (int left = colon == line.npos ? 0 : std::atoi(line.c_str() + colon + 1); left > 0; --left)
    if (!std::getline(file, text))
      return "";
  const auto open_bracket = [&text](std::size_t close) { // of the one that ends there
    int depth = 0;
    for (std::size_t i = close + 1; i-- > 0;) {
      depth += text[i] == ']';
      depth -= text[i] == '[';
      if (depth == 0)
        return i;
    }
    return std::size_t{0};
  };
  if (column == 0 || column > text.size() || text[column - 1] != ']')
    return "";
  const std::size_t end = open_bracket(column - 1);
  std::size_t begin = end;
  while (begin > 0)
    if (const char c = text[begin - 1]; c == ']')
      begin = open_bracket(begin - 1);
    else if (std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.')
      --begin;
    else if (begin > 1 && text.compare(begin - 2, 2, "->") == 0)
      begin -= 2;
    else
      break;
  return text.substr(begin, end - begin);
}

void tell_index(const std::string &type, std::ptrdiff_t index, unsigned column, Code code) {
  if (!self.in_kernel || !wanted(Tool::memcheck) || !is_new(Tool::memcheck, "outside", code))
    return;
  const std::string array = array_at(line_of(code), column);
  tell("index " + std::to_string(index) + " is outside " + (array.empty() ? "" : array + ", ") +
           "an array of type " + type.substr(1, type.size() - 2),
       {describe_who(access_of_caller(code))});
}

void tell_misaligned(const std::string &type, std::size_t alignment, std::uintptr_t address,
                     Code code) {
  if (!self.in_kernel || !wanted(Tool::memcheck))
    return;
  if (is_new(Tool::memcheck, "misaligned", code))
    tell(
        "misaligned access to a " + type,
        {describe_who(access_of_caller(code)), describe_memory(address),
         "The address of a " + type + " must be a multiple of " + std::to_string(alignment) + "."});
  abandon(cudaErrorMisalignedAddress, "");
}

} // namespace tools
} // namespace course_cpu
