// The order in which blocks and threads run. On a device it is arbitrary; COURSE_CPU_ORDER chooses
// one, so that a program that works in one order only can be caught.
#include "runtime.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

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

std::uint64_t scramble(std::uint64_t seed, std::uint64_t number) {
  std::uint64_t z = seed * 0x9e3779b97f4a7c15u + (number + 1) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

} // namespace course_cpu
