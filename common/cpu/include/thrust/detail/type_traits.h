// No header for programs; some include it, and need no more of it than this.
#pragma once

#include <type_traits>
