// says: cudaMalloc3D
// note: three dimensions
int main() { cudaMalloc3D(nullptr, {}); }
