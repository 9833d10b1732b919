// Lesson 11: what you need not write. The rows of a CSV file are grouped by station, with the sum
// and the mean of each group: calls of Thrust, and no kernel.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/11-libraries/libraries.cu -o libraries
// Run:   ./libraries [rows | FILE.csv]   (the file: a header line, then lines "station,wind")
#include "common/arguments.hpp"
#include "common/device.hpp"
#include "common/figures.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"
#include "lessons/11-libraries/csv.hpp"

#include <cmath>
#include <cstdio>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <unordered_map>

struct Groups { // in the order of the stations; only the first `found` elements of each list count
  size_t found;
  thrust::host_vector<int> station, count;
  thrust::host_vector<double> sum, mean;
};

Groups group_by(const Rows &rows) {
  const size_t n = rows.station.size();
  thrust::device_vector<int> station(n), count(n);
  thrust::device_vector<double> sum(n), mean(n);
  // [group-by]
  thrust::device_vector<int> keys = rows.station; // allocates, and copies from the host
  thrust::device_vector<double> values = rows.wind;
  thrust::sort_by_key(keys.begin(), keys.end(), values.begin());
  const auto ends =
      thrust::reduce_by_key(keys.begin(), keys.end(), values.begin(), station.begin(), sum.begin());
  thrust::reduce_by_key(keys.begin(), keys.end(), thrust::constant_iterator<int>(1),
                        thrust::make_discard_iterator(), count.begin());
  thrust::transform(sum.begin(), ends.second, count.begin(), mean.begin(),
                    thrust::divides<double>());
  // [end]
  const size_t found = ends.first - station.begin();
  for (auto *list : {&station, &count})
    list->resize(found); // only the groups go back to the host
  for (auto *list : {&sum, &mean})
    list->resize(found);
  return {found, station, count, sum, mean};
}

// The reference: one thread of the host, and a hash table.
struct Group {
  int count = 0;
  double sum = 0, sum_of_sizes = 0; // the second one: of |wind|
};
using Reference = std::unordered_map<int, Group>;

Reference hashed(const Rows &rows) {
  Reference groups;
  for (size_t i = 0; i < rows.station.size(); ++i) {
    Group &group = groups[rows.station[i]];
    ++group.count;
    group.sum += rows.wind[i];
    group.sum_of_sizes += std::abs(rows.wind[i]);
  }
  return groups;
}

// Sums may differ by rounding, as each adds the rows of a station in another order.
bool agree(const Groups &got, Reference &want) {
  bool correct = course::verify_value("groups", got.found, want.size());
  for (size_t i = 0; i < got.found && correct; ++i) {
    const Group &group = want[got.station[i]];
    const double rounding = 1e-12 * group.sum_of_sizes;
    correct = course::verify_value("count", got.count[i], group.count) &&
              std::abs(got.sum[i] - group.sum) <= rounding &&
              std::abs(got.mean[i] - group.sum / group.count) <= rounding / group.count;
    if (!correct)
      std::printf("  station %d: sum %.10g, mean %.10g; reference: sum %.10g, count %d\n",
                  got.station[i], got.sum[i], got.mean[i], group.sum, group.count);
  }
  return correct;
}

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 1, "[rows | FILE.csv]");
  course::print_device();
  const bool is_file = argc == 2 && std::string(argv[1]).find('.') != std::string::npos;
  const long count = is_file
                         ? 0
                         : course::count_argument(argc, argv, 1, "rows",
                                                  course::size(10'000'000, 200'000), 200'000'000);
  const std::string text = is_file ? file_text(argv[1]) : made_up_csv(count);

  Rows rows;
  const double parsing = course::host_seconds(1, [&] { rows = parsed(text); });
  Reference want;
  const double hashing = course::host_seconds(1, [&] { want = hashed(rows); });
  Groups got = group_by(rows); // the first call also loads Thrust's kernels
  const double grouping = course::host_seconds(course::size(5, 1), [&] { got = group_by(rows); });

  const double n = rows.station.size();
  std::printf("%.0f rows, %zu stations\n\n", n, want.size());
  course::figure("text to numbers, 1 core", 1e-6 * n / parsing, "Mrows/s", 0, "", parsing);
  course::figure("group-by, 1 core, hash table", 1e-6 * n / hashing, "Mrows/s", 0, "", hashing);
  course::figure("group-by, Thrust, with copies", 1e-6 * n / grouping, "Mrows/s", 0, "", grouping);
  const bool correct = agree(got, want);
  std::puts("");
  return course::verdict(correct);
}
