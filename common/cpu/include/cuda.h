// CUDA_VERSION, for programs of the runtime API that include this header. The driver API is not
// there.
#pragma once

#include "course_cpu/api.h"

#define CUDA_VERSION CUDART_VERSION
#define __cuda_cuda_h__ // other headers look whether NVIDIA's is there
