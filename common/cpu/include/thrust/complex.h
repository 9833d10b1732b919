// Complex numbers: those of C++.
#pragma once

#include <complex>

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
