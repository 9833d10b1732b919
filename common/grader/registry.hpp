// The exercises of common/cmake/registry.json; registry.cmake says what its fields mean.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace course {

struct Exercise {
  std::string lesson, name;            // "03-add-list", "axpby"
  bool counted = false;                // its judge limits loads and stores
  std::vector<std::string> needs = {}; // libraries
  std::vector<std::string> uses = {};  // earlier exercises, as "07-reduction/norm"
  int points = 1;

  std::string full_name() const { return lesson + "/" + name; }
  bool is_linked_with(const std::string &library) const {
    return std::find(needs.begin(), needs.end(), library) != needs.end();
  }

  // What CMake builds for it (judge.cmake): its judge, and the archive with the worker's
  // main, which every submission is linked with.
  std::filesystem::path judge() const;
  std::filesystem::path harness() const;

  // A program without a fault that starts what the exercise needs, MPI or Python; empty: none.
  std::filesystem::path control() const;

  // The header that declares its function; there is none where it is about a whole program.
  std::filesystem::path contract() const;
};

// Those of the course, whose form CMake has tested, and those of the grader's own tests.
std::vector<Exercise> all_exercises();

} // namespace course
