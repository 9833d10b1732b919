// Lesson 13: the roofline of this device, with the kernels of earlier lessons. Draws roofline.svg.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/13-profiling/roofline.cu -o roofline
// Run:   ./roofline [bench.tsv]
//
// ./course bench writes the results of earlier lessons to bench.tsv, in the build folder.
#include "common/arguments.hpp"
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/figures.hpp"
#include "common/svg.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

constexpr int EACH = 4; // elements per thread: independent multiply-adds
constexpr int BLOCK = 256;

// x = a x + b, `count` times: 2 count operations for 8 bytes.
__global__ void multiply_add(float *values, int n, int count, float a, float b) {
  const int first = blockIdx.x * BLOCK * EACH + threadIdx.x;
  float x[EACH];
  for (int k = 0; k < EACH; ++k)
    x[k] = first + k * BLOCK < n ? values[first + k * BLOCK] : 0;
  for (int i = 0; i < count; ++i)
    for (int k = 0; k < EACH; ++k)
      x[k] = fmaf(a, x[k], b);
  for (int k = 0; k < EACH; ++k)
    if (first + k * BLOCK < n)
      values[first + k * BLOCK] = x[k];
}

struct Kernel {
  std::string name;
  double intensity, rate; // operations per byte, operations per second
};

// Peak rate in float, in operations per second. Each core executes one multiply-add (two
// operations) per clock cycle. 0 if the device does not report its clock.
double peak_rate() {
  const int major = course::attribute(cudaDevAttrComputeCapabilityMajor);
  const int minor = course::attribute(cudaDevAttrComputeCapabilityMinor);
  const int cores = major < 8 || (major == 8 && minor == 0) ? 64 : 128; // per multiprocessor
  return 2e3 * course::attribute(cudaDevAttrClockRate) * cores * course::multiprocessors();
}

// ---- the kernel above, for several counts ----

bool measure(int n, std::vector<Kernel> &sweep) {
  const std::size_t bytes = n * sizeof(float);
  const float a = 0.75f, b = 0.5f;
  std::vector<float> values(n);
  float *d_values;
  CUDA_CHECK(cudaMalloc(&d_values, bytes));
  bool correct = true;
  for (const int count : {1, 2, 4, 8, 16, 32, 64, 128, 256}) {
    const auto launch = [&] {
      multiply_add<<<(n + EACH * BLOCK - 1) / (EACH * BLOCK), BLOCK>>>(d_values, n, count, a, b);
      CUDA_CHECK(cudaGetLastError());
    };
    for (int i = 0; i < n; ++i)
      values[i] = i % 101;
    CUDA_CHECK(cudaMemcpy(d_values, values.data(), bytes, cudaMemcpyHostToDevice));
    launch();
    CUDA_CHECK(cudaMemcpy(values.data(), d_values, bytes, cudaMemcpyDeviceToHost));
    float expected[101];
    for (int start = 0; start < 101; ++start) {
      expected[start] = start;
      for (int i = 0; i < count; ++i)
        expected[start] = std::fma(a, expected[start], b);
    }
    const std::string name =
        std::to_string(count) + (count == 1 ? " multiply-add" : " multiply-adds");
    correct &= course::verify(name.c_str(), values.data(), n,
                              [&](std::size_t i) { return expected[i % 101]; });
    const double seconds = course::gpu_seconds(course::problem_size(9, 3), launch);
    sweep.push_back({name, count / 4.0, 2.0 * count * n / seconds});
    std::printf("   %-20s %8.2f FLOP/byte %10.4g GB/s %10.4g GFLOP/s\n", name.c_str(),
                sweep.back().intensity, 2e-9 * bytes / seconds, 1e-9 * sweep.back().rate);
  }
  CUDA_CHECK(cudaFree(d_values));
  return correct;
}

// ---- kernels of earlier lessons, from bench.tsv ----

// The intensity counts the minimum number of bytes that a kernel must move: each value once.
// `operations` is the number of operations per unit of the result, which is GB/s or TFLOP/s.
struct Known {
  const char *program, *what, *name;
  double intensity, operations;
};
const Known known_kernels[] = {
    // One addition for three floats.
    {"add-list-versions", "add, 256 threads per block", "add-list", 1.0 / 12, 1e9 / 12},
    // One addition for a float.
    {"reduction-versions", "2 tree per block", "reduction: tree per block", 1.0 / 4, 1e9 / 4},
    {"reduction-versions", "6 one launch", "reduction: one launch", 1.0 / 4, 1e9 / 4},
    // Four operations for two doubles. The result counts 16 bytes per step, although four steps in
    // one pass move them only once.
    {"stencil-versions", "3 four rows per thread", "stencil", 4.0 / 16, 1e9 * 4 / 16},
    {"stencil-versions", "9 four steps per pass, registers", "stencil: 4 steps", 4 * 4.0 / 16,
     1e9 * 4 / 16},
    // 2 n^3 operations for three matrices of n^2 floats: n / 6 per byte.
    {"matmul-versions", "2 coalesced, 4096", "matmul: naive", 4096 / 6.0, 1e12},
    {"matmul-versions", "3 shared tiles, 32, 4096", "matmul: shared tiles", 4096 / 6.0, 1e12},
    {"matmul-versions", "4 register tiles, 8 x 8, 4096", "matmul: register tiles", 4096 / 6.0,
     1e12},
    {"matmul-versions", "6 double buffers, 4096", "matmul: double buffers", 4096 / 6.0, 1e12},
};

std::vector<Kernel> read_bench(const char *path) {
  std::ifstream file(path);
  if (!file) {
    std::fprintf(stderr, "cannot read %s; ./course bench writes this file\n", path);
    std::exit(2);
  }
  std::vector<Kernel> points;
  std::set<std::string> programs, drawn;
  for (std::string line; std::getline(file, line);) {
    std::istringstream fields(line); // program, what, value, ...: figures.hpp
    std::string program, what, value;
    std::getline(fields, program, '\t');
    std::getline(fields, what, '\t');
    std::getline(fields, value, '\t');
    programs.insert(program);
    for (const Known &known : known_kernels)
      if (program == known.program && what == known.what) {
        points.push_back(
            {known.name, known.intensity, std::atof(value.c_str()) * known.operations});
        drawn.insert(known.name);
      }
  }
  for (const Known &known : known_kernels)
    if (programs.count(known.program) && !drawn.count(known.name))
      std::fprintf(stderr, "%s: %s has no result '%s', so '%s' is not drawn\n", path, known.program,
                   known.what, known.name);
  return points;
}

// ---- the picture: both axes are logarithmic ----

void draw(const std::vector<Kernel> &sweep, std::vector<Kernel> kernels, double bandwidth,
          double peak) {
  std::sort(kernels.begin(), kernels.end(), // so that names go from top to bottom
            [](const Kernel &a, const Kernel &b) { return a.rate > b.rate; });
  const auto floor_of = [](double rate) { return std::pow(10, std::floor(std::log10(rate))); };
  double lowest = floor_of(peak) / 1000;
  for (const Kernel &its : kernels)
    lowest = std::min(lowest, floor_of(its.rate));
  course::Svg svg(820, 440, "Roofline: rate versus arithmetic intensity");
  course::Chart chart{
      svg, {0.01, 1000, 70, 790, true}, {lowest, 10 * floor_of(peak), 400, 20, true}};
  const auto label = [](double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%g", value);
    return std::string(text);
  };
  for (double x = chart.x.first; x < 1.5 * chart.x.last; x *= 10)
    chart.tick_x(x, label(x));
  for (double y = chart.y.first; y < 1.5 * chart.y.last; y *= 10)
    chart.tick_y(y, label(1e-9 * y));
  svg.text({790, 434}, "arithmetic intensity in FLOP/byte", "end");
  svg.text({4, 12}, "GFLOP/s");
  const double left = std::max(lowest / bandwidth, chart.x.first);
  chart.line({{left, left * bandwidth}, {peak / bandwidth, peak}, {chart.x.last, peak}},
             course::blue, 3);
  for (const Kernel &its : sweep)
    svg.dot(chart.place({its.intensity, its.rate}), 4, course::grey, its.name);
  double last = 0; // the position of the last name; the next name must not cover it
  for (const Kernel &its : kernels) {
    auto [x, y] = chart.place({its.intensity, its.rate});
    svg.dot({x, y}, 5, course::orange, its.name);
    const bool at_the_right = its.intensity > 100;
    y += 12;
    if (std::abs(y - last) < 14)
      y = last + 14;
    svg.text({x + (at_the_right ? -9 : 9), y}, its.name, at_the_right ? "end" : "start");
    last = y;
  }
  std::puts("");
  svg.write("roofline.svg");
}

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 1, "[bench.tsv]");
  const std::vector<Kernel> kernels = argc > 1 ? read_bench(argv[1]) : std::vector<Kernel>{};
  course::print_device();
  const int n = course::problem_size(100'000'003, 100'003);
  std::printf("%d floats\n\n", n);
  std::vector<Kernel> sweep;
  const bool correct = measure(n, sweep);

  double bandwidth = 0, rate = 0; // the best of the measured ones
  for (const Kernel &its : sweep) {
    bandwidth = std::max(bandwidth, its.rate / its.intensity);
    rate = std::max(rate, its.rate);
  }
  std::puts("");
  course::figure("best bandwidth", 1e-9 * bandwidth, "GB/s",
                 {.limit = 1e-9 * course::peak_bandwidth(), .limit_is = "the peak of the memory"});
  course::figure("best rate", 1e-9 * rate, "GFLOP/s",
                 {.limit = 1e-9 * peak_rate(), .limit_is = "the peak of the arithmetic"});
  if (course::peak_bandwidth() > 0 && peak_rate() > 0) { // else the measured values are the roofs
    bandwidth = course::peak_bandwidth();
    rate = peak_rate();
  }
  course::figure("ridge", rate / bandwidth, "FLOP/byte");
  for (const auto &[name, intensity, its_rate] : kernels)
    course::figure(name.c_str(), 1e-9 * its_rate, "GFLOP/s",
                   {.limit = 1e-9 * std::min(rate, intensity * bandwidth), .limit_is = "the roof"});
  draw(sweep, kernels, bandwidth, rate);
  return course::verdict(correct);
}
