// Code that looks like a launch but is not one.
std::ostream& operator<<<int>(std::ostream&, const A<int>&);
template <class T> std::ostream& operator<< <>(std::ostream&, const A<T>&);
template <> std::ostream& operator<<<>(std::ostream&, const A<int>&);
template <class T = A<B<C<int>>>> struct Default {};
A<B<C<int>>> variable(3);
auto call = make<A<B<C<int>>>>(3);
int shifted = 1 << 2 >> 3;
bool less = 1 << 2 < 3 << 4 >= 5;
void f() {
  a <<= 2; a >>= 3; a = b < c; a = b > c; a = b >> c; p->q = a <= b;
  std::cout << a << make<A<B<int>>>(3) << 3 << A < 4;
}
