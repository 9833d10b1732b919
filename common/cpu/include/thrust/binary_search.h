#pragma once
#include "searching.h"
