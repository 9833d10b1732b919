// Launch bounds that test_launch_bounds.cu gets from a header.
#pragma once

#define BOUNDS __launch_bounds__(THREADS, 2)
