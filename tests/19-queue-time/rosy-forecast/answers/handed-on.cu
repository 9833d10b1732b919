// expect: pass
// Each job has the weight 1/n. Who is cancelled hands it on, in equal parts, to those that have
// waited for longer: the same estimate (Efron, 1967).
#include "exercises/19-queue-time/rosy-forecast.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

double rosy_forecast(int n, const int *waited, const int *started, double share) {
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    return waited[a] != waited[b] ? waited[a] < waited[b] : started[a] > started[b];
  });
  double weight = 1.0 / n, sum = 0; // of each of those that are left; of those that have started
  for (int i = 0; i < n; ++i)
    if (!started[order[i]]) {
      if (i + 1 < n)
        weight += weight / (n - i - 1);
    } else if ((sum += weight) >= share) {
      return waited[order[i]];
    }
  return -1;
}

int main() {}
