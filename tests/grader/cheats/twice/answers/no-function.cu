// expect: fail compile
// Has a main that returns 0, and nothing else.
#include "tests/grader/twice.hpp"

int main() { return 0; }
