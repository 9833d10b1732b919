// says: 'texture'
// note: not in CUDA 12 either
texture<float> table;
