#pragma once
#include "grouping.h"
