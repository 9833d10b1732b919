// Why a launch or a copy is refused, and where a program was interrupted, as text. The runtime
// prints it, the grader reads it.
//
//   launch refused: grid 0 x 1 x 1 has no blocks
//
//   copy refused: 400 bytes, with only 100 bytes of device memory left
//
//   interrupted: kernel k launched at a.cu:3, block (0, 0, 0), thread (1, 0, 0)
#pragma once

#include <cstddef>
#include <cstdio>
#include <optional>
#include <string>

namespace course {

struct Extent {
  unsigned x = 1, y = 1, z = 1;
};

struct RefusedLaunch {
  bool is_of_block = false; // else the grid is at fault
  Extent block, grid;
  std::string why; // "has no threads"; only to print
};

struct RefusedCopy {
  std::size_t bytes = 0, there = 0; // wanted, and of the array from where the copy begins
  std::string memory;               // "device", "pinned"
};

struct Interruption {
  bool is_of_host = false; // it launches kernel after kernel
  std::string kernel;      // with its place, block and thread; empty: none runs
  std::string line;        // of the thread; empty: not known
  std::string advice;      // where there is no line; only to print
};

// ---- printing ----

inline std::string text_of(const Extent &e) {
  return std::to_string(e.x) + " x " + std::to_string(e.y) + " x " + std::to_string(e.z);
}

inline std::string text_of(const RefusedLaunch &launch) {
  return "launch refused: " + (launch.is_of_block
                                   ? "block " + text_of(launch.block) + ' ' + launch.why +
                                         ", grid " + text_of(launch.grid)
                                   : "grid " + text_of(launch.grid) + ' ' + launch.why);
}

inline std::string text_of(const RefusedCopy &copy) {
  return "copy refused: " + std::to_string(copy.bytes) + " bytes, with only " +
         std::to_string(copy.there) + " bytes of " + copy.memory + " memory left";
}

namespace refusals {
constexpr const char *interrupted = "interrupted: ", *at = "  at ",
                     *of_host = "host code that launches kernel after kernel", *now = ", now ";
}

inline std::string text_of(const Interruption &its) {
  using namespace refusals;
  return interrupted +
         (its.is_of_host ? of_host + (its.kernel.empty() ? "" : now + its.kernel) : its.kernel) +
         '\n' + (its.line.empty() ? "  " + its.advice : at + its.line) + '\n';
}

// ---- reading ----

inline std::optional<RefusedLaunch> refused_launch(const std::string &line) {
  RefusedLaunch launch;
  Extent &b = launch.block, &g = launch.grid;
  const std::size_t grid = line.rfind(", grid ");
  if (std::sscanf(line.c_str(), "launch refused: block %u x %u x %u", &b.x, &b.y, &b.z) == 3 &&
      grid != line.npos &&
      std::sscanf(line.c_str() + grid, ", grid %u x %u x %u", &g.x, &g.y, &g.z) == 3) {
    launch.is_of_block = true;
    return launch;
  }
  if (std::sscanf(line.c_str(), "launch refused: grid %u x %u x %u", &g.x, &g.y, &g.z) != 3)
    return {};
  return launch;
}

inline std::optional<RefusedCopy> refused_copy(const std::string &line) {
  RefusedCopy copy;
  char memory[16] = "";
  if (std::sscanf(line.c_str(), "copy refused: %zu bytes, with only %zu bytes of %15s", &copy.bytes,
                  &copy.there, memory) != 3)
    return {};
  copy.memory = memory;
  return copy;
}

// Of its two lines.
inline std::optional<Interruption> interruption(const std::string &first,
                                                const std::string &second) {
  using namespace refusals;
  const std::string begin = interrupted, host = of_host, before_line = at;
  if (first.compare(0, begin.size(), begin) != 0)
    return {};
  Interruption its;
  its.kernel = first.substr(begin.size());
  its.is_of_host = its.kernel.compare(0, host.size(), host) == 0;
  if (its.is_of_host) {
    const std::size_t kernel = its.kernel.find(now);
    its.kernel =
        kernel == its.kernel.npos ? "" : its.kernel.substr(kernel + std::string(now).size());
  }
  if (second.compare(0, before_line.size(), before_line) == 0)
    its.line = second.substr(before_line.size());
  return its;
}

} // namespace course
