// says: cudaMallocArray
// note: CUDA arrays, the memory of textures
void allocate() { cudaMallocArray(nullptr, nullptr, 16, 16); }
