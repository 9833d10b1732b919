// Classes whose operator() is host code are marked, once each.
#define HD __host__ __device__
struct OfHost { float limit; bool operator()(float x) const { return x > limit; } };
struct OfBoth {
  __host__ __device__ bool operator()(float x) const { return x > 0; }
};
struct Overloaded {
  bool operator()(float x) const { return x > 0; }
  __device__ bool operator()(double x) const { return x > 0; }
};
struct Perhaps {
  HD bool operator()(float x) const { return x > 0; }
};
struct Constant {
  constexpr bool operator()(float x) const { return x > 0; }
};
class Twice {
public:
  template <class T> std::size_t operator()(T x) { return x; }
  __host__ double operator()(double x);
  Twice operator+(Twice other) const { return other; }
};
