// says: cudaTextureObject_t
// note: textures: a kernel reads
__global__ void kernel(cudaTextureObject_t texture, float* out) { *out = 0; }
