#define LAUNCH(kernel, n, ...) kernel<<<((n) + 255) / 256, 256>>>(__VA_ARGS__)
#define LAUNCH_IN(kernel, stream, ...) \
  do {                                 \
    kernel<<<4,                        \
             256, 0, stream>>>(__VA_ARGS__); \
    check();                           \
  } while (0)
#define TYPED(T) typed<T, 4><<<4, 256>>>
#define SHAPE 4, 256
#define SHAPED(kernel, ...) kernel<<<__VA_ARGS__>>>
#define OBJECT plain<<<4, 256>>>(x)
#define DYNAMIC(T, name) extern __shared__ T name[];
#define STATIC(T, name, n) __shared__ T name[n];
#define SHARED __shared__
#define SPLICED(T)  several<T, \
   3><<<4, 256>>>(x)
# define INDENTED plain<<<4, 256>>>(x)
#undef INDENTED
void macros() {
  LAUNCH(plain, n, x, y);
  TYPED(float)(x);
  plain<<<SHAPE>>>(x);
  SHARED float later[4];
}
