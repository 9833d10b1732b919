// The exercises of a registry; common/cmake/registry.cmake says what its fields mean.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace course {

struct Exercise {
  std::string lesson, name;            // "03-add-list", "axpby"
  std::string header = "";             // that declares its function: a path from the root
  std::string answers = "";            // its known answers: a folder, from the root
  bool counted = false;                // its judge limits loads and stores
  std::vector<std::string> needs = {}; // libraries
  std::vector<std::string> uses = {};  // earlier exercises, as "07-reduction/norm"
  int points = 1;

  std::string full_name() const { return lesson + "/" + name; }
  // The learner's program is in Python, and calls the library of exercises/NN-slug/NAME.cu.
  bool in_python() const { return is_linked_with("python"); }
  // Below exercises/ and solutions/.
  std::string file() const { return full_name() + (in_python() ? ".py" : ".cu"); }
  bool is_linked_with(const std::string &library) const {
    return std::find(needs.begin(), needs.end(), library) != needs.end();
  }

  // Built by CMake (judge.cmake): its judge, and the archive with the worker's main, which every
  // submission is linked with; in Python the library that a submission calls.
  std::filesystem::path judge() const;
  std::filesystem::path harness() const;

  // A program without a fault that starts MPI, where the exercise needs it; empty: none.
  std::filesystem::path control() const;

  // The header that declares its function; there is none where it is about a whole program.
  std::filesystem::path contract() const;
};

// The course's own, whose form CMake has tested.
constexpr char course_registry[] = COURSE_ROOT "/common/cmake/registry.json";

// In another registry a line may also have `contract` and `answers`: where the course's exercises
// have exercises/NN-slug/NAME.hpp and tests/NN-slug/NAME.
std::vector<Exercise> all_exercises(const std::filesystem::path &registry = course_registry);

} // namespace course
