// Lesson 13: the roofline of this device, and where kernels lie below it: roofline.svg.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/13-profiling/roofline.cu -o roofline
// Run:   ./roofline [bench.tsv]
//
// Both roofs are measured here, by kernels that do more and more multiply-adds for each number that
// they load and store. bench.tsv has the figures of earlier lessons: ./course bench writes it into
// the build folder, beside bench.json.
#include "common/arguments.hpp"
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/figures.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

constexpr int elements_each = 4; // of a thread: chains that do not wait for each other
constexpr int block = 256;

// [kernel]
// x becomes a x + b, `count` times: 2 count flops for 8 bytes.
__global__ void multiply_add(float *values, int n, int count, float a, float b) {
  const int first = blockIdx.x * blockDim.x * elements_each + threadIdx.x;
  float x[elements_each];
  for (int k = 0; k < elements_each; ++k)
    x[k] = first + k * block < n ? values[first + k * block] : 0;
  for (int i = 0; i < count; ++i)
    for (int k = 0; k < elements_each; ++k)
      x[k] = fmaf(a, x[k], b);
  for (int k = 0; k < elements_each; ++k)
    if (first + k * block < n)
      values[first + k * block] = x[k];
}
// [end]

struct Point {
  std::string name;
  double intensity, rate; // flops per byte, flops per second
};

// ---- measured here ----

bool measure(int n, std::vector<Point> &sweep) {
  const std::size_t bytes = n * sizeof(float);
  const float a = 0.75f, b = 0.5f;
  std::vector<float> values(n);
  float *d_values;
  CUDA_CHECK(cudaMalloc(&d_values, bytes));
  bool correct = true;
  for (const int count : {1, 2, 4, 8, 16, 32, 64, 128, 256}) {
    const auto launch = [&] {
      multiply_add<<<(n + elements_each * block - 1) / (elements_each * block), block>>>(
          d_values, n, count, a, b);
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
    const double seconds = course::gpu_seconds(course::size(9, 3), launch);
    sweep.push_back({name, count / 4.0, 2.0 * count * n / seconds});
    std::printf("   %-20s %8.2f flop/byte %10.4g GB/s %10.4g Gflop/s\n", name.c_str(),
                sweep.back().intensity, 2e-9 * bytes / seconds, 1e-9 * sweep.back().rate);
  }
  CUDA_CHECK(cudaFree(d_values));
  return correct;
}

// ---- measured by the bench ----

// The work of earlier lessons' kernels, as their pages count it: what moves at least, each value
// once. flops_per_unit: of what a figure counts, 1e9 bytes or 1e12 flops.
struct Known {
  const char *program, *what, *name;
  double intensity, flops_per_unit;
};
const Known known_kernels[] = {
    // One addition for three floats.
    {"add-list-ladder", "add, 256 threads per block", "add-list", 1.0 / 12, 1e9 / 12},
    // One addition for a float.
    {"reduction-ladder", "2 tree per block", "reduction: tree per block", 1.0 / 4, 1e9 / 4},
    {"reduction-ladder", "6 one launch", "reduction: one launch", 1.0 / 4, 1e9 / 4},
    // Four flops for a double that is read and one that is written; the figure counts these bytes
    // for each step, also where four steps move them once.
    {"stencil-ladder", "4 rows per thread", "stencil", 4.0 / 16, 1e9 * 4 / 16},
    {"stencil-ladder", "4 steps, pipeline in registers", "stencil: 4 steps", 4 * 4.0 / 16,
     1e9 * 4 / 16},
    // 2 n^3 flops for three matrices of n^2 floats: n / 6.
    {"matmul-ladder", "2 coalesced, 4096", "matmul: naive", 4096 / 6.0, 1e12},
    {"matmul-ladder", "3 shared tiles, 32, 4096", "matmul: shared tiles", 4096 / 6.0, 1e12},
    {"matmul-ladder", "6 double buffers, 4096", "matmul: register tiles", 4096 / 6.0, 1e12},
};

std::vector<Point> read_bench(const char *path) {
  std::ifstream file(path);
  if (!file) {
    std::fprintf(stderr, "cannot read %s: ./course bench writes it\n", path);
    std::exit(2);
  }
  std::vector<Point> points;
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
            {known.name, known.intensity, std::atof(value.c_str()) * known.flops_per_unit});
        drawn.insert(known.name);
      }
  }
  for (const Known &known : known_kernels)
    if (programs.count(known.program) && !drawn.count(known.name))
      std::fprintf(stderr, "%s: %s has no figure '%s': '%s' is not drawn\n", path, known.program,
                   known.what, known.name);
  return points;
}

// ---- the picture: both axes are logarithmic ----

struct Axes {
  double first_x, last_x, first_y, last_y; // powers of ten
  double x(double intensity) const {
    return 70 + 720 * (std::log10(intensity) - first_x) / (last_x - first_x);
  }
  double y(double rate) const {
    return 400 - 380 * (std::log10(rate) - first_y) / (last_y - first_y);
  }
};

void draw(const char *path, const std::vector<Point> &sweep, const std::vector<Point> &kernels,
          double bandwidth, double peak) {
  Axes axes{-2, 3, std::floor(std::log10(peak)) - 3, std::ceil(std::log10(peak))};
  for (const Point &point : kernels)
    axes.first_y = std::min(axes.first_y, std::floor(std::log10(point.rate)));
  std::ofstream out(path);
  out << "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 820 440\" role=\"img\">\n"
         "<title>Roofline: flop/s over flop/byte</title>\n<style>\n"
         "text { font: 12px sans-serif; fill: #24292f } .grid { stroke: #d0d7de }\n"
         ".roof { stroke: #0969da; stroke-width: 3; fill: none }\n"
         ".own { fill: #8c959f } .kernel { fill: #bc4c00 }\n"
         "@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .grid { stroke: #30363d }\n"
         ".roof { stroke: #4493f8 } .own { fill: #6e7681 } .kernel { fill: #db6d28 } }\n"
         "</style>\n";
  const auto text = [&](double x, double y, const char *anchor, const std::string &what) {
    out << "<text x=\"" << x << "\" y=\"" << y << "\" text-anchor=\"" << anchor << "\">" << what
        << "</text>\n";
  };
  const auto power = [](double exponent, const char *unit) {
    char label[48];
    std::snprintf(label, sizeof label, "%g%s", std::pow(10, exponent), unit);
    return std::string(label);
  };
  for (double e = axes.first_x; e <= axes.last_x; ++e) {
    const double x = axes.x(std::pow(10, e));
    out << "<line class=\"grid\" x1=\"" << x << "\" x2=\"" << x << "\" y1=\"20\" y2=\"400\"/>\n";
    text(x, 416, "middle", power(e, ""));
  }
  for (double e = axes.first_y; e <= axes.last_y; ++e) {
    const double y = axes.y(std::pow(10, e));
    out << "<line class=\"grid\" x1=\"70\" x2=\"790\" y1=\"" << y << "\" y2=\"" << y << "\"/>\n";
    text(64, y + 4, "end", power(e - 9, ""));
  }
  text(790, 434, "end", "arithmetic intensity in flop/byte");
  text(4, 12, "start", "Gflop/s");
  const double ridge = peak / bandwidth, left = std::pow(10, axes.first_y) / bandwidth;
  out << "<path class=\"roof\" d=\"M" << axes.x(std::max(left, 0.01)) << ' '
      << axes.y(std::max(left, 0.01) * bandwidth) << " L" << axes.x(ridge) << ' ' << axes.y(peak)
      << " H790\"/>\n";
  const auto dot = [&](const Point &point, const char *kind, int radius) {
    out << "<circle class=\"" << kind << "\" cx=\"" << axes.x(point.intensity) << "\" cy=\""
        << axes.y(point.rate) << "\" r=\"" << radius << "\"><title>" << point.name
        << "</title></circle>\n";
  };
  for (const Point &point : sweep)
    dot(point, "own", 4);
  double last = 0; // the last name's place: one that would cover it goes below
  for (const Point &point : kernels) {
    dot(point, "kernel", 5);
    const bool at_the_right = point.intensity > 100;
    double y = axes.y(point.rate) + 12;
    if (std::abs(y - last) < 14)
      y = last + 14;
    text(axes.x(point.intensity) + (at_the_right ? -9 : 9), y, at_the_right ? "end" : "start",
         point.name);
    last = y;
  }
  out << "</svg>\n";
  if (out.flush())
    std::printf("\npicture: %s\n", path);
  else
    std::printf("\nno picture: %s cannot be written\n", path);
}

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 1, "[bench.tsv]");
  const std::vector<Point> kernels = argc > 1 ? read_bench(argv[1]) : std::vector<Point>{};
  course::print_device();
  const int n = course::size(100'000'003, 100'003);
  std::printf("%d floats\n\n", n);
  std::vector<Point> sweep;
  const bool correct = measure(n, sweep);

  double bandwidth = 0, peak = 0;
  for (const Point &point : sweep) {
    bandwidth = std::max(bandwidth, point.rate / point.intensity);
    peak = std::max(peak, point.rate);
  }
  std::puts("");
  course::figure("the sloping roof: bytes", 1e-9 * bandwidth, "GB/s",
                 1e-9 * course::peak_bandwidth(), "the memory's peak");
  course::figure("the flat roof: multiply-adds", 1e-9 * peak, "Gflop/s");
  course::figure("the ridge", peak / bandwidth, "flop/byte");
  for (const auto &[name, intensity, rate] : kernels)
    course::figure(name.c_str(), 1e-9 * rate, "Gflop/s",
                   1e-9 * std::min(peak, intensity * bandwidth), "the roof");
  draw("roofline.svg", sweep, kernels, bandwidth, peak);
  return course::verdict(correct);
}
