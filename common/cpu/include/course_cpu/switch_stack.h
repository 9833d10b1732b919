// Leaves one stack and continues another: the whole of a "context switch" between CUDA threads.
//
// A stopped stack is known by one pointer. At that address lies the address of the code to continue
// with; what that code needs lies above. The asm is inlined and names every register as clobbered,
// so the compiler itself saves what is live at this place, which is little. It continues with a
// jump and not a return: the processor predicts returns by call order, and switches break that
// order.
//
// A trap for maintainers: switch_stack may stop in one fiber and continue in another one that was
// stopped in a different place. The compiler must keep nothing in registers across it, so every
// register that a new instruction set adds belongs in the list. A fiber must not keep a value of
// thread-local state across it; the OS thread stays the same.
#pragma once

#define COURSE_CPU_INLINE inline __attribute__((always_inline))

namespace course_cpu {

#if defined(__x86_64__)

#ifdef __APX_F__
#error switch_stack does not clobber the registers r16 to r31 that APX adds: compile without -mapxf
#endif

#ifdef __AVX512F__
#define COURSE_CPU_AVX512_REGISTERS                                                                \
  , "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25",      \
      "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31", "k0", "k1", "k2", "k3", "k4", "k5",    \
      "k6", "k7"
#else
#define COURSE_CPU_AVX512_REGISTERS
#endif

// Stores in `stopped` where this stack can be continued, and continues `next`, which is read after
// that: both may be one variable.
// The first instruction steps over the red zone, which a leaf function may use below its stack
// pointer; rbx and rbp are pushed because compilers reserve them in some functions.
COURSE_CPU_INLINE void switch_stack(void *&stopped, void *const &next) {
  void **save = &stopped;
  void *const *load = &next;
  asm volatile("lea -128(%%rsp), %%rsp\n\t"
               "push %%rbp\n\t"
               "push %%rbx\n\t"
               "lea 1f(%%rip), %%rax\n\t"
               "push %%rax\n\t"
               "mov %%rsp, (%0)\n\t"
               "mov (%1), %%rsp\n\t"
               "pop %%rax\n\t"
               "jmp *%%rax\n"
               "1:\n\t"
               "pop %%rbx\n\t"
               "pop %%rbp\n\t"
               "lea 128(%%rsp), %%rsp"
               : "+D"(save), "+S"(load)
               :
               : "rax", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0",
                 "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10",
                 "xmm11", "xmm12", "xmm13", "xmm14", "xmm15" COURSE_CPU_AVX512_REGISTERS, "cc",
                 "memory");
}
#undef COURSE_CPU_AVX512_REGISTERS

// Continues `next`; this stack is given up.
[[noreturn]] inline void jump_to_stack(void *next) {
  asm volatile("mov %0, %%rsp\n\t"
               "pop %%rax\n\t"
               "jmp *%%rax"
               :
               : "r"(next)
               : "memory");
  __builtin_unreachable();
}

#elif defined(__aarch64__)

#ifdef __ARM_FEATURE_SVE
#define COURSE_CPU_SVE_REGISTERS                                                                   \
  , "p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8", "p9", "p10", "p11", "p12", "p13", "p14", \
      "p15"
#else
#define COURSE_CPU_SVE_REGISTERS
#endif

COURSE_CPU_INLINE void switch_stack(void *&stopped, void *const &next) {
  register void **save asm("x0") = &stopped;
  register void *const *load asm("x1") = &next;
  asm volatile("adr x2, 1f\n\t"
               "stp x29, x19, [sp, #-16]!\n\t"
               "stp x2, xzr, [sp, #-16]!\n\t"
               "mov x3, sp\n\t"
               "str x3, [x0]\n\t"
               "ldr x3, [x1]\n\t"
               "mov sp, x3\n\t"
               "ldp x2, xzr, [sp], #16\n\t"
               "br x2\n"
               "1:\n\t"
               "ldp x29, x19, [sp], #16"
               : "+r"(save), "+r"(load)
               :
               : "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14",
                 "x15", "x16", "x17", "x18", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27",
                 "x28", "x30", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10",
                 "v11", "v12", "v13", "v14", "v15", "v16", "v17", "v18", "v19", "v20", "v21", "v22",
                 "v23", "v24", "v25", "v26", "v27", "v28", "v29", "v30",
                 "v31" COURSE_CPU_SVE_REGISTERS, "cc", "memory");
}
#undef COURSE_CPU_SVE_REGISTERS

[[noreturn]] inline void jump_to_stack(void *next) {
  asm volatile("mov sp, %0\n\t"
               "ldp x2, xzr, [sp], #16\n\t"
               "br x2"
               :
               : "r"(next)
               : "x2", "memory");
  __builtin_unreachable();
}

#else
#error "the CPU backend switches stacks on x86-64 and aarch64 only"
#endif

// Makes a stopped stack that starts `entry` when it is continued. `top` is one past the stack's
// highest byte, a multiple of 16. `entry` must not return: nothing called it.
inline void *new_stack(void *top, void (*entry)()) {
  void **stack = static_cast<void **>(top) - 4;
  stack[0] = reinterpret_cast<void *>(entry);
  stack[1] = nullptr; // on x86-64 the return address of `entry`: backtraces end here
  return stack;
}

} // namespace course_cpu
