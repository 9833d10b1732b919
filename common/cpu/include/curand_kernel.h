// The part of cuRAND for kernels that the CPU backend has: XORWOW and Philox4_32_10. What is
// missing fails at compile time with its name.
#pragma once

#include "course_cpu/random.h"
#include "curand.h"

COURSE_CPU_BOTH_SPACES

using curandStateXORWOW_t = course_cpu::Xorwow;
using curandStateXORWOW = course_cpu::Xorwow;
using curandState_t = course_cpu::Xorwow;
using curandState = course_cpu::Xorwow;
using curandStatePhilox4_32_10_t = course_cpu::Philox;
using curandStatePhilox4_32_10 = course_cpu::Philox;

using course_cpu::curand;
using course_cpu::curand4;
using course_cpu::curand_init;
using course_cpu::curand_uniform;
using course_cpu::curand_uniform4;

COURSE_CPU_BOTH_SPACES_END
