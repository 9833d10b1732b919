// The special functions of C++17, where a file calls one (the translator asks for them): types.h
// leaves them out.
#pragma once

#include <cmath>
#if __has_include(<bits/specfun.h>)
#define _GLIBCXX_USE_STD_SPEC_FUNCS 1
#include <bits/specfun.h>
#endif
