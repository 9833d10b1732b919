// Specification of exercise 18-python-interop/wrap-norm.
#pragma once

#include "exercises/18-python-interop/answer.hpp"

// Asks for a module of Python, heat, with one function:
//
//   heat.norm(a, b)   the square root of the sum of (a - b)^2, a float
//
// a, b: arrays of float32, of the same shape, contiguous, in memory that the host can read. They
// may have no dimension, which is one element. They may be read-only, or empty: then the norm is 0.
// Anything else is refused before a kernel runs:
//
//   TypeError     elements of another type: its text has "float32" in it
//   ValueError    memory that only a device can read: its text has "device" in it; gaps between the
//                 elements; shapes that differ; more elements than an int counts
//   RuntimeError  CUDA fails before norm() is called: its text is CUDA's own, as "no CUDA-capable
//                 device is detected"
//
// Other threads of Python run while the norm is computed.
//
// wrap_norm runs `script`, which imports heat, in Python, with NumPy arrays a and b of the n
// numbers each, and returns what it gave.
Answer wrap_norm(const char *script, const float *a, const float *b, int n);
