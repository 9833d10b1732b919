// says: atomicAdd
__global__ void kernel(long long* x) { atomicAdd(x, 1ll); }
