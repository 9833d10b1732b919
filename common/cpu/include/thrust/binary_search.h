#pragma once
#include "algorithm.h"
