// Lesson 14, second program: which GPU reaches which, and how fast: a matrix, and topology.svg.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/14-multi-gpu/topology.cu -o topology
// Run:   ./topology
#include "common/arguments.hpp"
#include "common/device.hpp"
#include "common/figures.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"
#include "lessons/14-multi-gpu/peers.hpp"

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

// Two lists on each GPU: each byte of on[i] is i + 1, and copy[i] is for what comes from elsewhere.
struct Lists {
  std::size_t bytes;
  std::vector<int *> on, copy;

  Lists(int gpus, std::size_t size) : bytes(size), on(gpus), copy(gpus) {
    for (int i = 0; i < gpus; ++i) {
      CUDA_CHECK(cudaSetDevice(i));
      CUDA_CHECK(cudaMalloc(&on[i], bytes));
      CUDA_CHECK(cudaMalloc(&copy[i], bytes));
      CUDA_CHECK(cudaMemset(on[i], i + 1, bytes));
      CUDA_CHECK(cudaDeviceSynchronize()); // the streams below do not wait for it
    }
  }
  Lists(const Lists &) = delete;
  Lists &operator=(const Lists &) = delete;
  ~Lists() {
    for (std::size_t i = 0; i < on.size(); ++i) {
      cudaFree(on[i]);
      cudaFree(copy[i]);
    }
  }
};

// Seconds of a copy from GPU `from` to GPU `to`; `both`: of this one and of one back, at the same
// time.
double copy_seconds(const Lists &lists, int from, int to, std::size_t bytes, bool both) {
  cudaStream_t there, back;
  CUDA_CHECK(cudaSetDevice(to));
  CUDA_CHECK(cudaStreamCreateWithFlags(&back, cudaStreamNonBlocking));
  CUDA_CHECK(cudaSetDevice(from));
  CUDA_CHECK(cudaStreamCreateWithFlags(&there, cudaStreamNonBlocking));
  const double seconds = course::host_seconds(course::size(9, 3), [&] {
    CUDA_CHECK(cudaMemcpyPeerAsync(lists.copy[to], to, lists.on[from], from, bytes, there));
    if (both)
      CUDA_CHECK(cudaMemcpyPeerAsync(lists.copy[from], from, lists.on[to], to, bytes, back));
    CUDA_CHECK(cudaStreamSynchronize(there));
    if (both)
      CUDA_CHECK(cudaStreamSynchronize(back));
  });
  CUDA_CHECK(cudaStreamDestroy(there));
  CUDA_CHECK(cudaStreamDestroy(back));
  return seconds;
}

// Whether each byte of the copy on GPU `to` is that of GPU `from`.
bool verify_copy(const Lists &lists, int from, int to) {
  std::vector<unsigned char> got(lists.bytes);
  CUDA_CHECK(cudaSetDevice(to));
  CUDA_CHECK(cudaMemcpy(got.data(), lists.copy[to], lists.bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemset(lists.copy[to], 0, lists.bytes)); // so that a stale copy cannot pass
  CUDA_CHECK(cudaDeviceSynchronize());
  const std::string what = "copy from " + std::to_string(from) + " to " + std::to_string(to);
  return course::verify(what.c_str(), got.data(), got.size(),
                        [&](std::size_t) { return from + 1; });
}

// A row for each GPU that the copy comes from, a column for each that it goes to.
struct Matrix {
  std::string title;
  std::vector<std::vector<double>> rows;
};

template <class Value> Matrix measure(const char *title, int gpus, Value value) {
  Matrix matrix{title, {}};
  for (int from = 0; from < gpus; ++from) {
    matrix.rows.emplace_back(gpus);
    for (int to = 0; to < gpus; ++to)
      if (from != to)
        matrix.rows[from][to] = value(from, to);
  }
  return matrix;
}

std::string text_of(const Matrix &matrix, int from, int to) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", matrix.rows[from][to]);
  return from == to ? "-" : text;
}

void print(const Matrix &matrix) {
  const int gpus = matrix.rows.size();
  std::printf("\n%s\n\n   from \\ to", matrix.title.c_str());
  for (int to = 0; to < gpus; ++to)
    std::printf("%10d", to);
  for (int from = 0; from < gpus; ++from) {
    std::printf("\n   %9d", from);
    for (int to = 0; to < gpus; ++to)
      std::printf("%10s", text_of(matrix, from, to).c_str());
  }
  std::puts("");
}

// The matrices below each other; the larger the value, the darker its cell, on one scale for all.
void draw(const char *path, const std::vector<Matrix> &matrices) {
  const int gpus = matrices.front().rows.size(), cell_width = 64, cell_height = 30;
  const int height = (gpus + 3) * cell_height; // of one: its title, its header, its rows
  double largest = 0;
  for (const Matrix &matrix : matrices)
    for (const std::vector<double> &row : matrix.rows)
      largest = std::max(largest, *std::max_element(row.begin(), row.end()));
  std::ofstream out(path);
  out << "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 "
      << std::max(420, (gpus + 2) * cell_width) << ' ' << height * matrices.size()
      << "\" role=\"img\" font-family=\"sans-serif\" font-size=\"14\">\n"
         "<title>How fast each GPU copies to each other one</title>\n<style>\n"
         "text { fill: #24292f } rect { fill: #0969da; stroke: #8c959f }\n"
         "@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } rect { fill: #4493f8 } }\n"
         "</style>\n";
  int top = 0;
  const auto text = [&](int x, int row, const char *anchor, const std::string &what) {
    out << "<text x=\"" << x << "\" y=\"" << top + row * cell_height + 20 << "\" text-anchor=\""
        << anchor << "\">" << what << "</text>\n";
  };
  const auto centre = [&](int column) { return (column + 1) * cell_width + cell_width / 2; };
  for (const Matrix &matrix : matrices) {
    text(4, 0, "start", matrix.title);
    text(4, 1, "start", "from \\ to");
    for (int gpu = 0; gpu < gpus; ++gpu) {
      text(centre(gpu), 1, "middle", std::to_string(gpu));
      text(cell_width - 10, gpu + 2, "end", std::to_string(gpu));
    }
    for (int from = 0; from < gpus; ++from)
      for (int to = 0; to < gpus; ++to) {
        out << "<rect x=\"" << (to + 1) * cell_width << "\" y=\"" << top + (from + 2) * cell_height
            << "\" width=\"" << cell_width << "\" height=\"" << cell_height << "\" fill-opacity=\""
            << 0.6 * matrix.rows[from][to] / largest << "\"/>\n";
        text(centre(to), from + 2, "middle", text_of(matrix, from, to));
      }
    top += height;
  }
  out << "</svg>\n";
  if (out.flush())
    std::printf("\npicture: %s\n", path);
  else
    std::printf("\nno picture: %s cannot be written\n", path);
}

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 0, "");
  course::print_device();
  int gpus = 0;
  CUDA_CHECK(cudaGetDeviceCount(&gpus));
  for (int i = 0; i < gpus; ++i) {
    cudaDeviceProp properties;
    char bus[16];
    CUDA_CHECK(cudaGetDeviceProperties(&properties, i));
    CUDA_CHECK(cudaDeviceGetPCIBusId(bus, sizeof bus, i));
    std::printf("   GPU %d: %s, PCI bus %s\n", i, properties.name, bus);
  }
  if (gpus == 1) {
    std::puts("There is no other GPU to copy to. The CPU backend has as many as you want:\n"
              "  COURSE_CPU_DEVICES=3 ./course --backend cpu run topology");
    return course::verdict(true);
  }
  const auto can = [](int from, int to) {
    int answer = 0;
    CUDA_CHECK(cudaDeviceCanAccessPeer(&answer, from, to));
    return answer;
  };
  print(measure("may GPU `from` use the memory of GPU `to`?", gpus, can));

  const Lists lists(gpus, course::size(std::size_t(1) << 30, std::size_t(1) << 22));
  bool correct = true;
  const auto rate = [&](bool both) {
    return [&, both](int from, int to) {
      const double seconds = copy_seconds(lists, from, to, lists.bytes, both);
      correct = verify_copy(lists, from, to) && (!both || verify_copy(lists, to, from)) && correct;
      return 1e-9 * (both ? 2 : 1) * lists.bytes / seconds;
    };
  };
  const auto latency = [&](int from, int to) {
    return 1e6 * copy_seconds(lists, from, to, sizeof(int), false);
  };
  std::vector<Matrix> rates{measure("without peer access: GB/s", gpus, rate(false))};
  print(rates.back());
  print(measure("without peer access: microseconds for 4 bytes", gpus, latency));
  enable_peers(gpus);
  for (const bool both : {false, true}) {
    rates.push_back(
        measure(both ? "with peer access, both ways at once: GB/s" : "with peer access: GB/s", gpus,
                rate(both)));
    print(rates.back());
  }
  print(measure("with peer access: microseconds for 4 bytes", gpus, latency));
  draw("topology.svg", rates);
  return course::verdict(correct);
}
