// CUDA's specifiers.
#pragma once

#include "course_cpu/qualifiers.h"
