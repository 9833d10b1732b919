// The shadow: for each word of device, managed, pinned and shared memory, and of the program's own
// variables, who used it last.
//
// All that memory lies in one range of addresses that is reserved at the start, so that the cell of
// a word is found by a subtraction and a shift. Addresses are not used twice: what was freed stays
// known.
//
// Each 4-byte word has a cell: its last write and two reads of a kernel. So of races among more
// threads some pairs are reported. Numbers of up to 8 bytes are judged by the byte. A structure may
// be copied when any of its bytes is written; copies of its other words have no value: see
// no_value. Pinned memory counts as written; managed memory where the host has written it. Local
// arrays are checked where the compiler sees the index.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace course_cpu {
enum class Place;

namespace tools {

using Tick = std::uint32_t; // counts what orders accesses: see clock.h
using Code = std::uint32_t; // an address in the program's code, counted from its start

// Places in the program, innermost first: that of an API call with its callers.
using Calls = std::vector<Code>;

enum class By : std::uint8_t { thread, operation, host };

struct Access {
  Tick tick;
  std::uint32_t block; // of the grid, x fastest; no_block unless by a thread
  Code code;
  std::uint16_t thread; // of the block, x fastest
  // Of the word: bit 0 is the first; narrow: see atomic; whole: written with a whole structure.
  std::uint8_t bytes : 4, narrow : 1, whole : 1, : 2;
  By by : 2;
  // narrow: an atomic whose scope is its block. Of Cell::write only, more: further reads are kept
  // aside; written: bytes with a value.
  std::uint8_t atomic : 1, more : 1, written : 4;
};
constexpr std::uint32_t no_block = ~0u;

struct Cell {
  Access write;   // the last one
  Access read[2]; // of two threads
};
static_assert(sizeof(Cell) == 48, "cells are found by a multiplication");

constexpr int any_device = -1;

struct Allocation {
  std::uintptr_t begin, end;
  bool shared = false;    // the arena of a block, of which `owner` knows the variables
  bool on_device = false; // host code must not touch it, and it starts without values
  bool managed = false;   // it starts with bytes of 0xFF, which are no values
  bool live = true;
  int device = any_device; // whose kernels may use it
  Cell *cells = nullptr;   // of host memory while it is registered
  Calls allocated, freed;
  Access freed_by{}; // an operation of a stream, if its tick is not 0
};

// The range, all of it zero at first, and its shadow.
constexpr unsigned granule_bits = 16; // a granule of the range belongs to one allocation
extern std::uintptr_t range;
extern std::uintptr_t load_address; // of the program's code
extern std::size_t range_bytes;
extern Cell *range_cells;
extern Allocation **granules;

// The program's own variables, `__device__` ones among them.
extern std::uintptr_t image;
extern std::size_t image_bytes;
extern Cell *image_cells;
// Before them lie code, what is constant, and tables of addresses. For all of it there are
// addresses without memory: symbols.cpp.
extern std::uintptr_t program_code, constants, constants_end, host_image;

// Host accesses are watched outside the range as well: it does not hold `__device__` and
// `__managed__` variables, registered memory, and memory of others.
extern std::uintptr_t watched;
extern std::size_t watched_bytes;
using Bytes = std::pair<const char *, const char *>;
std::array<Bytes, 2> device_variables();         // their memory, and that of constants
bool is_device_variable(std::uintptr_t address); // also of one that is constant
bool is_constant_variable(std::uintptr_t address);
bool is_managed_variable(std::uintptr_t address);
bool is_const(std::uintptr_t address); // of the program: a `const __device__` variable may be
const Allocation *registered_at(std::uintptr_t address); // nullptr: none
// The host memory that is or was registered and to which a wrong address belongs; nullptr: none.
const Allocation *registered_near(std::uintptr_t address);
void host_freed(std::uintptr_t begin, std::size_t bytes); // an array of malloc or new
// The cell of a word that host code and kernels share; nullptr where there is none.
Cell *shared_cell(std::uintptr_t address);
inline bool was_registered(const Allocation &a) { return a.begin - range >= range_bytes; }
// Of the word at an address; nullptr where there is no shadow.
inline Cell *cell_at(std::uintptr_t address) {
  return address - range < range_bytes   ? range_cells + ((address - range) >> 2)
         : address - image < image_bytes ? image_cells + ((address - image) >> 2)
                                         : nullptr;
}

inline Code code_of(const void *return_address) {
  return static_cast<Code>(reinterpret_cast<std::uintptr_t>(return_address) - load_address);
}

// The granules of the heap of kernels belong to this, which holds no address; its blocks are
// allocations of their own.
extern Allocation heap_granules;
// The allocation whose granule holds these addresses, or the block of the heap; nullptr: none.
const Allocation *allocation_at(std::uintptr_t address, std::size_t bytes);

// Before anything else; again without effect.
void reserve_range();

// Takes `bytes` of the range as one allocation.
Allocation &add_allocation(std::uintptr_t begin, std::size_t bytes);

// The allocation at an address of the range, or next to it: preferably one that the kernel that
// runs was given. nullptr if there is none.
const Allocation *nearest(std::uintptr_t address);
std::vector<const Allocation *> living_device_allocations();

// ---- shared memory: each OS thread that runs blocks has one arena ----

constexpr std::size_t arena_bytes = 4 << 20, dynamic_offset = 2 << 20;
constexpr unsigned owner_bits = 4; // shared variables begin at multiples of 16 bytes

struct Variable {
  std::string name; // empty: dynamic shared memory
  std::size_t offset, bytes;
};
extern std::uint16_t *owners;             // of each 16 bytes of every arena: an index, 0: none
const Variable &variable(unsigned index); // 1: dynamic shared memory
std::size_t variable_count();
void set_dynamic_bytes(std::size_t bytes);
char *arena(); // of the calling thread

} // namespace tools
} // namespace course_cpu
