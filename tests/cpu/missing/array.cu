// says: cudaMallocArray
void allocate() { cudaMallocArray(nullptr, nullptr, 16, 16); }
