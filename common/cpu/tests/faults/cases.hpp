// A family of programs in one file: PROGRAM CASE runs one of them, PROGRAM CASE fixed its corrected
// twin.
#pragma once

#include "array.hpp"

#include <cstdio>
#include <map>
#include <string>

using Case = void (*)(bool fixed);

inline std::map<std::string, Case> &cases() {
  static std::map<std::string, Case> all;
  return all;
}

// CASE(name) { ... } defines a case. `fixed`: whether this run is that of the twin.
#define CASE(name)                                                                                 \
  static void name(bool fixed);                                                                    \
  static const bool registered_##name = cases().emplace(#name, name).second;                       \
  static void name([[maybe_unused]] bool fixed)

int main(int argc, char **argv) {
  const auto found = cases().find(argc > 1 ? argv[1] : "");
  if (found == cases().end()) {
    for (const auto &known : cases())
      std::printf("%s\n", known.first.c_str());
    return 2;
  }
  found->second(argc > 2);
  return cudaDeviceSynchronize();
}
