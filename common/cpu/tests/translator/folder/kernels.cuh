#pragma once
#include "plain.hpp"
#include "../folder/inner.cuh"
