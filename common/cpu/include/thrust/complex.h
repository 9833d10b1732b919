// Complex numbers: those of C++.
#pragma once

#include <complex>

COURSE_CPU_BOTH_SPACES

namespace thrust {

using std::abs;
using std::arg;
using std::complex;
using std::conj;
using std::exp;
using std::log;
using std::norm;
using std::polar;
using std::pow;
using std::sqrt;

} // namespace thrust

COURSE_CPU_BOTH_SPACES_END
