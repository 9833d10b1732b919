// Fences, and atomic operations for the types that CUDA has. Blocks run in parallel, so they are
// real ones. Each returns what was there before.
#pragma once

#include "switch_stack.h"

#include <type_traits>

namespace course_cpu {

using ull = unsigned long long;

template <class T, class... Allowed>
constexpr bool is_one_of = (std::is_same<T, Allowed>::value || ...);

template <class T> struct same_as { // keeps the value's type out of template deduction
  using type = T;
};
template <class T> using same_as_t = typename same_as<T>::type;

// The memory order of an operation tells the tools its scope: nobody else uses `consume`.
constexpr int device_scope = __ATOMIC_RELAXED, block_scope = __ATOMIC_CONSUME;

// No order that a store may have tells its scope. A fence of the device is weaker for the tools
// only: they report a host that relies on it.
#ifdef COURSE_CPU_INSTRUMENTED
void next_store_is_narrow();
constexpr int device_fence = __ATOMIC_ACQ_REL;
#else
inline void next_store_is_narrow() {}
constexpr int device_fence = __ATOMIC_SEQ_CST;
#endif
template <class T> COURSE_CPU_INLINE void store_in_block(T *address, T value) {
  next_store_is_narrow();
  __atomic_store(address, &value, __ATOMIC_RELAXED);
}

// Replaces *address by update(*address).
template <int scope, class T, class Update>
COURSE_CPU_INLINE T atomic_update(T *address, const Update &update) {
  T old, wanted;
  __atomic_load(address, &old, scope);
  do
    wanted = update(old);
  while (!__atomic_compare_exchange(address, &old, &wanted, true, scope, scope));
  return old;
}

} // namespace course_cpu

__device__ inline void __threadfence() { __atomic_thread_fence(course_cpu::device_fence); }
__device__ inline void __threadfence_block() { __atomic_thread_fence(course_cpu::block_scope); }
__device__ inline void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

// NAME, NAME_block and NAME_system; on the CPU they do the same.
#define COURSE_CPU_ATOMIC(NAME, TYPES, BODY)                                                       \
  COURSE_CPU_ATOMIC_SCOPE(NAME, course_cpu::device_scope, TYPES, BODY)                             \
  COURSE_CPU_ATOMIC_SCOPE(NAME##_block, course_cpu::block_scope, TYPES, BODY)                      \
  COURSE_CPU_ATOMIC_SCOPE(NAME##_system, course_cpu::device_scope, TYPES, BODY)
#define COURSE_CPU_ATOMIC_SCOPE(NAME, SCOPE, TYPES, BODY)                                          \
  template <class T>                                                                               \
  __device__ COURSE_CPU_INLINE T NAME(T *address, course_cpu::same_as_t<T> value) {                \
    using course_cpu::ull;                                                                         \
    constexpr int scope = SCOPE;                                                                   \
    static_assert(course_cpu::is_one_of<T, COURSE_CPU_TYPES TYPES>,                                \
                  #NAME " takes a pointer to one of " #TYPES);                                     \
    BODY                                                                                           \
  }
#define COURSE_CPU_TYPES(...) __VA_ARGS__

COURSE_CPU_ATOMIC(atomicAdd, (int, unsigned, ull, float, double), {
  if constexpr (std::is_integral<T>::value)
    return __atomic_fetch_add(address, value, scope);
  else
    return course_cpu::atomic_update<scope>(address, [=](T old) { return old + value; });
})
COURSE_CPU_ATOMIC(atomicSub, (int, unsigned), { return __atomic_fetch_sub(address, value, scope); })
COURSE_CPU_ATOMIC(atomicExch, (int, unsigned, ull, float), {
  T old;
  __atomic_exchange(address, &value, &old, scope);
  return old;
})
COURSE_CPU_ATOMIC(atomicMin, (int, unsigned, ull, long long), {
  return course_cpu::atomic_update<scope>(address,
                                          [=](T old) { return value < old ? value : old; });
})
COURSE_CPU_ATOMIC(atomicMax, (int, unsigned, ull, long long), {
  return course_cpu::atomic_update<scope>(address,
                                          [=](T old) { return old < value ? value : old; });
})
COURSE_CPU_ATOMIC(atomicInc, (unsigned), {
  return course_cpu::atomic_update<scope>(address,
                                          [=](T old) { return old >= value ? 0 : old + 1; });
})
COURSE_CPU_ATOMIC(atomicDec, (unsigned), {
  return course_cpu::atomic_update<scope>(
      address, [=](T old) { return old == 0 || old > value ? value : old - 1; });
})
COURSE_CPU_ATOMIC(atomicAnd, (int, unsigned, ull),
                  { return __atomic_fetch_and(address, value, scope); })
COURSE_CPU_ATOMIC(atomicOr, (int, unsigned, ull),
                  { return __atomic_fetch_or(address, value, scope); })
COURSE_CPU_ATOMIC(atomicXor, (int, unsigned, ull),
                  { return __atomic_fetch_xor(address, value, scope); })

#undef COURSE_CPU_ATOMIC
#undef COURSE_CPU_ATOMIC_SCOPE

#define COURSE_CPU_ATOMIC_CAS(NAME, SCOPE)                                                         \
  template <class T>                                                                               \
  __device__ COURSE_CPU_INLINE T NAME(T *address, course_cpu::same_as_t<T> expected,               \
                                      course_cpu::same_as_t<T> wanted) {                           \
    static_assert(course_cpu::is_one_of<T, int, unsigned, course_cpu::ull, unsigned short>,        \
                  #NAME " takes a pointer to int, unsigned, unsigned long long or unsigned "       \
                        "short");                                                                  \
    __atomic_compare_exchange(address, &expected, &wanted, false, SCOPE, SCOPE);                   \
    return expected;                                                                               \
  }
COURSE_CPU_ATOMIC_CAS(atomicCAS, course_cpu::device_scope)
COURSE_CPU_ATOMIC_CAS(atomicCAS_block, course_cpu::block_scope)
COURSE_CPU_ATOMIC_CAS(atomicCAS_system, course_cpu::device_scope)
#undef COURSE_CPU_ATOMIC_CAS
#undef COURSE_CPU_TYPES

// ---- single loads and stores, with the memory order of C++ -------------------------------------

enum {
  __NV_ATOMIC_RELAXED,
  __NV_ATOMIC_CONSUME,
  __NV_ATOMIC_ACQUIRE,
  __NV_ATOMIC_RELEASE,
  __NV_ATOMIC_ACQ_REL,
  __NV_ATOMIC_SEQ_CST
};
enum {
  __NV_THREAD_SCOPE_THREAD,
  __NV_THREAD_SCOPE_BLOCK,
  __NV_THREAD_SCOPE_CLUSTER,
  __NV_THREAD_SCOPE_DEVICE,
  __NV_THREAD_SCOPE_SYSTEM
};

template <class T>
__device__ COURSE_CPU_INLINE T __nv_atomic_load_n(T *address, int order,
                                                  int scope = __NV_THREAD_SCOPE_SYSTEM) {
  const bool narrow = scope <= __NV_THREAD_SCOPE_BLOCK;
  const T value = narrow ? __atomic_load_n(address, course_cpu::block_scope)
                         : __atomic_load_n(address, course_cpu::device_scope);
  if (order != __NV_ATOMIC_RELAXED)
    narrow ? __threadfence_block() : __threadfence_system();
  return value;
}

template <class T>
__device__ COURSE_CPU_INLINE void __nv_atomic_store_n(T *address, course_cpu::same_as_t<T> value,
                                                      int order,
                                                      int scope = __NV_THREAD_SCOPE_SYSTEM) {
  const bool narrow = scope <= __NV_THREAD_SCOPE_BLOCK;
  if (order != __NV_ATOMIC_RELAXED)
    narrow ? __threadfence_block() : __threadfence_system();
  narrow ? course_cpu::store_in_block(address, value)
         : __atomic_store_n(address, value, course_cpu::device_scope);
}
