inline __device__ float dot(float3 a, float3 b) { return a.x * b.x; }
inline int macro(int x) { return x; }
