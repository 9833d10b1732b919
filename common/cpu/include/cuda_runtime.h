// CUDA's runtime API and language extensions for programs that the CPU backend runs. As with nvcc,
// every .cu file includes it first without saying so.
#pragma once

#include "course_cpu/qualifiers.h"
#include "course_cpu/types.h"

#include "course_cpu/api.h"
#include "course_cpu/execution.h"
#include "course_cpu/warp.h"

#include "course_cpu/atomics.h"
#include "course_cpu/launch.h"
#include "course_cpu/math.h"
#include "course_cpu/symbols.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
