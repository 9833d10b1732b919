#pragma once
#include "algorithm.h"
#include "grouping.h"
