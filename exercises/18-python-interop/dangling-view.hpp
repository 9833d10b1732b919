// Specification of exercise 18-python-interop/dangling-view.
#pragma once

#include "exercises/18-python-interop/answer.hpp"

// Specifies a Python module, heat:
//
//   heat.Field(count, value)  an object with memory for `count` floats, all of them `value`
//   .part(first, count)       another Field: a part of the same memory
//   .__dlpack__()             a capsule, from which np.from_dlpack makes an array without a copy
//   heat.living()             the number of allocations and of DLPack views that are not yet freed
//
// The memory lives as long as at least one of its fields, arrays or capsules exists, and no longer.
// The same holds for everything that belongs to a view.
//
// dangling_view runs the Python script `script`, which imports heat. Returns the script's result or
// its exception.
Answer dangling_view(const char *script);
