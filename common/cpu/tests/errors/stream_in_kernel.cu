#include <iostream>
__global__ void hello() { std::cout << "hello from " << threadIdx.x << "\n"; }
int main() { hello<<<1, 32>>>(); }
