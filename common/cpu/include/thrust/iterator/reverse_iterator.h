#pragma once
#include "../iterators.h"
