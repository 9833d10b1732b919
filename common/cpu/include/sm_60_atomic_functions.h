// Atomic functions, which every .cu file has without asking.
#pragma once

#include "cuda_runtime.h"
