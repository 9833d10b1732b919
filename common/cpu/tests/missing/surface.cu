// says: cudaSurfaceObject_t
// note: surfaces: write the array
__global__ void kernel(int n, cudaSurfaceObject_t surface) { surf2Dwrite(n, surface, 0, 0); }
