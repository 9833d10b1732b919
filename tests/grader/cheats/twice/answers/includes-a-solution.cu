// expect: fail compile
// Takes the solution of an exercise.
#define main solved
#include "solutions/03-add-list/axpby.cu"
#undef main
#include "tests/grader/twice.hpp"

int twice(int, const int *, int *) { return 0; }

int main() { return 0; }
