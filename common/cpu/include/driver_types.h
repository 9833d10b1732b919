// cudaError_t, cudaMemcpyKind and what else the runtime API takes.
#pragma once

#include "course_cpu/api.h"
