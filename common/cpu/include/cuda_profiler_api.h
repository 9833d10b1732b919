// cudaProfilerStart and cudaProfilerStop.
#pragma once

#include "course_cpu/api.h"
