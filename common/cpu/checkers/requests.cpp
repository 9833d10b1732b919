// Counts the sectors and bank conflicts of each request of a warp.
#include "requests.h"

#include "access.h"
#include "runtime/worker.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace course_cpu {
namespace tools {
namespace {

constexpr unsigned lanes = 32, sector_bytes = 32, word_bytes = 4, banks = 32;

struct Request {
  std::size_t bytes = 0;             // of all its lanes
  std::vector<std::uint64_t> places; // each once: sectors; or words, with their lanes' group
};

// The lanes of a warp run one after the other here. The k-th execution of an instruction by one
// lane and that by another are taken for one request, as they are on a GPU where lanes go on
// together. In an algorithm of a library 32 executions that follow each other are: there the one
// thread does what on a GPU neighbouring threads do.
struct Instruction {
  Work::Accesses *sum = nullptr;
  bool shared = false;
  std::vector<std::uint32_t> executions;      // by thread of the block
  std::vector<std::vector<Request>> requests; // by warp and execution
};

// Of the running block, since its last barrier; blocks of a cooperative grid have own OS threads.
std::unordered_map<std::uint64_t, Instruction> &instructions() {
  return of_this_thread<std::unordered_map<std::uint64_t, Instruction>>();
}

// One wavefront brings one word from each bank. Accesses of 4 bytes are served together, those of 8
// bytes for half a warp at a time, those of 16 bytes for a quarter.
unsigned group_of(std::size_t bytes) {
  const unsigned lane = self.thread % lanes;
  return bytes <= 4 ? 0 : bytes <= 8 ? lane / 16 : lane / 8;
}
constexpr unsigned group_shift = 60; // in a place, above any word's address

// Wavefronts beyond the first one of each group.
std::uint64_t conflicts(const Request &request) {
  unsigned words[4][banks] = {};
  for (const std::uint64_t place : request.places)
    ++words[place >> group_shift][place % banks];
  std::uint64_t sum = 0;
  for (const auto &of_group : words)
    if (const unsigned most = *std::max_element(of_group, of_group + banks); most > 0)
      sum += most - 1;
  return sum;
}

void end_request(const Instruction &instruction, const Request &request) {
  Work::Accesses &sum = *instruction.sum;
  ++sum.requests;
  if (instruction.shared)
    sum.conflicts += conflicts(request);
  else {
    sum.sectors += request.places.size();
    sum.coalesced += (request.bytes + sector_bytes - 1) / sector_bytes;
  }
}

} // namespace

void add_to_request(Work::Accesses &sum, std::uintptr_t address, std::size_t bytes, bool shared,
                    bool is_store, bool of_library, Code code) {
  Instruction &instruction = instructions()[std::uint64_t{code} << 2 | std::uint64_t{shared} << 1 |
                                            std::uint64_t{is_store}];
  if (!instruction.sum) {
    const std::size_t threads = worker().fibers.size();
    instruction.sum = &sum;
    instruction.shared = shared;
    instruction.executions.resize(threads);
    instruction.requests.resize((threads + lanes - 1) / lanes);
  }
  auto &requests = instruction.requests[self.thread / lanes];
  const bool alone = worker().fibers.size() == 1;
  const std::uint32_t execution =
      instruction.executions[self.thread]++ / (alone && of_library ? lanes : 1);
  if (execution == requests.size())
    requests.emplace_back();
  Request &request = requests[execution];
  request.bytes += bytes;
  const unsigned place_bytes = shared ? word_bytes : sector_bytes;
  const std::uint64_t group = shared ? std::uint64_t{group_of(bytes)} << group_shift : 0;
  for (auto at = address / place_bytes; at <= (address + bytes - 1) / place_bytes; ++at)
    if (const auto place = group | at;
        std::find(request.places.rbegin(), request.places.rend(), place) == request.places.rend())
      request.places.push_back(place);
  if (alone && !of_library) // nobody else can join; and such a kernel may do very much
    end_requests();
}

void end_requests() {
  for (auto &[key, instruction] : instructions())
    for (const auto &of_warp : instruction.requests)
      for (const Request &request : of_warp)
        end_request(instruction, request);
  instructions().clear();
}

void end_requests_of_warp(unsigned warp) {
  for (auto &[key, instruction] : instructions()) {
    for (const Request &request : instruction.requests[warp])
      end_request(instruction, request);
    instruction.requests[warp].clear();
    const auto begin = instruction.executions.begin();
    std::fill(begin + warp * lanes,
              begin + std::min<std::size_t>((warp + 1) * lanes, instruction.executions.size()), 0);
  }
}

} // namespace tools
} // namespace course_cpu
