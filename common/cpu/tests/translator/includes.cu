#include "folder/kernels.cuh"
#include "folder/plain.hpp"
#include "folder/circle.cuh"
#include "searched.cuh"
#include "searched.hpp"
#include "nowhere.hpp"
#include <vector>
#include NAME
# include   "folder/kernels.cuh" // a second time
void includes() { kernel_launcher(); }
