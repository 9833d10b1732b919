// Of the driver API its version alone: programs of the runtime API include this header without
// need.
#pragma once

#include "course_cpu/api.h"

#define CUDA_VERSION CUDART_VERSION
