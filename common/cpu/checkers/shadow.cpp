// The range of addresses with a shadow, and the allocations in it.
#include "shadow.h"

#include "access.h"
#include "clock.h"
#include "report.h"
#include "runtime/allocations.h"
#include "runtime/capture.h"
#include "runtime/observer.h"
#include "runtime/runtime.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <link.h>
#include <map>
#include <sys/mman.h>

extern char etext, __data_start, _end; // of the program; by the linker
extern char __start_course_cpu_device[] __attribute__((weak));
extern char __stop_course_cpu_device[] __attribute__((weak));
extern char __start_course_cpu_constant[] __attribute__((weak));
extern char __stop_course_cpu_constant[] __attribute__((weak));
extern char __start_course_cpu_managed[] __attribute__((weak));
extern char __stop_course_cpu_managed[] __attribute__((weak));

namespace course_cpu {
namespace tools {

std::uintptr_t range, load_address;
std::size_t range_bytes;
Cell *range_cells;
Allocation **granules;
std::uintptr_t image;
std::size_t image_bytes;
Cell *image_cells;
std::uintptr_t program_code, constants, constants_end, host_image;
std::uint16_t *owners;
std::uintptr_t watched;
std::size_t watched_bytes;
Allocation heap_granules;

namespace {

bool is_between(std::uintptr_t address, const char *begin, const char *end) {
  return address >= reinterpret_cast<std::uintptr_t>(begin) &&
         address < reinterpret_cast<std::uintptr_t>(end);
}

std::vector<Allocation *> &all_registered() {
  static auto &all = *new std::vector<Allocation *>;
  return all;
}
std::atomic<bool> some_registered; // else each access to a variable would take the lock

// Widens the watched addresses.
void watch(const char *begin_pointer, const char *end_pointer) {
  const auto begin = reinterpret_cast<std::uintptr_t>(begin_pointer);
  const auto end = reinterpret_cast<std::uintptr_t>(end_pointer);
  if (begin == end)
    return;
  const std::uintptr_t past_last = std::max(end, watched + watched_bytes);
  watched = watched_bytes == 0 ? begin : std::min(begin, watched);
  watched_bytes = past_last - watched;
}

constexpr std::size_t granule = std::size_t{1} << granule_bits;

// An access with a wrong width or type ends within a few times the size of the array.
std::size_t usual_gap(std::size_t bytes) {
  return std::clamp<std::size_t>(4 * bytes, std::size_t{1} << 19, std::size_t{1} << 30);
}

std::recursive_mutex shadow_mutex; // of all below
std::uintptr_t next;               // the start of the unused part of the range
std::vector<Variable> &variables() {
  static auto &all = *new std::vector<Variable>{{}, {"", dynamic_offset, 0}};
  return all;
}

std::map<std::uintptr_t, Allocation> &allocations() {
  static auto &map = *new std::map<std::uintptr_t, Allocation>;
  return map;
}

void *map(std::size_t bytes) {
  void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

// Advises the kernel on the pages of the cells of so much memory of the range.
void advise_on_cells(std::uintptr_t begin, std::size_t bytes, int advice) {
  constexpr std::uintptr_t page = 4096;
  const auto cells = reinterpret_cast<std::uintptr_t>(range_cells);
  const auto cell_of = [cells](std::uintptr_t offset) { return cells + offset / 4 * sizeof(Cell); };
  const std::uintptr_t first = (cell_of(begin - range) + page - 1) & ~(page - 1);
  const std::uintptr_t last = cell_of(begin + bytes - range) & ~(page - 1);
  if (first < last)
    madvise(reinterpret_cast<void *>(first), last - first, advice);
}

// Reserves addresses without memory whose last 32 bits are those of `address`: where padding holds
// a part of an old address, the number beside it keeps its value. 0: there are none.
std::uintptr_t reserve_like(std::uintptr_t address, std::size_t bytes) {
  constexpr std::uintptr_t step = std::uintptr_t{1} << 32, page = 4096;
  const std::size_t whole = bytes + address % page;
  for (int i = 1; i <= 1000; ++i) {
    address += step;
    void *const wanted = reinterpret_cast<void *>(address - address % page);
    void *const reserved =
        mmap(wanted, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (reserved == wanted)
      return address;
    if (reserved != MAP_FAILED)
      munmap(reserved, whole);
  }
  return 0;
}

// With as many addresses left for the program, which a limit (ulimit -v) may make few.
bool reserve(std::size_t bytes) {
  void *cells = map(bytes / 4 * sizeof(Cell));
  void *left = cells ? map(bytes / 4 * sizeof(Cell)) : nullptr;
  void *data = left ? map(bytes) : nullptr;
  if (left)
    munmap(left, bytes / 4 * sizeof(Cell));
  if (!data) {
    if (cells)
      munmap(cells, bytes / 4 * sizeof(Cell));
    return false;
  }
  madvise(cells, bytes / 4 * sizeof(Cell), MADV_NOHUGEPAGE); // but see allocated()
  range_cells = static_cast<Cell *>(cells);
  range = next = reinterpret_cast<std::uintptr_t>(data);
  range_bytes = bytes;
  return true;
}

} // namespace

void reserve_range() {
  std::lock_guard<std::recursive_mutex> lock(shadow_mutex);
  if (range_bytes > 0)
    return;
  dl_iterate_phdr(
      [](dl_phdr_info *info, size_t, void *) {
        load_address = info->dlpi_addr;
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto &part = info->dlpi_phdr[i];
          if (part.p_type == PT_GNU_EH_FRAME)
            constants_end = load_address + part.p_vaddr;
          if (part.p_type == PT_LOAD && (part.p_flags & PF_X))
            program_code = load_address + part.p_vaddr;
        }
        return 1; // the first one is the program
      },
      nullptr);
  std::size_t bytes = std::size_t{1} << 40;
  while (!reserve(bytes) && bytes > granule)
    bytes /= 2;
  image = reinterpret_cast<std::uintptr_t>(&__data_start) & ~std::uintptr_t{3};
  image_bytes = reinterpret_cast<std::uintptr_t>(&_end) - image;
  constants = reinterpret_cast<std::uintptr_t>(&etext) & ~std::uintptr_t{7};
  host_image = reserve_like(program_code, image + image_bytes - program_code);
  granules = static_cast<Allocation **>(map(bytes / granule * sizeof(Allocation *)));
  image_cells = static_cast<Cell *>(map((image_bytes / 4 + 1) * sizeof(Cell)));
  owners = static_cast<std::uint16_t *>(map((arena_bytes >> owner_bits) * sizeof *owners));
  watch(__start_course_cpu_device, __stop_course_cpu_device);
  watch(__start_course_cpu_constant, __stop_course_cpu_constant);
  watch(__start_course_cpu_managed, __stop_course_cpu_managed);
  if (bytes > granule && granules && host_image && image_cells && owners)
    return;
  std::fputs("error: no addresses for the tools: raise the limit of virtual memory (ulimit -v "
             "unlimited)\n",
             stderr);
  std::_Exit(1);
}

Allocation &add_allocation(std::uintptr_t begin, std::size_t bytes) {
  std::lock_guard<std::recursive_mutex> lock(shadow_mutex);
  Allocation &a = allocations()[begin];
  a.begin = begin;
  a.end = begin + bytes;
  for (std::size_t i = (begin - range) >> granule_bits; i <= (a.end - 1 - range) >> granule_bits;
       ++i)
    granules[i] = &a;
  return a;
}

// True if an argument of the running kernel, or a member of one, points into the allocation.
static bool is_argument(const Allocation &a) {
  const auto *const words = reinterpret_cast<const std::uintptr_t *>(self.arguments);
  return self.in_kernel &&
         std::any_of(words, words + self.arguments_bytes / sizeof *words,
                     [&](std::uintptr_t p) { return p - a.begin < a.end - a.begin; });
}

const Allocation *nearest(std::uintptr_t address) {
  std::lock_guard<std::recursive_mutex> lock(shadow_mutex);
  const auto after = allocations().upper_bound(address);
  if (after == allocations().begin())
    return after == allocations().end() ? nullptr : &after->second;
  const Allocation *before = &std::prev(after)->second;
  if (address < before->end || after == allocations().end())
    return before;
  if (const bool its = is_argument(*before); its != is_argument(after->second))
    return its ? before : &after->second;
  const std::size_t past_end = address - before->end, to_begin = after->second.begin - address;
  const bool far = to_begin > usual_gap(after->second.end - after->second.begin);
  return far || past_end < to_begin ? before : &after->second;
}

std::vector<const Allocation *> living_device_allocations() {
  std::lock_guard<std::recursive_mutex> lock(shadow_mutex);
  std::vector<const Allocation *> living;
  for (const auto &entry : allocations())
    if (entry.second.live && !entry.second.shared && !entry.second.cells)
      living.push_back(&entry.second);
  return living;
}

std::array<Bytes, 2> device_variables() {
  return {Bytes{__start_course_cpu_device, __stop_course_cpu_device},
          Bytes{__start_course_cpu_constant, __stop_course_cpu_constant}};
}

bool is_device_variable(std::uintptr_t address) {
  return is_between(address, __start_course_cpu_device, __stop_course_cpu_device) ||
         is_constant_variable(address);
}

bool is_constant_variable(std::uintptr_t address) {
  return is_between(address, __start_course_cpu_constant, __stop_course_cpu_constant);
}

bool is_managed_variable(std::uintptr_t address) {
  return is_between(address, __start_course_cpu_managed, __stop_course_cpu_managed);
}

bool is_const(std::uintptr_t address) { return address >= constants && address < constants_end; }

const Allocation *registered_at(std::uintptr_t address) {
  if (!some_registered.load(std::memory_order_relaxed))
    return nullptr;
  std::lock_guard<std::recursive_mutex> lock(shadow_mutex);
  for (const Allocation *a : all_registered())
    if (a->live && address >= a->begin && address < a->end)
      return a;
  return nullptr;
}

const Allocation *registered_near(std::uintptr_t address) {
  const Allocation *const a = nearest(address);
  if (!a || !was_registered(*a))
    return nullptr;
  const auto end_of_array = [](std::uintptr_t p) {
    const std::size_t room = room_at(reinterpret_cast<const void *>(p));
    return room == 0 ? 0 : p + room;
  };
  const std::uintptr_t end = end_of_array(address);
  const std::size_t gap = a->end - a->begin;
  const bool close = address + gap >= a->begin && address < a->end + gap;
  return close && (end == 0 || end == end_of_array(a->begin)) ? a : nullptr;
}

Cell *shared_cell(std::uintptr_t address) {
  if (address - range < range_bytes)
    return range_cells + ((address - range) >> 2);
  if (is_managed_variable(address))
    return image_cells + ((address - image) >> 2);
  const Allocation *a = registered_at(address);
  return a ? a->cells + (address / 4 - a->begin / 4) : nullptr;
}

void registered(char *memory, std::size_t bytes) {
  Calls calls = calls_of_host();
  reserve_range();
  std::lock_guard<std::recursive_mutex> lock(shadow_mutex);
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  Allocation &a = allocations()[begin];
  a = {};
  a.begin = begin;
  a.end = begin + bytes;
  a.cells = begin - image < image_bytes ? image_cells + ((begin - image) >> 2)
                                        : static_cast<Cell *>(map((bytes / 4 + 2) * sizeof(Cell)));
  a.allocated = std::move(calls);
  if (!a.cells)
    return; // not watched
  all_registered().push_back(&a);
  some_registered = true;
  watch(memory, memory + bytes);
}

void unregistered(char *memory) {
  std::lock_guard<std::recursive_mutex> lock(shadow_mutex);
  auto &all = all_registered();
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  const auto found =
      std::find_if(all.begin(), all.end(), [=](const Allocation *a) { return a->begin == begin; });
  if (found == all.end())
    return;
  Allocation &a = **found;
  if (a.begin - image >= image_bytes)
    munmap(a.cells, ((a.end - a.begin) / 4 + 2) * sizeof(Cell));
  a.cells = nullptr;
  a.live = false;
  a.freed = calls_of_host();
  all.erase(found);
}

void host_freed(std::uintptr_t begin, std::size_t bytes) {
  std::lock_guard<std::recursive_mutex> lock(shadow_mutex);
  auto entry = allocations().lower_bound(begin);
  while (entry != allocations().end() && entry->first < begin + bytes) {
    Allocation &a = entry->second;
    if (!a.cells) { // not registered any more
      entry = allocations().erase(entry);
      continue;
    }
    a.live = false;
    a.freed = calls_of_host();
    ++entry;
  }
}

// ---- allocations.cpp ----

char *take(std::size_t bytes) {
  reserve_range();
  std::lock_guard<std::recursive_mutex> lock(shadow_mutex);
  // The first arrays are as far from each other as an index that has overflowed reaches.
  const std::size_t left = range + range_bytes - next;
  const std::size_t wide = left > range_bytes / 2 ? (left - range_bytes / 2) / 32 : 0;
  const std::size_t gap = std::max(usual_gap(bytes), wide);
  const std::size_t whole = (bytes + gap + granule - 1) / granule * granule;
  if (whole + wide + granule > left)
    return nullptr;
  // Before it lies the gap of the allocation before; the first one has one of its own.
  const std::uintptr_t begin =
      next == range ? next + std::max(wide / granule, std::size_t{1}) * granule : next;
  next = begin + whole;
  return reinterpret_cast<char *>(begin);
}

void give_back(char *memory, std::size_t bytes) {
  madvise(memory, bytes, MADV_DONTNEED);
  advise_on_cells(reinterpret_cast<std::uintptr_t>(memory), bytes, MADV_DONTNEED);
}

void allocated(char *base, std::size_t bytes, Place place, int device) {
  Calls calls = calls_of_host();
  Allocation &a = add_allocation(reinterpret_cast<std::uintptr_t>(base), bytes);
  a.shared = false;
  a.on_device = place == Place::device;
  a.managed = place == Place::managed;
  a.device = a.on_device ? device : any_device;
  a.allocated = std::move(calls);
  // Huge pages spare page faults where most is used, and cost 2 MiB of zeros where little is.
  if (bytes >= std::size_t{1} << 20)
    advise_on_cells(a.begin, bytes, MADV_HUGEPAGE);
}

void freed(char *base) {
  Calls calls = in_operation() ? current_operation().calls : calls_of_host();
  std::lock_guard<std::recursive_mutex> lock(shadow_mutex);
  const auto found = allocations().find(reinterpret_cast<std::uintptr_t>(base));
  if (found == allocations().end())
    return;
  found->second.live = false;
  found->second.freed = std::move(calls);
  if (in_operation()) {
    found->second.freed_by = access_of_caller(0);
    found->second.freed_by.bytes = 15;
  }
}

// ---- heap.cpp: the heap of kernels, in pieces of some granules; no address is used twice ----

char *take_of_heap(std::size_t bytes, const void *caller) {
  constexpr std::size_t piece = 1 << 20;
  const std::size_t gap = std::clamp<std::size_t>(bytes, 64, 4096); // for overruns
  static std::uintptr_t begin = 0, end = 0;                         // of what is left of a piece
  std::lock_guard<std::recursive_mutex> lock(shadow_mutex);
  const std::size_t whole = (bytes + 15) / 16 * 16 + gap;
  if (whole > end - begin) {
    const std::size_t taken = std::max(whole, piece);
    begin = reinterpret_cast<std::uintptr_t>(take(taken));
    end = begin == 0 ? 0 : begin + taken;
    if (begin == 0)
      return nullptr;
    heap_granules.on_device = true;
    for (std::size_t i = (begin - range) >> granule_bits; i <= (end - 1 - range) >> granule_bits;
         ++i)
      granules[i] = &heap_granules;
  }
  Allocation &a = allocations()[begin];
  a.begin = begin;
  a.end = begin + bytes;
  a.on_device = true;
  a.device = grid_device;
  a.allocated = {code_of(caller)};
  begin += whole;
  return reinterpret_cast<char *>(a.begin);
}

void give_back_to_heap(char *memory, const void *caller) {
  std::lock_guard<std::recursive_mutex> lock(shadow_mutex);
  Allocation &a = allocations()[reinterpret_cast<std::uintptr_t>(memory)];
  touch_range<Kind::write>(memory, a.end - a.begin, code_of(caller)); // others are through with it
  a.live = false;
  a.freed = {code_of(caller)};
}

const Allocation *allocation_at(std::uintptr_t address, std::size_t bytes) {
  if (address - range >= range_bytes)
    return nullptr;
  const Allocation *a = granules[(address - range) >> granule_bits];
  if (a == &heap_granules)
    a = nearest(address);
  return a && address >= a->begin && address + bytes <= a->end ? a : nullptr;
}

void free_refused(const void *pointer) {
  const Calls calls = calls_of_host();
  std::lock_guard<std::recursive_mutex> lock(shadow_mutex);
  const auto found = allocations().find(reinterpret_cast<std::uintptr_t>(pointer));
  const bool again = found != allocations().end() && !found->second.live;
  if (!wanted(Tool::memcheck))
    return;
  error_reported();
  if (!is_new(Tool::memcheck, "free", own_code(calls)))
    return;
  if (again)
    tell("memory is freed twice at " + line_of(calls),
         {"freed before at " + line_of(found->second.freed),
          "allocated at " + line_of(found->second.allocated) + ", " +
              std::to_string(found->second.end - found->second.begin) + " bytes"});
  else
    tell("memory is freed at " + line_of(calls) + " that this function did not allocate", {});
}

// ---- shared memory ----

const Variable &variable(unsigned index) { return variables()[index]; }

std::size_t variable_count() { return variables().size(); }

void set_dynamic_bytes(std::size_t bytes) {
  Variable &dynamic = variables()[1];
  const std::size_t first = dynamic_offset >> owner_bits, per = std::size_t{1} << owner_bits;
  for (std::size_t i = 0; i < (dynamic.bytes + per - 1) / per; ++i)
    owners[first + i] = 0;
  dynamic.bytes = bytes;
  for (std::size_t i = 0; i < (bytes + per - 1) / per; ++i)
    owners[first + i] = 1;
}

char *arena() {
  struct Owner {
    char *memory = take(arena_bytes);
    Owner() {
      Allocation &a = add_allocation(reinterpret_cast<std::uintptr_t>(memory), arena_bytes);
      a.shared = a.on_device = true;
    }
    ~Owner() { give_back(memory, arena_bytes); }
  };
  return of_this_thread<Owner>().memory;
}

char *dynamic_shared(std::size_t bytes) {
  set_dynamic_bytes(bytes);
  return bytes == 0 ? nullptr : arena() + dynamic_offset;
}

} // namespace tools

// Gives the variable its place in the arenas, and returns the caller's.
void *SharedVariable::find() {
  std::lock_guard<std::recursive_mutex> lock(tools::shadow_mutex);
  if (offset == 0) {
    // Overruns of up to 4 arrays, at most 32 KiB, meet nobody's memory; in the second half of the
    // room, 256 bytes.
    constexpr std::size_t gap = 256;
    const tools::Variable &last = tools::variables().back();
    const std::size_t past_last = tools::variables().size() > 2 ? last.offset + last.bytes : 0;
    const std::size_t wide = past_last < tools::dynamic_offset / 2
                                 ? std::min<std::size_t>(4 * std::max(last.bytes, bytes), 32 << 10)
                                 : 0;
    offset = (past_last + wide + 2 * gap - 1) / gap * gap;
    if (offset + bytes + gap > tools::dynamic_offset) {
      std::fprintf(stderr, "error: the tools have no room for the shared variable %s\n", name);
      std::_Exit(1);
    }
    tools::variables().push_back({name, offset, bytes});
    constexpr std::size_t per = std::size_t{1} << tools::owner_bits;
    for (std::size_t i = offset / per; i < (offset + bytes + per - 1) / per; ++i)
      tools::owners[i] = static_cast<std::uint16_t>(tools::variables().size() - 1);
  }
  return tools::arena() + offset;
}

} // namespace course_cpu
