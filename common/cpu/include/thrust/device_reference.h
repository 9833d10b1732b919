#pragma once
#include "memory.h"
