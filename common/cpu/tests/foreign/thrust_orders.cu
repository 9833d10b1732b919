// Thrust: extrema by a comparison; complex numbers; the version; what the headers bring with them.
#include <thrust/complex.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/host_vector.h>
#include <thrust/sequence.h>
#include <thrust/version.h>

struct CloserToTen {
  __host__ __device__ bool operator()(int a, int b) const {
    return (a - 10) * (a - 10) < (b - 10) * (b - 10);
  }
};

__global__ void multiply(const thrust::complex<float> *a, thrust::complex<float> *b) {
  *b = *a * thrust::conj(*a) + thrust::complex<float>(0, thrust::abs(*a));
}

int main() {
  static_assert(THRUST_MAJOR_VERSION >= 2, "");
  static_assert(sizeof(thrust::tuple_element<1, thrust::tuple<char, int>>::type) == 4, "");
  constexpr int count = 100;
  thrust::host_vector<int> host(count);
  thrust::sequence(host.begin(), host.end());
  const thrust::device_vector<int> device = host;
  bool ok = *thrust::min_element(device.begin(), device.end(), CloserToTen()) == 10;
  ok &= *thrust::max_element(host.begin(), host.end(), CloserToTen()) == count - 1;

  thrust::device_vector<thrust::complex<float>> numbers(2);
  numbers[0] = thrust::complex<float>(3, 4);
  multiply<<<1, 1>>>(thrust::raw_pointer_cast(numbers.data()),
                     thrust::raw_pointer_cast(numbers.data()) + 1);
  const thrust::complex<float> product = numbers[1];
  ok &= product.real() == 25 && product.imag() == 5;
  std::cout << (ok ? "PASS" : "FAIL") << std::endl;
  return ok ? 0 : 1;
}
