#include "tests/grader/exercise.hpp"

const course::ThisExercise course::this_exercise{COURSE_EXERCISE, COURSE_FUNCTION, COURSE_CONTRACT,
                                                 COURSE_WITH_NCCL};
