// says: mma.h
#include <mma.h>
