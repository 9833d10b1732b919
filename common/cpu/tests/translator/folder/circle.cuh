#pragma once
#include "circle2.cuh"
inline void circle() { kernel<<<1, 2>>>(); }
