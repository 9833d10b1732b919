// What the checkers and the libraries include of the runtime.
#pragma once

#include "allocations.h"
#include "capture.h"
