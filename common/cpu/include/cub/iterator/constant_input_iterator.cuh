// An older name of Thrust's iterator, which CUB of CUDA 13 has no more.
#pragma once

#include "../../thrust/iterator/constant_iterator.h"

COURSE_CPU_BOTH_SPACES

namespace cub {

template <class T, class = std::ptrdiff_t>
using ConstantInputIterator = thrust::constant_iterator<T>;

} // namespace cub

COURSE_CPU_BOTH_SPACES_END
