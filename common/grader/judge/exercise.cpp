#include "common/grader/judge/exercise.hpp"

#include "common/grader/judge/environment.hpp"

#include <algorithm>

namespace course {

const ThisExercise &this_exercise() {
  static const ThisExercise exercise = [] {
    const std::string name = variable("COURSE_EXERCISE");
    std::string function = name.substr(name.find('/') + 1);
    std::replace(function.begin(), function.end(), '-', '_');
    const std::string library = variable("COURSE_LIBRARY");
    if (!library.empty())
      function = "python_script"; // python_script.hpp
    return ThisExercise{name, function, variable("COURSE_CONTRACT"),
                        !variable("COURSE_WITH_NCCL").empty(), library};
  }();
  return exercise;
}

} // namespace course
