// The functions that code compiled with g++ -fsanitize=thread calls: at every load and store, and
// instead of every atomic operation.
#include "access.h"
#include "report.h"

#include <cstring>

using namespace course_cpu::tools;

#define HERE code_of(__builtin_return_address(0))

namespace {

// Threads, and the host, use volatile variables as flags. In shared memory a write is one only
// after a fence: without it, volatile orders nothing.
void volatile_read(const void *p, std::size_t bytes, Code code) {
  look(p, code);
  if (self.in_operation && !self.in_kernel)
    return touch<Kind::read>(p, bytes, code);
  touch<Kind::atomic_read>(p, bytes, code);
  if (self.in_kernel)
    acquire(p, false);
}

void volatile_write(const void *p, std::size_t bytes, Code code) {
  if (self.in_kernel ? is_shared(p) && !fenced_since_barrier() : self.in_operation)
    return touch<Kind::write>(p, bytes, code);
  touch<Kind::atomic_write>(p, bytes, code);
  if (self.in_kernel)
    release(p, false);
}

// True if the scope of an atomic operation is its block: see atomics.h.
bool is_narrow(int order) { return order == __ATOMIC_CONSUME; }

// CUDA's own functions order nothing else; operations of cuda::atomic, and of std's, are fences,
// too.
bool acquires(int order) {
  return order == __ATOMIC_ACQUIRE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}
bool releases(int order) {
  return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

void check_alignment(const void *p, std::size_t bytes, Code code) {
  const auto address = reinterpret_cast<std::uintptr_t>(p);
  if (address % bytes != 0)
    tell_misaligned("number of " + std::to_string(bytes) + " bytes", bytes, address, code);
}

void atomic_read(const void *p, std::size_t bytes, Code code, int order) {
  check_alignment(p, bytes, code);
  self.narrow = is_narrow(order);
  touch<Kind::atomic_read>(p, bytes, code);
  if (self.in_kernel)
    acquire(p, self.narrow);
  if (self.in_kernel && acquires(order))
    fence(false);
  self.narrow = false;
}

void atomic_write(const void *p, std::size_t bytes, Code code, int order) {
  check_alignment(p, bytes, code);
  if (self.in_kernel && releases(order))
    fence(false);
  self.narrow = self.narrow || is_narrow(order); // or by next_store_is_narrow()
  touch<Kind::atomic_write>(p, bytes, code);
  if (self.in_kernel)
    release(p, self.narrow);
  self.narrow = false;
}

void atomic_update(const void *p, std::size_t bytes, Code code, int order) {
  atomic_read(p, bytes, code, order);
  atomic_write(p, bytes, code, order);
}

// After an atomic operation: a location that is as it was has only been looked at.
void changed(bool it_is, const void *p, Code code) {
  if (!it_is)
    look(p, code);
  else if (self.waits)
    end_of_wait();
}

} // namespace

namespace course_cpu {
void next_store_is_narrow() { self.narrow = true; } // atomics.h
} // namespace course_cpu

extern "C" {

void __tsan_init() { reserve_range(); }
void __tsan_func_entry(void *) {}
void __tsan_func_exit() {}
// A constructor sets the pointer to the virtual functions of its class.
void __tsan_vptr_update(void **p, void *) { touch<Kind::write>(p, sizeof *p, HERE); }
void __tsan_vptr_read(void **p) { touch<Kind::read>(p, sizeof *p, HERE); }

#define ACCESSES(SIZE, READ, WRITE)                                                                \
  void __tsan_read##SIZE(void *p) { READ(p, SIZE, HERE); }                                         \
  void __tsan_write##SIZE(void *p) { WRITE(p, SIZE, HERE); }                                       \
  void __tsan_unaligned_read##SIZE(void *p) { read_parts(p, SIZE, HERE); }                         \
  void __tsan_unaligned_write##SIZE(void *p) { touch<Kind::part_write>(p, SIZE, HERE); }           \
  void __tsan_volatile_read##SIZE(void *p) { volatile_read(p, SIZE, HERE); }                       \
  void __tsan_volatile_write##SIZE(void *p) { volatile_write(p, SIZE, HERE); }                     \
  void __tsan_unaligned_volatile_read##SIZE(void *p) { volatile_read(p, SIZE, HERE); }             \
  void __tsan_unaligned_volatile_write##SIZE(void *p) { volatile_write(p, SIZE, HERE); }
ACCESSES(1, touch<Kind::read>, touch<Kind::write>)
ACCESSES(2, touch<Kind::read>, touch<Kind::write>)
ACCESSES(4, touch<Kind::read>, touch<Kind::write>)
ACCESSES(8, touch<Kind::read>, touch<Kind::write>)
ACCESSES(16, read_parts, touch<Kind::part_write>) // no number has 16 bytes

void __tsan_read_range(void *p, std::size_t bytes) { touch_range<Kind::read>(p, bytes, HERE); }
void __tsan_write_range(void *p, std::size_t bytes) {
  touch_range<Kind::part_write>(p, bytes, HERE);
}

void *course_cpu_memcpy(void *to, const void *from, std::size_t bytes) {
  touch_range<Kind::read>(from, bytes, HERE);
  touch_range<Kind::part_write>(to, bytes, HERE);
  return std::memcpy(to, from, bytes);
}

void *course_cpu_memmove(void *to, const void *from, std::size_t bytes) {
  touch_range<Kind::read>(from, bytes, HERE);
  touch_range<Kind::part_write>(to, bytes, HERE);
  return std::memmove(to, from, bytes);
}

void *course_cpu_memset(void *to, int value, std::size_t bytes) {
  touch_range<Kind::write>(to, bytes, HERE);
  return std::memset(to, value, bytes);
}

void __tsan_atomic_thread_fence(int order) {
  fence(is_narrow(order), order == __ATOMIC_SEQ_CST); // see course_cpu::device_fence
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
void __tsan_atomic_signal_fence(int) {}

#define UPDATE(BITS, NAME)                                                                         \
  std::uint##BITS##_t __tsan_atomic##BITS##_##NAME(volatile std::uint##BITS##_t *p,                \
                                                   std::uint##BITS##_t value, int order) {         \
    atomic_update(const_cast<std::uint##BITS##_t *>(p), BITS / 8, HERE, order);                    \
    const auto before = __atomic_##NAME(p, value, __ATOMIC_SEQ_CST);                               \
    changed(*p != before, const_cast<std::uint##BITS##_t *>(p), HERE);                             \
    return before;                                                                                 \
  }
#define EXCHANGE(BITS, NAME)                                                                       \
  bool __tsan_atomic##BITS##_compare_exchange_##NAME(volatile std::uint##BITS##_t *p,              \
                                                     std::uint##BITS##_t *expected,                \
                                                     std::uint##BITS##_t wanted, int order, int) { \
    confirm_read(const_cast<std::uint##BITS##_t *>(p), BITS / 8);                                  \
    atomic_update(const_cast<std::uint##BITS##_t *>(p), BITS / 8, HERE, order);                    \
    const auto before = *expected;                                                                 \
    const bool swapped = __atomic_compare_exchange_n(p, expected, wanted, false, __ATOMIC_SEQ_CST, \
                                                     __ATOMIC_SEQ_CST);                            \
    changed(swapped &&before != wanted, const_cast<std::uint##BITS##_t *>(p), HERE);               \
    return swapped;                                                                                \
  }
#define ATOMICS(BITS)                                                                              \
  std::uint##BITS##_t __tsan_atomic##BITS##_load(const volatile std::uint##BITS##_t *p,            \
                                                 int order) {                                      \
    changed(false, const_cast<const std::uint##BITS##_t *>(p), HERE);                              \
    atomic_read(const_cast<const std::uint##BITS##_t *>(p), BITS / 8, HERE, order);                \
    return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                                   \
  }                                                                                                \
  void __tsan_atomic##BITS##_store(volatile std::uint##BITS##_t *p, std::uint##BITS##_t value,     \
                                   int order) {                                                    \
    atomic_write(const_cast<std::uint##BITS##_t *>(p), BITS / 8, HERE, order);                     \
    changed(true, const_cast<std::uint##BITS##_t *>(p), HERE);                                     \
    __atomic_store_n(p, value, __ATOMIC_SEQ_CST);                                                  \
  }                                                                                                \
  std::uint##BITS##_t __tsan_atomic##BITS##_exchange(volatile std::uint##BITS##_t *p,              \
                                                     std::uint##BITS##_t value, int order) {       \
    atomic_update(const_cast<std::uint##BITS##_t *>(p), BITS / 8, HERE, order);                    \
    const auto before = __atomic_exchange_n(p, value, __ATOMIC_SEQ_CST);                           \
    changed(before != value, const_cast<std::uint##BITS##_t *>(p), HERE);                          \
    return before;                                                                                 \
  }                                                                                                \
  UPDATE(BITS, fetch_add)                                                                          \
  UPDATE(BITS, fetch_sub)                                                                          \
  UPDATE(BITS, fetch_and)                                                                          \
  UPDATE(BITS, fetch_or)                                                                           \
  UPDATE(BITS, fetch_xor)                                                                          \
  UPDATE(BITS, fetch_nand)                                                                         \
  EXCHANGE(BITS, strong)                                                                           \
  EXCHANGE(BITS, weak)
ATOMICS(8)
ATOMICS(16)
ATOMICS(32)
ATOMICS(64)

// ---- g++ -fsanitize=bounds,alignment ----

struct SourceLocation {
  const char *file;
  std::uint32_t line, column;
};
struct TypeDescriptor {
  std::uint16_t kind, info;
  char name[1]; // 'float [16]'
};
struct OutOfBounds {
  SourceLocation location;
  const TypeDescriptor *array, *index;
};
struct TypeMismatch {
  SourceLocation location;
  const TypeDescriptor *type;
  unsigned char log2_alignment, check;
};

void __ubsan_handle_out_of_bounds(OutOfBounds *data, std::uintptr_t index) {
  tell_index(data->array->name, static_cast<std::intptr_t>(index), data->location.column, HERE);
}

void __ubsan_handle_type_mismatch_v1(TypeMismatch *data, std::uintptr_t address) {
  const std::size_t alignment = std::size_t{1} << data->log2_alignment;
  if (address % alignment != 0)
    tell_misaligned(data->type->name, alignment, address, HERE);
}

} // extern "C"
