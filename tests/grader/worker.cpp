// The worker's half of an exercise, linked with the learner's program: with COURSE_REQUEST it reads
// the judge's request, calls the function of the contract and writes the reply; without, it runs
// the program itself. Compiled for one contract: CONTRACT is its header, FUNCTION its function;
// neither for an exercise about a whole program. With COURSE_MPI, for an exercise about MPI, each
// rank has a request and a reply of its own (request.RANK, reply.RANK).
//
// exchange.hpp says what request and reply hold.
#include "tests/grader/device_guard.hpp"
#include "tests/grader/kind.hpp"

#include <cuda_runtime.h>
#ifdef COURSE_MPI
#include "tests/grader/ranks.hpp"
#endif

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#ifdef CONTRACT
#include CONTRACT
#endif

extern "C" int learner_main(int argc, char **argv);

#ifdef CONTRACT
namespace {

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
  [[noreturn]] static void stop(const char *what) {
    std::fprintf(stderr, "the grader's worker: %s\n", what);
    std::exit(3);
  }
  std::FILE *file_;
};

// A scalar parameter.
template <class T> class Held {
public:
  explicit Held(Request &request) {
    request.number();
    request.read(&value_, sizeof value_);
  }
  T get() { return value_; }
  void reply(std::FILE *) const {}
  bool written_outside() const { return false; }

private:
  T value_;
};

// The bytes of an array's guard zones: as numbers far from what exercises compute with, so that a
// read past the end shows; and each array's own, so that what is copied from past the end of one to
// past the end of another shows, too.
unsigned char next_mark() {
  static unsigned arrays = 0;
  return 0x7F - arrays++ % 8;
}

// An array in host memory, with a guard zone on both sides; aligned as its type, and no better.
template <class T> class Held<T *> {
  static constexpr std::size_t guard = 4096 + sizeof(T);

public:
  explicit Held(Request &request)
      : bytes_(request.number() * sizeof(T)), memory_(new unsigned char[bytes_ + 2 * guard]) {
    std::memset(memory_.get(), mark_, bytes_ + 2 * guard);
    request.read(start(), bytes_);
    course::guard_host_array(start(), bytes_);
  }
  ~Held() {
    if (memory_)
      course::guard_host_array(start(), 0);
  }
  Held(Held &&) = default;
  T *get() { return reinterpret_cast<T *>(start()); }
  void reply(std::FILE *file) const { std::fwrite(start(), 1, bytes_, file); }
  bool written_outside() const {
    for (std::size_t i = 0; i < guard; ++i)
      if (memory_[i] != mark_ || start()[bytes_ + i] != mark_)
        return true;
    return false;
  }

private:
  unsigned char *start() const { return memory_.get() + guard; }
  unsigned char mark_ = next_mark();
  std::size_t bytes_;
  std::unique_ptr<unsigned char[]> memory_;
};

using course::Kind;
using Findings = std::vector<std::pair<Kind, std::string>>;

template <class R, class... P>
void answer(R (*function)(P...), Request &request, std::FILE *reply, Findings &findings) {
  std::tuple<Held<P>...> held{Held<P>(request)...};
  std::apply(
      [&](auto &...parameter) {
        if constexpr (std::is_void_v<R>) {
          function(parameter.get()...);
          (parameter.reply(reply), ...);
        } else {
          R result = function(parameter.get()...);
          (parameter.reply(reply), ...);
          std::fwrite(&result, sizeof result, 1, reply);
        }
        int number = 0;
        auto inspect = [&](bool outside) {
          ++number;
          if (outside)
            findings.emplace_back(Kind::oob,
                                  "host memory was written outside the array of parameter " +
                                      std::to_string(number));
        };
        (inspect(parameter.written_outside()), ...);
      },
      held);
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
  course::treat_launches(course::Launches(request.number()));
  const std::uint64_t cases = request.number();
  for (std::uint64_t index = 0; index < cases; ++index) {
    Findings findings;
    write_number(nonce + index);
    const auto before = course::live_device_memory();
    const std::size_t launched = course::launches();
    for (std::uint64_t calls = request.number(); calls > 0; --calls)
      answer(&FUNCTION, request, reply, findings);
#ifdef COURSE_MPI
    course::expect_no_requests();
#endif
    cudaError_t error = cudaDeviceSynchronize();
    if (error == cudaSuccess)
      error = cudaError_t(course::take_last_error());
    if (error != cudaSuccess && error != cudaErrorNotReady) // that is what a poll answers
      findings.emplace_back(error == cudaErrorIllegalAddress ? Kind::oob : Kind::launch,
                            std::string(cudaGetErrorName(error)) + ": " +
                                cudaGetErrorString(error));
    for (const std::string &sentence : course::device_memory_damage())
      findings.emplace_back(Kind::oob, sentence);
    const auto after = course::live_device_memory();
    if (after.allocations > before.allocations)
      findings.emplace_back(Kind::leak, "allocations that were not freed: " +
                                            std::to_string(after.allocations - before.allocations) +
                                            ", of " + std::to_string(after.bytes - before.bytes) +
                                            " bytes");
    write_number(course::launches() - launched);
    const auto work = course::counted_work();
    write_number(work.size());
    for (const auto &[kernel, numbers] : work) {
      write_text(kernel);
      for (const std::uint64_t number : numbers)
        write_number(number);
    }
    write_number(findings.size());
    for (const auto &[kind, text] : findings) {
      write_number(std::uint64_t(kind));
      write_text(text);
    }
    std::fflush(reply);
  }
  return std::fclose(reply) == 0 ? 0 : 3;
}

} // namespace
#endif

int main(int argc, char **argv) {
#ifdef CONTRACT
  if (const char *request = std::getenv("COURSE_REQUEST")) {
#ifdef COURSE_MPI
    MPI_Init(&argc, &argv);
    course::report_errors();
    course::note_waits_of_nccl();
    const std::string rank = "." + std::to_string(course::rank_of_this_process());
    const int code = answer_all(request + rank, "reply" + rank);
    MPI_Finalize();
    return code;
#else
    return answer_all(request, "reply");
#endif
  }
#endif
  return learner_main(argc, argv);
}
