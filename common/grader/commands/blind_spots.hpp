// Finds code that the instrumented program does not see: inline assembly and attributes that switch
// the instrumentation off; if loads and stores are counted, also code that merges many accesses
// into one, and C functions that copy memory.
#pragma once

#include <istream>
#include <string>

namespace course {

// The first of it, as a compiler reports an error; empty: there is none. `preprocessed`: the source
// file after the preprocessor.
std::string blind_spot(const std::string &source, bool counted, std::istream &preprocessed);

} // namespace course
