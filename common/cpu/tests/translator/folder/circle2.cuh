#pragma once
#include "circle.cuh"
