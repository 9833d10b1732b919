// expect: fail value
// Brings the main of the worker, too.
#include "tests/grader/twice.hpp"

extern "C" int learner_main(int, char **) { return 0; }

int twice(int, const int *, int *) { return 0; }

int main() { return 0; }
