// threadIdx and its kin, which every .cu file has without asking.
#pragma once

#include "course_cpu/types.h"
