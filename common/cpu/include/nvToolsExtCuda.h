// NVTX's names for streams and events: none are here.
#pragma once

#include "nvToolsExt.h"
