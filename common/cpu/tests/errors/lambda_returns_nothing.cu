template <class Condition> int count(int n, Condition condition) {
  if (condition(n))
    return 1;
  return 0;
}
int above(int limit) {
  return count(3, [limit](int i) { i > limit; });
}
