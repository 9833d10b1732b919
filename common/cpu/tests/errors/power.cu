#include <cmath>
long gigabytes() {
  const long bytes = 4 *
                     10^9;
  return bytes + (10 ^ 0x3) + (3 ^ 2);
}
