// The end of a launch: >>> also closes template arguments and shifts to the right.
void ends() {
  k<<<A<B<C<int>>>::value, 256>>>(x);
  k<<<1, A<B<3>>>>>(x);
  k<<<n >> 2, 256 >> 1>>>(x);
  k<<<n < 5 ? 1 : 2, 256>>>(x), j<<<1, 2>>>(y);
  k<<<(n > 5), (a >> b)>>>(x >> 3);
}
