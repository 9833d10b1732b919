// says: cudaTextureObject_t
// note: textures: read the array
__global__ void kernel(cudaTextureObject_t texture, float* out) { *out = 0; }
