// CUDA's plain types.
#pragma once

#include "course_cpu/types.h"
