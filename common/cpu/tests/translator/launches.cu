void launches() {
  plain<<<4, 256>>>(n, x);
  none<<<1, 1>>>();
  all<<<dim3(1, 2), dim3(32, f(8, 4)), n * sizeof(float), stream>>>(x);
  nested<std::vector<std::pair<int, float>>><<<4, 256>>>(x);
  ::global<A<int>, (3 > 2)><<<4, 256>>>(x);
  shift<1 << 4><<<4, 256>>>(x);
  less<N < 4><<<4, 256>>>(x);
  T::template member<3><<<4, 256>>>(x);
  (parenthesised)<<<4, 256>>>(x);
  object->inner.pointer<<<4, 256>>>(x);
  table.at(1)[2]<<<4, 256>>>(x);
  if (n > 0) (parenthesised)<<<4, 256>>>(x);
  if (n > 0) plain<<<4, 256>>>(x); else plain<<<8, 256>>>(x);
  for (int i = 0; i < n; ++i) ::plain<<<4, 256>>>(x + i);
  first<<<1, 2>>>(x), second<<<3, 4>>>(y);
  check((plain<<<4, 256>>>(x), cudaGetLastError()));
  auto later = [&] { plain<<<4, 256>>>(x); };
  outer<<<1, [] { inner<<<1, 2>>>(1); return 3; }()>>>([] { inner<<<4, 5>>>(2); return 6; }());
}
