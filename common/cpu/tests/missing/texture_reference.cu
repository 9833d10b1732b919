// says: 'texture'
// note: CUDA 12 has none, either
texture<float> table;
