// Specification of exercise 18-python-interop/wrap-norm.
#pragma once

#include "exercises/18-python-interop/answer.hpp"

// Specifies a Python module, heat, with one function:
//
//   heat.norm(a, b)   the square root of the sum of (a - b)^2, a float
//
// a, b: contiguous float32 arrays of the same shape, in memory that the host can read. They may be
// read-only. An array without dimensions has one element. The norm of empty arrays is 0. All other
// arguments raise an exception before a kernel runs:
//
//   TypeError     elements of another type; the text contains "float32"
//   ValueError    memory that only a device can read; the text contains "device"
//                 gaps between the elements; different shapes; more elements than an int can count
//   RuntimeError  a CUDA call fails before norm() is called; the text is CUDA's own, for example
//                 "no CUDA-capable device is detected"
//
// Other Python threads run while the norm is computed.
//
// wrap_norm runs the Python script `script`, which imports heat. The script finds two NumPy arrays,
// a and b, with n numbers each. Returns the script's result or its exception.
Answer wrap_norm(const char *script, const float *a, const float *b, int n);
