// Tuples and pairs: those of C++.
#pragma once

#include <tuple>
#include <utility>

COURSE_CPU_BOTH_SPACES

namespace thrust {

using std::get;
using std::make_pair;
using std::make_tuple;
using std::pair;
using std::tie;
using std::tuple;
using std::tuple_element;
using std::tuple_size;

} // namespace thrust

COURSE_CPU_BOTH_SPACES_END
