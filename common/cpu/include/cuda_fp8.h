// Floating-point numbers of 8 bits: e4m3 (largest 448, no infinities) and e5m2 (largest 57344).
// They are for storage: conversions of one number, and nothing to compute with.
#pragma once

#include "course_cpu/small_floats.h"

COURSE_CPU_BOTH_SPACES

using __nv_fp8_storage_t = unsigned char;
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

inline __nv_fp8_storage_t __nv_cvt_double_to_fp8(double value, __nv_saturation_t saturation,
                                                 __nv_fp8_interpretation_t kind) {
  const double largest = kind == __NV_E4M3 ? 448 : 57344;
  if (saturation == __NV_SATFINITE && std::fabs(value) > largest)
    value = std::copysign(largest, value);
  if (kind == __NV_E5M2)
    return static_cast<unsigned char>(course_cpu::small_bits<5, 2>(value));
  if (std::fabs(value) > 464) // rounds to 480, whose bits mean NaN
    return std::signbit(value) ? 0xFF : 0x7F;
  return static_cast<unsigned char>(course_cpu::small_bits<4, 3, false>(value));
}
inline __nv_fp8_storage_t __nv_cvt_float_to_fp8(float value, __nv_saturation_t saturation,
                                                __nv_fp8_interpretation_t kind) {
  return __nv_cvt_double_to_fp8(value, saturation, kind);
}

namespace course_cpu {

template <__nv_fp8_interpretation_t kind> struct EightBits {
  __nv_fp8_storage_t __x;
  EightBits() = default;
  explicit EightBits(double value) : __x(__nv_cvt_double_to_fp8(value, __NV_SATFINITE, kind)) {}
  explicit operator float() const {
    return kind == __NV_E4M3 ? small_value<4, 3, false>(__x) : small_value<5, 2>(__x);
  }
};

} // namespace course_cpu

using __nv_fp8_e4m3 = course_cpu::EightBits<__NV_E4M3>;
using __nv_fp8_e5m2 = course_cpu::EightBits<__NV_E5M2>;

COURSE_CPU_BOTH_SPACES_END
