// says: 'texture' does not name a type
// note: CUDA 12 has none, either
texture<float, 1, cudaReadModeElementType> table;
