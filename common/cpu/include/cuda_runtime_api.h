// The host side of CUDA's runtime API.
#pragma once

#include "course_cpu/api.h"
