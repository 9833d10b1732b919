// says: this_cluster
#include <cooperative_groups.h>
__global__ void kernel() { cooperative_groups::this_cluster().sync(); }
