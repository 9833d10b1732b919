extern int __shared__ at_file_scope[];
template <class T> __global__ void orders() {
  extern unsigned int __shared__ dynamic[];
  extern std::pair<int, T> volatile __shared__ pairs[], *pointers[];
  __shared__ extern float last[];
  float __shared__ tile[32], other[4];
  typename A<T>::type __shared__ named;
  switch (n) {
  case 1:
    A<T> __align__(16) __shared__ aligned;
  }
}
