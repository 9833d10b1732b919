// The heap of kernels: what the translator makes of malloc, free, new and delete in device code.
//
//   malloc(n), free(p)     -> ::course_cpu::heap_malloc(n), ::course_cpu::heap_free(p)
//   new T(x), new T[n]     -> new (::course_cpu::heap) T(x), new (::course_cpu::heap) T[n]
//   delete p, delete[] p   -> ::course_cpu::heap_delete->*p, ::course_cpu::heap_delete_array->*p:
//                             ->* takes as its right operand what delete takes as its own
#pragma once

#include <cstddef>
#include <new>
#include <type_traits>

namespace course_cpu {

// In a __host__ __device__ function that the host calls, memory of the host.
void *heap_malloc(std::size_t bytes); // nullptr: the heap has no room
void heap_free(void *memory);

inline constexpr struct Heap {
} heap;

inline constexpr struct HeapDelete {
  template <class T> void operator->*(T *p) const {
    if (!p)
      return;
    void *memory = const_cast<std::remove_cv_t<T> *>(p);
    if constexpr (std::is_polymorphic_v<T>)
      memory = dynamic_cast<void *>(const_cast<std::remove_cv_t<T> *>(p)); // of the whole object
    if constexpr (!std::is_void_v<T>)
      p->~T();
    heap_free(memory);
  }
} heap_delete;

inline constexpr struct HeapDeleteArray {
  template <class T> void operator->*(T *p) const {
    void *memory = const_cast<std::remove_cv_t<T> *>(p);
    // If elements have destructors, compilers put their number before the first one.
    if constexpr (!std::is_void_v<T> && !std::is_trivially_destructible_v<T>) {
      if (!p)
        return;
      for (std::size_t i = static_cast<const std::size_t *>(memory)[-1]; i-- > 0;)
        p[i].~T();
      constexpr std::size_t before =
          sizeof(std::size_t) > alignof(T) ? sizeof(std::size_t) : alignof(T);
      memory = static_cast<char *>(memory) - before;
    }
    heap_free(memory);
  }
} heap_delete_array;

} // namespace course_cpu

inline void *operator new(std::size_t bytes, course_cpu::Heap) noexcept {
  return course_cpu::heap_malloc(bytes);
}
inline void *operator new[](std::size_t bytes, course_cpu::Heap) noexcept {
  return course_cpu::heap_malloc(bytes);
}
