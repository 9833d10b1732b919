struct Point {
  float x, y;
};
int floor_division(int n, int block) {
  int blocks = n // block;
  return blocks;
}
int inner_floor_division(int n, int block) {
  int blocks = (n // block);
  return blocks;
}
int conditional(int n) {
  int m = n if n > 0 else 0;
  return m;
}
void slice(float *out, const float *a) {
  out = a[1:3];
}
void colon(int &count) {
  if (count < 3):
    count += 1;
}
int body(const float *x, int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i)
    sum += x[i];
    sum += x[i];
  return sum;
}
void undeclared(int n) {
  m = n;
}
void add(const float *x, int n, float *all) {
  all = sum(x);
}
void through_pointer(const float *x, float *first) {
  first = x[0];
}
void other_place(const float *x, float *first) {
  first = x + 1;
}
void whole(const float *x) {
  for (float value : x)
    (void)value;
}
float with_value(const float *x, int i, int j) {
  return x[i, j];
}
void no_value(int n) {
  return n;
}
void widen(float &low, float &high) {}
void by_pointer(float *low, float *high) {
  widen(low, high);
}
untyped(int n) { return n; }
int half(n) { return n / 2; }
Point constructed(float x) {
  return Point(x, x);
}
Point two(float x) {
  return x, x;
}
Point narrow(double x) {
  return {x, 0};
}
int forgotten(int n) {
  n = n + 1;
}
template <class Condition> int count(int n, Condition condition) { return condition(n) ? 1 : 0; }
int not_captured(int limit) {
  return count(3, [](int i) { return i > limit; });
}
int of_python(int limit) {
  return count(3, lambda i: i > limit);
}
int no_type(int limit) {
  return count(3, [limit](i) { return i > limit; });
}
int no_template(int n, Kind condition) { return condition(n) ? 1 : 0; }
int no_function(int n, bool condition) { return condition(n) ? 1 : 0; }
long long cast(int n) {
  return long long(n) * n + int64(n);
}
void method(float *x) {
  x.append(1);
}
void copied_back(float *d_x) {
  d_x.copy_to_host();
}
void branches(int n) {
  int m = 0;
  if (n < 3) m = 1
  elif (n < 5) m = 2;
}
void take(float *x) { *x = 1; }
void give(float *x) {
  take(&x);
}
template <class Condition> bool not_called(Condition condition) { return condition; }
bool asks(float limit) {
  return not_called([limit](float x) { return x > limit; });
}
__global__ void not_its_own(int *i) {
  *i = threadIdx.x + block;
}
void rank_of(int comm, int *rank) { *rank = comm; }
int no_address() {
  int rank = MPI.COMM_WORLD.rank;
  rank_of(0, rank);
  return rank;
}
