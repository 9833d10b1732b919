// An older name of Thrust's iterator, which CUB of CUDA 13 has no more.
#pragma once

#include "../../thrust/iterator/counting_iterator.h"

COURSE_CPU_BOTH_SPACES

namespace cub {

template <class T> using CountingInputIterator = thrust::counting_iterator<T>;

} // namespace cub

COURSE_CPU_BOTH_SPACES_END
