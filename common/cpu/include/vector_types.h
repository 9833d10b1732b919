// float4 and its kin.
#pragma once

#include "course_cpu/types.h"
