template <class T> std::ostream &operator<< <>(std::ostream &out, const A<T> &a);
void blanks() {
  plain << < 4, 256 >> > (x);
  typed<float> << <n >> 8, 256 >> >(x, n << 2, f<A<int>, 0, 1>(0), n < 0, 0);
  plain<<</* blocks */ 4, 256 >>
      >(x);
  nested<A<B<int> > ><<<A<B<C<int>> >::value, 256>>>(x);
  cout << n << 3 << A < 4;
}
#define BLANKS(kernel) kernel << < 4, 256 >> > (x)
