// Specification of exercise 18-python-interop/dangling-view.
#pragma once

#include "exercises/18-python-interop/answer.hpp"

// Asks for a module of Python, heat:
//
//   heat.Field(count, value)  an object with memory for `count` floats, all of them `value`
//   .part(first, count)       another Field, of a part of the same memory
//   .__dlpack__()             a capsule, from which np.from_dlpack makes an array without a copy
//   heat.living()             how many memories are not freed, and how many views (of DLPack)
//
// The memory lives as long as one of its fields, arrays and capsules, and no longer; so does what
// belongs to a view.
//
// dangling_view runs `script`, which imports heat, in Python, and returns what it gave.
Answer dangling_view(const char *script);
