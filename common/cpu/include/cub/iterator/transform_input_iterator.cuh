// An older name of Thrust's iterator, which CUB of CUDA 13 has no more.
#pragma once

#include "../../thrust/iterator/transform_iterator.h"

COURSE_CPU_BOTH_SPACES

namespace cub {

// Its values have the type that the function returns.
template <class, class Function, class Iterator>
using TransformInputIterator = thrust::transform_iterator<Function, Iterator>;

} // namespace cub

COURSE_CPU_BOTH_SPACES_END
