// Which exercise a judge is asked for: grading.cpp passes it in the environment.
#pragma once

#include <string>

namespace course {

struct ThisExercise {
  std::string name;     // "03-add-list/axpby"
  std::string function; // "axpby"
  std::string contract; // path of its header
  bool with_nccl;       // its programs are linked with NCCL
  std::string library;  // path of what a program in Python calls; empty: it is in CUDA C++
};

const ThisExercise &this_exercise();

} // namespace course
