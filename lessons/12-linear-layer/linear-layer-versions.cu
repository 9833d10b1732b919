// Lesson 12, the ladder: a training step of a linear layer, from one thread per result, past
// cuBLAS, to two passes over the input.
//
// Build: nvcc -O3 -I. lessons/12-linear-layer/linear-layer-versions.cu -o layer-versions -lcublas
// Run:   ./layer-versions [examples [features]]
#include "common/arguments.hpp"
#include "common/cublas.hpp"
#include "common/device.hpp"
#include "common/figures.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"
#include "lessons/12-linear-layer/passes.hpp"

#include <functional>
#include <string>

// One thread per element of Y = X W^T. Neighbours have the same row of X, or the next one.
__global__ void naive_forward(const float *x, const float *w, float *y, int rows, int columns) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, row = i / outputs, o = i % outputs;
  if (row >= rows)
    return;
  double sum = 0;
  for (int k = 0; k < columns; ++k)
    sum += double(x[size_t(row) * columns + k]) * w[o * columns + k];
  y[i] = sum;
}

// One thread per element of E^T X: a thread walks down a column of X, and each column is read once
// for each output.
__global__ void naive_backward(const float *x, const float *error, float *gradient, int rows,
                               int columns) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x, o = blockIdx.y;
  if (k >= columns)
    return;
  double sum = 0;
  for (int row = 0; row < rows; ++row)
    sum += double(x[size_t(row) * columns + k]) * error[row * outputs + o];
  gradient[o * columns + k] = sum;
}

// A pass over X, and into how many partial sums it adds.
struct Pass {
  std::string name;
  int parts;
  std::function<void()> launch;
  double seconds = 0;
};

constexpr int most_slabs = 20;

class Ladder {
public:
  Ladder(int rows, int features)
      : layer_(rows, features, blocks_for(columns_for(features) / 4, 128), most_slabs) {
    CUBLAS_CHECK(cublasCreate(&cublas_));
    add_passes();
  }
  ~Ladder() { cublasDestroy(cublas_); }
  Ladder(const Ladder &) = delete;
  Ladder &operator=(const Ladder &) = delete;

  // Proves a step with each pass.
  bool verify() {
    bool correct = true;
    for (std::size_t i = 0; i < std::max(forwards_.size(), backwards_.size()); ++i)
      correct = verify_step(forwards_[std::min(i, forwards_.size() - 1)],
                            backwards_[std::min(i, backwards_.size() - 1)]) &&
                correct;
    return correct;
  }

  // Times each pass, then whole steps.
  void measure() {
    copy_rate_ = layer_.copy_rate();
    course::figure("copy", 1e-9 * copy_rate_, "GB/s");
    std::puts("\nforward: Y = X W^T");
    const Pass &forward = fastest(forwards_);
    std::puts("\nbackward: E^T X");
    layer_.find_errors(forward.parts);
    const Pass &backward = fastest(backwards_);
    std::puts("\nthe whole step: X is read twice");
    measure_step("naive", forwards_[0], backwards_[0]);
    measure_step("cuBLAS", forwards_[1], backwards_[1]);
    CUBLAS_CHECK(cublasSetMathMode(cublas_, CUBLAS_TF32_TENSOR_OP_MATH));
    measure_step("cuBLAS, TF32", forwards_[1], backwards_[1]);
    std::printf("   error of an error, root mean square: %.1e", error_of_errors(forwards_[1]));
    CUBLAS_CHECK(cublasSetMathMode(cublas_, CUBLAS_DEFAULT_MATH));
    std::printf("; without TF32 %.1e\n", error_of_errors(forwards_[1]));
    measure_step("own: " + forward.name + " / " + backward.name, forward, backward);
  }

private:
  static constexpr double rate_ = 1;

  void step(const Pass &forward, const Pass &backward) {
    forward.launch();
    CUDA_CHECK(cudaGetLastError());
    layer_.find_errors(forward.parts);
    backward.launch();
    CUDA_CHECK(cudaGetLastError());
    layer_.update_weights(backward.parts, rate_);
  }

  bool verify_step(const Pass &forward, const Pass &backward) {
    layer_.reset();
    layer_.forget_results();
    step(forward, backward);
    return layer_.verify_first_step((forward.name + " / " + backward.name).c_str(), rate_);
  }

  Pass &fastest(std::vector<Pass> &passes) {
    for (Pass &pass : passes) {
      pass.seconds = course::gpu_seconds(course::size(7, 1), pass.launch);
      course::figure(pass.name.c_str(), 1e-9 * layer_.bytes() / pass.seconds, "GB/s",
                     1e-9 * copy_rate_, "the copy", pass.seconds);
    }
    return *std::min_element(passes.begin() + 2, passes.end(), // the own ones
                             [](const Pass &a, const Pass &b) { return a.seconds < b.seconds; });
  }

  void measure_step(const std::string &name, const Pass &forward, const Pass &backward) {
    const double seconds =
        course::gpu_seconds(course::size(15, 1), [&] { step(forward, backward); });
    course::figure(name.c_str(), 2e-9 * layer_.bytes() / seconds, "GB/s", 1e-9 * copy_rate_,
                   "the copy", seconds);
  }

  // Against the naive pass, whose sums are in double.
  double error_of_errors(const Pass &forward) {
    std::vector<float> want(layer_.rows * outputs), got(want.size());
    layer_.reset();
    const auto errors_by = [&](const Pass &pass, std::vector<float> &errors) {
      pass.launch();
      layer_.find_errors(pass.parts);
      CUDA_CHECK(cudaMemcpy(errors.data(), layer_.error, errors.size() * sizeof(float),
                            cudaMemcpyDeviceToHost));
    };
    errors_by(forwards_[0], want);
    errors_by(forward, got);
    double squares = 0;
    for (std::size_t i = 0; i < want.size(); ++i)
      squares += std::pow(double(got[i]) - want[i], 2);
    return std::sqrt(squares / want.size());
  }

  void add_passes() {
    forwards_.push_back({"naive", 1, [this] {
                           naive_forward<<<blocks_for(layer_.rows * outputs, 256), 256>>>(
                               layer_.x, layer_.w, layer_.part, layer_.rows, layer_.columns);
                         }});
    backwards_.push_back({"naive", 1, [this] {
                            naive_backward<<<dim3(blocks_for(layer_.columns, 256), outputs), 256>>>(
                                layer_.x, layer_.error, layer_.part, layer_.rows, layer_.columns);
                          }});
    // cuBLAS takes matrices column by column: read so, ours are transposed. Y^T = W X^T, and
    // X^T E is the transposed gradient.
    forwards_.push_back({"cuBLAS", 1, [this] {
                           product(CUBLAS_OP_T, CUBLAS_OP_N, outputs, layer_.rows, layer_.columns,
                                   layer_.w, layer_.columns, layer_.x, layer_.columns, outputs);
                         }});
    backwards_.push_back({"cuBLAS", 1, [this] {
                            product(CUBLAS_OP_N, CUBLAS_OP_T, layer_.columns, outputs, layer_.rows,
                                    layer_.x, layer_.columns, layer_.error, outputs,
                                    layer_.columns);
                          }});
    add_forward<1, 8, 256>("1 row per warp", 12);
    add_forward<2, 8, 256>("2 rows per warp", 12);
    add_forward<4, 8, 256>("4 rows per warp", 12);
    add_forward<4, 8, 256, true>("4 rows, loads ahead", 12);
    add_forward<8, 4, 256>("8 rows per warp", 12);
    add_forward<8, 4, 256, true>("8 rows, loads ahead", 12);
    add_forward<8, 4, 128>("8 rows, 20 KB of weights", 12);
    add_forward<8, 6, 256>("8 rows, 6 warps", 12);
    add_forward<8, 4, 256>("8 rows, more blocks", 24);
    add_backward<1>("1 row in flight", 10);
    add_backward<4>("4 rows in flight", 10);
    add_backward<8>("8 rows in flight", 10);
    add_backward<4, 128, true>("4 rows, loads ahead", 10);
    add_backward<8, 128, true>("8 rows, loads ahead", 10);
    add_backward<16>("16 rows in flight", 10);
    add_backward<8, 256>("8 rows, 256 threads", 10);
    add_backward<8>("8 rows, 20 slabs", 20);
    add_backward<8>("8 rows, 5 slabs", 5);
  }

  void product(cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k, const float *a,
               int lda, const float *b, int ldb, int ldc) {
    const float one = 1, zero = 0;
    CUBLAS_CHECK(
        cublasSgemm(cublas_, op_a, op_b, m, n, k, &one, a, lda, b, ldb, &zero, layer_.part, ldc));
  }

  template <int tile, int warps, int slice, bool ahead = false>
  void add_forward(const char *name, int groups) {
    const int slices = blocks_for(layer_.fours, slice);
    forwards_.push_back({name, slices, [=] {
                           forward<tile, warps, slice, ahead><<<dim3(slices, groups), 32 * warps>>>(
                               layer_.x4(), layer_.w4(), layer_.part, layer_.rows, layer_.fours);
                         }});
  }
  template <int at_once, int threads = 128, bool ahead = false>
  void add_backward(const char *name, int slabs) {
    backwards_.push_back({name, slabs, [=] {
                            backward<at_once, threads, ahead>
                                <<<dim3(blocks_for(layer_.fours, threads), slabs), threads>>>(
                                    layer_.x4(), layer_.error, layer_.part4(), layer_.rows,
                                    layer_.fours, blocks_for(layer_.rows, slabs));
                          }});
  }

  Layer layer_;
  cublasHandle_t cublas_;
  std::vector<Pass> forwards_, backwards_; // [0]: naive, [1]: cuBLAS
  double copy_rate_ = 0;
};

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 2, "[examples [features]]");
  course::print_device();
  const int rows =
      course::count_argument(argc, argv, 1, "examples", course::size(10'000, 300), most_examples);
  const int features =
      course::count_argument(argc, argv, 2, "features", course::size(100'000, 1000), most_features);
  bool correct = Ladder(131, 1067).verify(); // no tile divides these
  std::printf("%d examples, %d features, %d outputs\n", rows, features, outputs);
  Ladder ladder(rows, features);
  correct = ladder.verify() && correct;
  ladder.measure();
  std::puts("");
  return course::verdict(correct);
}
