#error "the CPU backend has no tensor cores: mma.h"
