// says: cudaTextureObject_t
__global__ void kernel(cudaTextureObject_t texture, float* out) { *out = 0; }
