// says: cuda/pipeline
// note: pipelines of copies
#include <cuda/pipeline>
__global__ void kernel() {}
