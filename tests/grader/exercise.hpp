// Which exercise a judge is for. exercise.cpp is compiled for each judge, the rest once for all.
#pragma once

namespace course {

struct ThisExercise {
  const char *name;     // "03-add-list/axpby"
  const char *function; // "axpby"
  const char *contract; // path of its header
  bool with_nccl;       // its programs are linked with NCCL
};

extern const ThisExercise this_exercise;

} // namespace course
