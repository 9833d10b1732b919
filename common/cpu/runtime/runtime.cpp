// Settings: environment variables that are numbers, the OS threads that run blocks, and the order
// in which blocks and threads run. On a device that is arbitrary; COURSE_CPU_ORDER chooses one, so
// that a program that works in one order only can be caught.
#include "runtime.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sched.h>
#include <thread>

namespace course_cpu {

static Order read_order() {
  const char *text = std::getenv("COURSE_CPU_ORDER");
  if (!text || !*text || !std::strcmp(text, "forward"))
    return {};
  if (!std::strcmp(text, "reverse"))
    return {Order::reverse, 0};
  const char prefix[] = "random:";
  const size_t length = sizeof prefix - 1;
  if (!std::strncmp(text, prefix, length) && text[length] >= '0' && text[length] <= '9') {
    char *end;
    errno = 0;
    const unsigned long long seed = std::strtoull(text + length, &end, 10);
    if (!*end && !errno)
      return {Order::random, seed};
  }
  std::fprintf(stderr,
               "error: COURSE_CPU_ORDER is '%s': use forward, reverse, or random:N with a whole "
               "number N\n",
               text);
  std::exit(1);
}

const Order &order() {
  static const Order order = read_order();
  return order;
}

// The value of `text`, a whole number; ends the program where it is none, or less than `least`.
long long whole_number(const char *name, const std::string &text, long long least) {
  char *end = nullptr;
  errno = 0;
  long long value = std::strtoll(text.c_str(), &end, 10);
  if (end == text.c_str() || *end != '\0' || errno != 0 || value < least) {
    std::fprintf(stderr, "error: %s=\"%s\": expected a whole number of at least %lld\n", name,
                 text.c_str(), least);
    std::_Exit(2);
  }
  return value;
}

long long setting(const char *name, long long least, long long otherwise) {
  const char *text = std::getenv(name);
  return text ? whole_number(name, text, least) : otherwise;
}

static unsigned allowed_cores() {
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof cores, &cores) == 0 && CPU_COUNT(&cores) > 0)
    return static_cast<unsigned>(CPU_COUNT(&cores));
  return std::max(1u, std::thread::hardware_concurrency());
}

unsigned pool_size() {
  static const unsigned threads =
      static_cast<unsigned>(setting("COURSE_CPU_THREADS", 1, allowed_cores()));
  return threads;
}

std::uint64_t scramble(std::uint64_t seed, std::uint64_t number) {
  std::uint64_t z = seed * 0x9e3779b97f4a7c15u + (number + 1) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

} // namespace course_cpu
