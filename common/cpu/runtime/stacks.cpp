// Stacks and dynamic shared memory, with pages beside them that nobody may touch.
#include "worker.h"

#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>
#include <unistd.h>

// Linux 6.13: a page that nobody may touch, without a mapping of its own, which takes a tenth of
// the time.
#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102
#endif

namespace course_cpu {

static size_t page() {
  static const size_t bytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

// Makes the page inaccessible; true on success.
static bool close_page(char *address) {
  return madvise(address, page(), MADV_GUARD_INSTALL) == 0 ||
         mprotect(address, page(), PROT_NONE) == 0;
}

// Memory that costs nothing until it is touched.
static char *map(size_t bytes, const char *purpose) {
  void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    std::fprintf(stderr,
                 "error: no memory for %s of the CPU backend (%zu MiB): raise the memory limit of "
                 "this process, or set COURSE_CPU_THREADS to a smaller number\n",
                 purpose, bytes >> 20);
    std::exit(1);
  }
  return static_cast<char *>(memory);
}

Stacks::~Stacks() {
  if (memory)
    munmap(memory, mapped_bytes);
}

void Stacks::reserve(size_t wanted) {
  if (wanted <= count)
    return;
  if (memory)
    munmap(memory, mapped_bytes);
  count = wanted;
  stride = page() + stack_bytes;
  mapped_bytes = count * stride;
  memory = map(mapped_bytes, "the stacks");
  // If the system allows no more mappings, the remaining stacks stay unprotected.
  for (size_t number = 0; number < count; ++number)
    if (!close_page(memory + number * stride))
      break;
}

bool Stacks::guards(const void *address) const {
  const char *byte = static_cast<const char *>(address);
  if (!holds(address))
    return false;
  return static_cast<size_t>(byte - memory) % stride < page();
}

bool Stacks::is_past_end(const void *address, const void *top) const {
  const auto number = [this](const void *byte) {
    return static_cast<size_t>(static_cast<const char *>(byte) - memory) / stride;
  };
  return guards(address) && holds(top) && number(top) < number(address);
}

bool Stacks::holds(const void *address) const {
  const char *byte = static_cast<const char *>(address);
  return memory && byte >= memory && byte < memory + mapped_bytes;
}

SharedArena::~SharedArena() {
  if (memory)
    munmap(memory, mapped_bytes);
}

char *SharedArena::get(size_t bytes) {
  if (bytes == 0)
    return nullptr;
  const size_t needed = (bytes + page() - 1) / page() * page() + page();
  if (needed > mapped_bytes) {
    if (memory)
      munmap(memory, mapped_bytes);
    mapped_bytes = needed;
    memory = map(mapped_bytes, "the shared memory");
    close_page(memory + mapped_bytes - page());
  }
  return memory + mapped_bytes - page() - (bytes + 15) / 16 * 16;
}

bool SharedArena::overrun(const void *address) const {
  const char *byte = static_cast<const char *>(address);
  return memory && byte >= memory + mapped_bytes - page() && byte < memory + mapped_bytes;
}

} // namespace course_cpu
