// k<<<1, 2>>>(x); extern __shared__ float s[];
/* k<<<1, 2>>>(x);
   __shared__ float s[4]; */
// a comment that goes on \
k<<<1, 2>>>(x);
const char* a = "k<<<1, 2>>>(x)";
const char* b = "\"k<<<1, 2>>>(x)\\";
const char* c = "over \
two k<<<1, 2>>>(x) lines";
const char* d = R"(k<<<1, 2>>>(x) ")";
const char* e = R"cuda(
k<<<1, 2>>>(x) )" __shared__ float s[4];
)cuda";
auto f = u8"k<<<1, 2>>>(x)" u8R"(k<<<1, 2>>>(x))" LR"x(k<<<1, 2>>>(x))x";
char g = '"', h = '\'', i = L'<', j = '\\';
int numbers = 1'000'003 + 0x1'F + 0b1'1; double reals = 1e+3 + 0x1p-3 + .5e-3f + 1'0.5;
char k0 = u8'"'; int k1 = 1'0; char k2 = '"';
#error it's k<<<1, 2>>>(x)
#if k<<<1
#endif
#pragma message("k<<<1, 2>>>(x)")
#include <k<<<1, 2>>>(x)>
#if 0
don't translate k<<<?>>>(x)
#if 1
#else
extern __shared__ nothing
#endif
# elif 1
plain<<<1, 2>>>(x);
#endif
void after() { plain<<<1, 2>>>(x); }
