// Thrust: vectors, algorithms on them, and on plain device memory.
#include "cuda_test.hpp"

#include <numeric>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/fill.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>

struct Axpby {
  float a, b;
  __host__ __device__ float operator()(float x, float y) const { return a * x + b * y; }
};

struct Square {
  __host__ __device__ double operator()(float x) const { return static_cast<double>(x) * x; }
};

struct IsOdd {
  __host__ __device__ bool operator()(int i) const { return i % 2 == 1; }
};

__global__ void double_all(int *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] *= 2;
}

TEST_CASE("thrust: vectors of host and device") {
  thrust::host_vector<int> host(5, 3);
  host[4] = 7;
  thrust::device_vector<int> device = host;
  CHECK(device.size() == 5);
  CHECK(device[4] == 7);
  device[0] = 11;
  device.push_back(13);
  const thrust::device_vector<int> other = device;
  double_all<<<1, 32>>>(thrust::raw_pointer_cast(device.data()), static_cast<int>(device.size()));
  host = device;
  CHECK(host == thrust::host_vector<int>(std::vector<int>{22, 6, 6, 6, 14, 26}));
  CHECK(other.back() == 13);
  std::vector<int> plain(6);
  thrust::copy(other.begin(), other.end(), plain.begin());
  CHECK(plain == std::vector<int>{11, 3, 3, 3, 7, 13});
  thrust::device_vector<int> from_plain(plain.begin(), plain.end());
  CHECK(from_plain == other);
  device.resize(8);
  CHECK(device[7] == 0);
}

TEST_CASE("thrust: fill, sequence, transform, reduce") {
  thrust::device_vector<float> x(1000), y(1000);
  thrust::sequence(x.begin(), x.end());
  thrust::fill(y.begin(), y.end(), 2.0f);
  thrust::transform(x.begin(), x.end(), y.begin(), y.begin(), Axpby{2, 3});
  CHECK(y[10] == 26);
  CHECK(thrust::reduce(x.begin(), x.end()) == 499500);
  CHECK(thrust::reduce(x.begin(), x.end(), 0.0f, thrust::maximum<float>()) == 999);
  CHECK(thrust::transform_reduce(x.begin(), x.end(), Square(), 0.0, thrust::plus<double>()) ==
        332833500);
  CHECK(thrust::inner_product(x.begin(), x.end(), y.begin(), 0.0) ==
        2 * 332833500.0 + 6 * 499500.0);
  thrust::transform(x.begin(), x.end(), y.begin(), thrust::negate<float>());
  CHECK(y[3] == -3);
  thrust::sequence(y.begin(), y.end(), 5.0f, 0.5f);
  CHECK(y[4] == 7);
  CHECK(thrust::max_element(x.begin(), x.end()) - x.begin() == 999);
}

TEST_CASE("thrust: sort and scan") {
  thrust::device_vector<int> keys(200), values(200);
  for (int i = 0; i < 200; ++i)
    keys[i] = i * 77 % 200;
  thrust::sequence(values.begin(), values.end());
  thrust::sort_by_key(keys.begin(), keys.end(), values.begin());
  CHECK(keys[0] == 0);
  CHECK(keys[199] == 199);
  CHECK(values[199] * 77 % 200 == 199);
  thrust::sort(keys.begin(), keys.end(), thrust::greater<int>());
  CHECK(keys[0] == 199);
  thrust::inclusive_scan(keys.begin(), keys.end(), values.begin());
  CHECK(values[199] == 19900);
  thrust::exclusive_scan(keys.begin(), keys.end(), keys.begin(), 1000);
  CHECK(keys[0] == 1000);
  CHECK(keys[199] == 1000 + 19900);
}

TEST_CASE("thrust: device memory of one's own, policies, sequences that nobody stores") {
  DeviceArray<int> array(100);
  const thrust::device_ptr<int> begin = thrust::device_pointer_cast(array.data());
  thrust::sequence(begin, begin + 100);
  CHECK(thrust::count_if(begin, begin + 100, IsOdd()) == 50);
  CHECK(thrust::reduce(thrust::device, array.data(), array.data() + 100) == 4950);
  const Stream stream;
  thrust::fill(thrust::cuda::par.on(stream.handle), array.data(), array.data() + 100, 4);
  REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(array.host() == std::vector<int>(100, 4));
  const thrust::counting_iterator<int> numbers(1);
  thrust::copy(numbers, numbers + 100, begin);
  CHECK(array.host()[99] == 100);
  const auto squares = thrust::make_transform_iterator(begin, Square());
  CHECK(thrust::reduce(squares, squares + 100) == 338350);
  std::vector<int> on_host = {3, 1, 2};
  thrust::sort(on_host.begin(), on_host.end());
  CHECK(on_host == std::vector<int>{1, 2, 3});
}

// Works on the device only.
struct SetInKernel {
  int *x;
  __device__ void operator()(int i) const { x[i] = __activemask() != 0 ? i : -1; }
};

TEST_CASE("thrust: iterators without memory go where the others are, else to the device") {
  const thrust::counting_iterator<int> numbers(0);
  DeviceArray<int> array(100, -1);
  thrust::for_each(numbers, numbers + 100, SetInKernel{array.data()});
  CHECK(array.host() == counting<int>(100));
  const thrust::constant_iterator<int> seven(7);
  CHECK(thrust::reduce(seven, seven + 100) == 700);
  std::vector<int> host(100);
  thrust::copy(numbers, numbers + 100, host.begin());
  CHECK(host == counting<int>(100));
  thrust::transform(numbers, numbers + 100, seven, host.begin(), thrust::plus<int>());
  CHECK(host[99] == 106);
}
