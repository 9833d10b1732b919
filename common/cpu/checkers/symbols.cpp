// Addresses that host code and kernels have of one thing. On a GPU each side has its own functions,
// tables of virtual functions, constants, and variables of the name of each `__device__` variable;
// the host's address is none in a kernel. Here both are one; so the host's becomes an address
// without memory on its way to a kernel.
//
// Host code may have a kernel's address: from cudaGetSymbolAddress, or from a kernel that has kept
// it in memory. Its own address becomes what it was when it comes back.
#include "access.h"
#include "clock.h"
#include "report.h"
#include "runtime/observer.h"

#include <cstring>
#include <map>
#include <mutex>
#include <set>

namespace course_cpu {
namespace tools {

namespace {

std::set<std::uintptr_t> &given() { // start addresses of what host code knows as kernels do
  static auto &all = *new std::set<std::uintptr_t>;
  return all;
}

// Calls f(place, word) for each word that has the size of an address. Where a program is linked to
// low addresses, two small numbers may look like one.
template <class F> void for_each_word(std::uintptr_t begin, std::size_t bytes, const F &f) {
  if (image >> 32 == 0)
    return;
  constexpr std::size_t size = sizeof(std::uintptr_t);
  for (std::uintptr_t place = (begin + size - 1) & ~(size - 1); place + size <= begin + bytes;
       place += size) {
    std::uintptr_t word;
    std::memcpy(&word, reinterpret_cast<void *>(place), size);
    f(place, word);
  }
}

bool is_code(std::uintptr_t address) { return address - program_code < constants - program_code; }

// Before the variables: tables of virtual functions, and constants that hold addresses.
bool is_in_tables(std::uintptr_t address) { return address >= constants_end && address < image; }

// Only those that are an address of such a variable, of code, or of a constant.
template <class F> void for_each_address(std::uintptr_t begin, std::size_t bytes, const F &f) {
  for_each_word(begin, bytes, [&](std::uintptr_t place, std::uintptr_t address) {
    if (address - program_code < image + image_bytes - program_code &&
        (address < image || is_device_variable(address)))
      f(place, address);
  });
}

void put(std::uintptr_t place, std::uintptr_t address) {
  std::memcpy(reinterpret_cast<void *>(place), &address, sizeof address);
}

bool is_on_device(std::uintptr_t address) {
  const Allocation *a = allocation_at(address, 1);
  return a ? a->on_device : is_device_variable(address);
}

// In memory that host code uses, too.
bool is_of_kernel(std::uintptr_t place) {
  const Cell *const cell = cell_at(place);
  return cell && cell->write.tick > 0 && cell->write.by == By::thread;
}

// Also asks whether a kernel may have kept an address of the variable.
bool is_given(const Symbol &variable) {
  if (given().count(variable.begin))
    return true;
  const auto find = [&](std::uintptr_t place, std::uintptr_t address) {
    if (address - variable.begin < variable.bytes && (is_on_device(place) || is_of_kernel(place)))
      given().insert(variable.begin);
  };
  for (const Allocation *a : living_device_allocations())
    for_each_address(a->begin, a->end - a->begin, find);
  for (const auto &[begin, end] : device_variables())
    for_each_address(reinterpret_cast<std::uintptr_t>(begin), end - begin, find);
  return given().count(variable.begin) > 0;
}

// A kernel may have had the address, or it is none of those that differ.
bool is_for_kernels(std::uintptr_t address) {
  const Symbol *const symbol = symbol_at(address);
  if (is_code(address))
    return !symbol || symbol->begin != address || is_given(*symbol);
  if (is_in_tables(address))
    return !is_table(symbol) || is_given(*symbol);
  return symbol ? is_given(*symbol) : !is_const(address) || is_given({address, 1, ""}); // a string
}

} // namespace

bool is_table(const Symbol *symbol) { return symbol && symbol->name.rfind("vtable for ", 0) == 0; }

std::uintptr_t of_host(std::uintptr_t address) {
  const std::uintptr_t offset = address - host_image;
  return offset < image + image_bytes - program_code ? program_code + offset : 0;
}

void symbol_given(const void *variable) {
  std::lock_guard<std::recursive_mutex> lock(timeline_mutex);
  given().insert(reinterpret_cast<std::uintptr_t>(variable));
}

// CUDA forbids arguments with virtual functions, also where the compiler calls them without a
// table.
static void tell_argument(const Symbol &table) {
  const Calls calls = calls_of_host();
  if (wanted(Tool::memcheck) && is_new(Tool::memcheck, "argument", own_code(calls)))
    tell("a kernel's argument is an object with virtual functions, of class " +
             table.name.substr(std::strlen("vtable for ")),
         {"launched at " + line_of(calls),
          "On a GPU, it has the addresses of the host's functions: build it in the kernel."});
}

// Host code may look at a constant again that its copy brought to the device, such as a string's.
static void reaches_kernels(void *start, std::size_t bytes, bool arguments) {
  std::map<std::uintptr_t, std::uintptr_t>
      replaced; // all of them, so that none is one that is kept
  for_each_address(reinterpret_cast<std::uintptr_t>(start), bytes,
                   [&](std::uintptr_t place, std::uintptr_t address) {
                     if (!is_const(address) || arguments)
                       replaced[place] = address;
                   });
  std::lock_guard<std::recursive_mutex> lock(timeline_mutex);
  for (const auto &[place, address] : replaced)
    put(place, address - program_code + host_image);
  for (const auto &[place, address] : replaced) {
    const bool is_right = is_for_kernels(address);
    const bool is_object = arguments && !is_right && is_table(symbol_at(address));
    if (is_object)
      tell_argument(*symbol_at(address));
    if (is_right || is_object)
      put(place, address);
  }
}

void reaches_kernels(void *start, std::size_t bytes) { reaches_kernels(start, bytes, true); }

void read_by_kernel(std::uintptr_t address, std::size_t bytes) {
  for_each_address(address, bytes, [](std::uintptr_t place, std::uintptr_t) {
    if (!is_of_kernel(place))
      reaches_kernels(reinterpret_cast<void *>(place), sizeof place, false);
  });
}

void read_by_host(std::uintptr_t address, std::size_t bytes) {
  for_each_word(address, bytes, [](std::uintptr_t place, std::uintptr_t word) {
    if (const std::uintptr_t address = of_host(word))
      put(place, address);
  });
}

void has_copied(void *to, const void *from, std::size_t bytes) {
  const auto source = reinterpret_cast<std::uintptr_t>(from);
  if (is_on_device(source) == is_on_device(reinterpret_cast<std::uintptr_t>(to)))
    return;
  if (!is_on_device(source))
    return reaches_kernels(to, bytes, false);
  for_each_address(source, bytes, [](std::uintptr_t, std::uintptr_t address) {
    const Symbol *const symbol = symbol_at(address);
    given().insert(symbol ? symbol->begin : address);
  });
  read_by_host(reinterpret_cast<std::uintptr_t>(to), bytes);
}

} // namespace tools
} // namespace course_cpu
