#include "common/grader/judge/answer.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <stdexcept>

namespace course {

namespace {

using Numbers = std::array<std::uint64_t, sizeof(Work) / sizeof(std::uint64_t)>; // to add them

// A limit's kind of work in words; for what requests of warps cost, also how the kernel that has
// most of it asks.
struct Name {
  std::uint64_t Work::*what;
  const char *text;
  const char *request = nullptr; // "load" or "store"
  std::uint64_t Work::*requests = nullptr, Work::*coalesced = nullptr;
};
const Name work_names[] = {
    {&Work::global_loads, "loads from global memory"},
    {&Work::global_load_bytes, "bytes loaded from global memory"},
    {&Work::global_load_sectors, "sectors (of 32 bytes) loaded from global memory", "load",
     &Work::global_load_requests, &Work::global_load_coalesced},
    {&Work::global_stores, "stores to global memory"},
    {&Work::global_store_bytes, "bytes stored to global memory"},
    {&Work::global_store_sectors, "sectors (of 32 bytes) stored to global memory", "store",
     &Work::global_store_requests, &Work::global_store_coalesced},
    {&Work::shared_loads, "loads from shared memory"},
    {&Work::shared_load_bytes, "bytes loaded from shared memory"},
    {&Work::shared_load_conflicts, "bank conflicts of loads from shared memory", "load",
     &Work::shared_load_requests},
    {&Work::shared_stores, "stores to shared memory"},
    {&Work::shared_store_bytes, "bytes stored to shared memory"},
    {&Work::shared_store_conflicts, "bank conflicts of stores to shared memory", "store",
     &Work::shared_store_requests},
    {&Work::mma_float, "calls of mma_sync with sums in float"},
    {&Work::mma_half, "calls of mma_sync with sums in half"},
    {&Work::launches, "kernel launches"},
    {&Work::copies, "copies"},
    {&Work::waits, "calls in which the host waits for the device"},
    {&Work::waits_between,
     "calls in which the host waits for the device between launches of a kernel"},
    {&Work::chain, "copies and kernels in one chain, one after the other"},
    {&Work::bytes_to_host, "bytes copied to the host"},
    {&Work::library_calls, "library calls, or groups of library calls"},
    {&Work::library_bytes, "bytes read by library calls"}};

const Name &name_of(std::uint64_t Work::*what) {
  const auto found = std::find_if(std::begin(work_names), std::end(work_names),
                                  [&](const Name &name) { return name.what == what; });
  if (found == std::end(work_names))
    throw std::logic_error("a judge limits a number of Work that has no name here");
  return *found;
}

// True for numbers that the host decides, not a kernel: the last ones.
bool is_hosts(std::uint64_t Work::*what) { return &name_of(what) >= &name_of(&Work::launches); }

std::string with_one_decimal(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", value);
  return text;
}

// Of the kernel that has most of this work: its cost for each request of a warp.
std::string cost_of_requests(const Name &name, const std::vector<KernelWork> &kernels) {
  const auto &[kernel, work] =
      *std::max_element(kernels.begin(), kernels.end(), [&](const auto &a, const auto &b) {
        return a.work.*name.what < b.work.*name.what;
      });
  const double requests = std::max(work.*name.requests, std::uint64_t(1));
  const std::string each = with_one_decimal(work.*name.what / requests);
  const std::string what = std::string(" per ") + name.request + " request of a warp";
  return "\nMost of them are in " + kernel + ": " + each +
         (name.coalesced ? " sectors" + what + "; coalesced accesses would need " +
                               with_one_decimal(work.*name.coalesced / requests)
                         : " bank conflicts" + what + "; 0 are possible");
}

} // namespace

Finding judge_work(const Case &its_case, const std::vector<KernelWork> &kernels) {
  Numbers sum{};
  for (const KernelWork &its : kernels)
    for (std::size_t i = 0; i < sum.size(); ++i)
      sum[i] += value_at<Numbers>(&its.work)[i];
  const Work all = value_at<Work>(&sum);
  if (all.global_stores == 0 &&
      !std::all_of(its_case.work.begin(), its_case.work.end(),
                   [](const WorkLimit &limit) { return is_hosts(limit.what); }))
    return {Kind::work, "no kernel wrote to allocated device memory: kernels must write their "
                        "results there, not to host memory or __device__ variables"};
  for (const WorkLimit &limit : its_case.work) {
    const std::uint64_t operations = all.copies + all.launches,
                        bound = limit.parts ? operations / limit.parts : limit.limit;
    const std::uint64_t came = all.*limit.what;
    if (limit.is_least ? came >= bound : came <= bound)
      continue;
    const Name &name = name_of(limit.what);
    Remark remark{"the values are right, but "};
    remark.fact += limit.is_least               ? "the kernels do too little: "
                   : limit.what == &Work::chain ? "too little overlaps: "
                   : is_hosts(limit.what)       ? "the host does too much: "
                                                : "the kernels do too much work: ";
    remark.fact += std::to_string(came) + " " + name.text +
                   (limit.is_least ? "; the minimum is " : "; the limit is ") +
                   std::to_string(bound);
    if (limit.parts)
      remark.fact += (limit.parts == 2 ? ", half of all "
                                       : ", 1/" + std::to_string(limit.parts) + " of all ") +
                     std::to_string(operations);
    if (name.request)
      remark.fact += cost_of_requests(name, kernels);
    if (name.coalesced && 4 * (all.*name.what) <= 5 * (all.*name.coalesced)) // not scattered
      remark.fact += std::string("\nThe requests are coalesced, but there are too many of them: ") +
                     name.request + " each number only once.";
    else
      remark.often = limit.meaning;
    return {Kind::work, remark};
  }
  return {};
}

} // namespace course
