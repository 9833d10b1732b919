// Nothing here begins a function inside another one.
#define GIVE(type, name) type name() {
#define END }

GIVE(int, seven)
  return 7;
END

struct Outer {
  int value() { return 1; }
  struct Inner {
    int value() { return 2; }
  };
};

namespace inner {
extern "C" {
int in_c(void) { return 3; }
}
} // namespace inner

int main() {
  struct Local {
    int operator()(int x) const { return x; }
    static int twice(int x) { return 2 * x; }
    void nothing() {}
  } local;
  const auto plain = [](int x) { return x; };
  const auto typed = [&](int x) -> int {
    int y(x);
    if (int z = plain(y)) {
      return z;
    }
    return 0;
  };
  int sum = 0, list[]{1, 2};
  for (int x : list) {
    sum += x;
  }
#if 1
  if (sum > 0) {
#else
  if (sum < 0) {
#endif
    sum = int(typed(sum)) + unsigned(local(sum));
  }
  switch (int x(sum); x) {
  case 1: {
    return Local::twice(1);
  }
  default: {
    return [] { return 0; }();
  }
  }
}
