// says: cudaSurfaceObject_t
// note: surfaces: a kernel writes
__global__ void kernel(int n, cudaSurfaceObject_t surface) { surf2Dwrite(n, surface, 0, 0); }
