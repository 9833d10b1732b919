// The worker's half of an exercise, linked with the learner's program: with COURSE_REQUEST it reads
// the judge's request, calls the function of the contract and writes the reply; without, it runs
// the program itself. With COURSE_MPI, for an exercise about MPI, each rank has a request and a
// reply of its own (request.RANK, reply.RANK). With COURSE_IN_PYTHON it is part of the library
// that a submission in Python calls, and python_worker.py starts it.
//
// exchange.hpp says what request and reply hold.
#include "common/grader/worker/contract.hpp"
#include "common/grader/worker/device_guard.hpp"
#include "common/grader/worker/kind.hpp"

#ifdef COURSE_MPI
#include "common/grader/worker/mpi_calls.hpp"
#endif

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <sys/mman.h>
#include <utility>
#include <vector>

extern "C" int learner_main(int argc, char **argv) __attribute__((weak)); // see no_main.hpp

namespace {

using course::Contract, course::contract, course::Found, course::Kind;

[[noreturn]] void stop(const char *what) {
  std::fprintf(stderr, "the grader's worker: %s\n", what);
  std::exit(3);
}

class Request {
public:
  explicit Request(const char *path) : file_(std::fopen(path, "rb")) {
    if (!file_)
      stop("cannot open the request");
  }
  std::uint64_t number() {
    std::uint64_t value;
    read(&value, sizeof value);
    return value;
  }
  void read(void *to, std::size_t bytes) {
    if (bytes && std::fread(to, bytes, 1, file_) != 1)
      stop("the request is cut short");
  }

private:
  std::FILE *file_;
};

// Memory with pages on both sides that nothing can read or write: what lands far from an array ends
// the program at once, and harms nothing else that would fail later, or not at all.
class Island {
public:
  explicit Island(std::size_t bytes)
      : bytes_(bytes + 2 * sea), pages_(mmap(nullptr, bytes_, PROT_NONE,
                                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {
    if (pages_ == MAP_FAILED || mprotect(start(), bytes, PROT_READ | PROT_WRITE) != 0)
      stop("not enough memory for the arrays");
  }
  ~Island() { munmap(pages_, bytes_); }
  Island(const Island &) = delete;
  Island &operator=(const Island &) = delete;
  unsigned char *start() const { return static_cast<unsigned char *>(pages_) + sea; }

private:
  static constexpr std::size_t sea = 64 << 20;
  std::size_t bytes_;
  void *pages_;
};

bool is_hidden = false; // the arrays have a mask

// A parameter's value in a call: a number; or an array in host memory, with a guard zone on both
// sides, aligned as its elements, and no better.
class Held {
public:
  Held(const Contract::Parameter &parameter, Request &request)
      : is_array_(parameter.pointer), bytes_(request.number() * parameter.bytes),
        zone_(is_array_
                  ? course::guard_zone(4096 + std::min<std::size_t>(bytes_, 1 << 18) / 64 * 64 +
                                       parameter.bytes)
                  : std::vector<unsigned char>()),
        memory_(std::make_unique<Island>(bytes_ + 2 * zone_.size())) {
    for (unsigned char *zone : {memory_->start(), start() + bytes_})
      std::copy(zone_.begin(), zone_.end(), zone);
    request.read(start(), bytes_);
    if (is_array_)
      course::guard_host_array(start(), bytes_);
    if (is_array_ && is_hidden)
      course::mask_array(start(), bytes_);
  }
  ~Held() {
    if (memory_ && is_array_)
      course::guard_host_array(start(), 0);
  }
  Held(Held &&) = default;
  unsigned char *start() const { return memory_->start() + zone_.size(); }
  void reply(std::FILE *file) const {
    if (is_array_ && is_hidden)
      course::unmask_array(start(), bytes_);
    if (is_array_)
      std::fwrite(start(), 1, bytes_, file);
  }
  bool written_outside() const {
    return !std::equal(zone_.begin(), zone_.end(), memory_->start()) ||
           !std::equal(zone_.begin(), zone_.end(), start() + bytes_);
  }

private:
  bool is_array_;
  std::size_t bytes_;
  std::vector<unsigned char> zone_;
  std::unique_ptr<Island> memory_;
};

void answer(Request &request, std::FILE *reply, std::vector<Found> &findings) {
  std::vector<Held> held;
  for (std::size_t i = 0; i < contract.count; ++i)
    held.emplace_back(contract.parameters[i], request);
  std::vector<void *> values;
  for (const Held &its : held)
    values.push_back(its.start());
  const std::unique_ptr<unsigned char[]> result(new unsigned char[contract.result_bytes]);
  contract.call(values.data(), result.get());
  if (is_hidden)
    course::unmask_result(result.get(), contract.result_bytes);
  for (const Held &its : held)
    its.reply(reply);
  std::fwrite(result.get(), 1, contract.result_bytes, reply);
  for (std::size_t i = 0; i < held.size(); ++i)
    if (held[i].written_outside())
      findings.push_back({Kind::oob, "host memory was written outside the array", i + 1});
}

int answer_all(const std::string &request_path, const std::string &reply_path) {
  Request request(request_path.c_str());
  std::FILE *reply = std::fopen(reply_path.c_str(), "wb");
  if (!reply)
    return 3;
  const auto write_number = [reply](std::uint64_t number) {
    std::fwrite(&number, sizeof number, 1, reply);
  };
  const auto write_text = [&](const std::string &text) {
    write_number(text.size());
    std::fwrite(text.data(), 1, text.size(), reply);
  };
  course::guard_device_memory();
  const std::uint64_t nonce = request.number();
  const auto treatment = course::Launches(request.number());
  course::treat_launches(treatment);
  is_hidden = course::hides(treatment);
  const std::uint64_t cases = request.number();
  for (std::uint64_t index = 0; index < cases; ++index) {
    std::vector<Found> findings;
    write_number(nonce + index);
    const auto before = course::live_device_memory();
    const std::size_t launched = course::launches();
    for (std::uint64_t calls = request.number(); calls > 0; --calls) {
      if (const char *bytes = std::getenv("COURSE_TAKEN"); bytes && calls == 1)
        course::take_device_memory(std::strtoull(bytes, nullptr, 10));
      answer(request, reply, findings);
    }
    course::take_device_memory(0);
#ifdef COURSE_MPI
    course::expect_no_requests();
#endif
    if (const auto error = course::take_device_error())
      findings.push_back(*error);
    for (const Found &damage : course::device_memory_damage())
      findings.push_back(damage);
    if (const char *limit = std::getenv("COURSE_MOST_ALLOCATED"))
      if (const std::size_t bytes = course::most_bytes_at_a_launch();
          bytes > std::strtoull(limit, nullptr, 10))
        findings.push_back({Kind::memory, "when a kernel was launched, " + std::to_string(bytes) +
                                              " bytes of device memory were allocated; the limit "
                                              "is " +
                                              limit});
    const auto after = course::live_device_memory();
    if (after.allocations > before.allocations)
      findings.push_back({Kind::leak, "allocations that were not freed: " +
                                          std::to_string(after.allocations - before.allocations) +
                                          ", of " + std::to_string(after.bytes - before.bytes) +
                                          " bytes"});
    if (after.registrations > before.registrations)
      findings.push_back(
          {Kind::leak, "arrays that are still pinned: " +
                           std::to_string(after.registrations - before.registrations)});
    write_number(course::launches() - launched);
    const auto shapes = course::take_launch_shapes();
    write_number(shapes.size());
    for (const auto &[device, grid, block] : shapes) {
      write_number(device);
      for (const unsigned size : {grid[0], grid[1], grid[2], block[0], block[1], block[2]})
        write_number(size);
    }
    const auto all_work = course::counted_work();
    write_number(all_work.size());
    for (const auto &[kernel, work] : all_work) {
      write_text(kernel);
      std::fwrite(&work, sizeof work, 1, reply);
    }
    if (is_hidden && course::host_memory_is_shared())
      findings.push_back({Kind::pass, ""}); // of a hidden case: nothing is wrong
    write_number(findings.size());
    for (const Found &found : findings) {
      write_number(std::uint64_t(found.kind));
      write_text(found.text);
      for (const auto number : {found.parameter, found.bytes, found.past_end, found.of_launch})
        write_number(number);
    }
    std::fflush(reply);
  }
  return std::fclose(reply) == 0 ? 0 : 3;
}

} // namespace

#ifdef COURSE_IN_PYTHON
extern "C" int course_answer_all() { return answer_all("request", "reply"); }
#else
int main(int argc, char **argv) {
  if (const char *request = std::getenv("COURSE_REQUEST")) {
#ifdef COURSE_MPI
    MPI_Init(&argc, &argv);
    course::report_errors();
    const std::string rank = "." + std::to_string(course::rank_of_this_process());
    const int code = answer_all(request + rank, "reply" + rank);
    MPI_Finalize();
    return code;
#else
    return answer_all(request, "reply");
#endif
  }
  if (!learner_main)
    stop("there is neither a request nor a program");
  return learner_main(argc, argv);
}
#endif
