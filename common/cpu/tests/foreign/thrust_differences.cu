// Thrust: generate, adjacent_difference, find_if, is_sorted; untyped device memory; thrust::random.
#include <cstdio>
#include <thrust/adjacent_difference.h>
#include <thrust/copy.h>
#include <thrust/detail/type_traits.h>
#include <thrust/device_free.h>
#include <thrust/device_malloc.h>
#include <thrust/device_vector.h>
#include <thrust/find.h>
#include <thrust/generate.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/random.h>
#include <thrust/sort.h>

struct Squares {
  int next = 0;
  __host__ __device__ thrust::tuple<int, float> operator()() {
    ++next;
    return thrust::make_tuple(next * next, 0.5f * next);
  }
};

struct Above {
  int limit;
  __host__ __device__ bool operator()(int value) const { return value > limit; }
};

int main() {
  constexpr int count = 100;
  thrust::device_vector<int> squares(count), differences(count);
  thrust::device_vector<float> halves(count);
  thrust::generate(thrust::make_zip_iterator(thrust::make_tuple(squares.begin(), halves.begin())),
                   thrust::make_zip_iterator(thrust::make_tuple(squares.end(), halves.end())),
                   Squares());
  bool ok = squares[9] == 100 && halves[9] == 5.0f;

  thrust::adjacent_difference(squares.begin(), squares.end(), differences.begin());
  ok &= differences[0] == 1 && differences[50] == 101;
  ok &= thrust::is_sorted(squares.begin(), squares.end());
  ok &= thrust::find_if(squares.begin(), squares.end(), Above{49}) - squares.begin() == 7;

  const thrust::device_ptr<void> untyped = thrust::device_malloc(count * sizeof(int));
  thrust::device_ptr<int> odd(static_cast<int *>(untyped.get()));
  auto end = thrust::copy_if(thrust::make_counting_iterator(0), thrust::make_counting_iterator(6),
                             differences.begin(), odd, cuda::std::identity());
  ok &= end - odd == 6 && odd[5] == 5;
  thrust::device_free(untyped);

  thrust::default_random_engine engine(7);
  thrust::random::uniform_real_distribution<float> uniform(2, 3);
  thrust::host_vector<float> random(count);
  thrust::generate(random.begin(), random.end(), [&] { return uniform(engine); });
  ok &= !thrust::is_sorted(random.begin(), random.end());
  thrust::sort(random.begin(), random.end());
  ok &= random[0] >= 2 && random[0] < 2.2f && random[count - 1] < 3 && random[count - 1] > 2.8f;
  std::puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
