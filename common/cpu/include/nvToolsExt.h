// NVTX, where it lay before its third version.
#pragma once

#include "nvtx3/nvToolsExt.h"
