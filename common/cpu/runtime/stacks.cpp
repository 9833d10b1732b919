// Stacks and dynamic shared memory, with pages beside them that nobody may touch.
#include "worker.h"

#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>
#include <unistd.h>

namespace course_cpu {

static size_t page() {
  static const size_t bytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
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
  mapped_bytes = count * (page() + stack_bytes);
  memory = map(mapped_bytes, "the stacks");
  // Where the system allows no more mappings, the remaining stacks go unprotected.
  for (size_t number = 0; number < count; ++number)
    if (mprotect(memory + number * (page() + stack_bytes), page(), PROT_NONE))
      break;
}

// Stacks start at different offsets in their page: else their tops would share few cache lines.
void *Stacks::top(size_t number) const {
  const size_t offset = number * 5 % 64 * 64;
  return memory + (number + 1) * (page() + stack_bytes) - offset;
}

bool Stacks::overflowed(const void *address) const {
  const char *byte = static_cast<const char *>(address);
  if (!memory || byte < memory || byte >= memory + mapped_bytes)
    return false;
  return static_cast<size_t>(byte - memory) % (page() + stack_bytes) < page();
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
    mprotect(memory + mapped_bytes - page(), page(), PROT_NONE);
  }
  return memory + mapped_bytes - page() - (bytes + 15) / 16 * 16;
}

bool SharedArena::overrun(const void *address) const {
  const char *byte = static_cast<const char *>(address);
  return memory && byte >= memory + mapped_bytes - page() && byte < memory + mapped_bytes;
}

} // namespace course_cpu
