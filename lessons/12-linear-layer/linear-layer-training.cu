// Lesson 12, second program: the layer is trained until its loss no longer falls.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/12-linear-layer/linear-layer-training.cu -o layer-training
// Run:   ./layer-training
//
// First five steps on numbers for which PyTorch's losses are known; then targets that a hidden
// linear map and some noise have made. A layer can learn the map, and not the noise.
#include "common/arguments.hpp"
#include "common/device.hpp"
#include "common/svg.hpp"
#include "common/verify.hpp"
#include "lessons/12-linear-layer/passes.hpp"

// The losses that PyTorch 2.11 finds on an H200, in float, in five steps of torch.optim.SGD(lr=2)
// on the numbers of data.hpp, 1000 examples of 2000 features. In double it finds 0.3379202326,
// 0.1929425154, 0.1322337476, 0.0990109622 and 0.0779432674, and so does plain Python.
constexpr double pytorch_losses[] = {0.3379202187, 0.1929425299, 0.1322337538, 0.0990109667,
                                     0.0779432654};

constexpr float noise = 0.1f; // the largest

// target = 16 Y + noise.
__global__ void hide_map(const float *part, int parts, float *target, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  double y = 0;
  for (int p = 0; p < parts; ++p)
    y += part[p * count + i];
  target[i] = 16 * y + noise * number(NOISE, i);
}

class Training {
public:
  Training(int rows, int features)
      : layer_(rows, features, blocks_for(columns_for(features) / 4, slice), slabs),
        slices_(blocks_for(layer_.fours, slice)) {}

  // Targets that 16 times the first weights would give, but for noise; the weights begin with 0.
  void hide_first_weights() {
    forward_pass();
    const int count = layer_.rows * outputs;
    hide_map<<<blocks_for(count, 256), 256>>>(layer_.part, slices_, layer_.target, count);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemset(layer_.w, 0, outputs * layer_.columns * sizeof(float)));
  }

  // One step; returns the loss before it.
  double step(double rate) {
    forward_pass();
    layer_.find_errors(slices_);
    backward<8, 128, false><<<dim3(blocks_for(layer_.fours, 128), slabs), 128>>>(
        layer_.x4(), layer_.error, layer_.part4(), layer_.rows, layer_.fours,
        blocks_for(layer_.rows, slabs));
    CUDA_CHECK(cudaGetLastError());
    layer_.update_weights(slabs, rate);
    return layer_.last_loss();
  }

private:
  static constexpr int slice = 256, slabs = 10, groups = 12;

  void forward_pass() {
    forward<8, 4, slice, false><<<dim3(slices_, groups), 128>>>(
        layer_.x4(), layer_.w4(), layer_.part, layer_.rows, layer_.fours);
    CUDA_CHECK(cudaGetLastError());
  }

  Layer layer_;
  int slices_;
};

bool five_steps_beside_pytorch() {
  std::puts("1000 examples, 2000 features: five steps beside PyTorch");
  Training training(1000, 2000);
  bool correct = true;
  for (double pytorch : pytorch_losses) {
    const double loss = training.step(2);
    std::printf("   loss %.7f   PyTorch %.7f\n", loss, pytorch);
    correct = course::verify_value("loss", loss, pytorch, 1e-6) && correct;
  }
  return correct;
}

// The losses as a curve, on a logarithmic scale that has a line for each power of 10.
void draw_losses(const std::vector<double> &losses, double floor) {
  const double lowest = std::pow(10, std::floor(std::log10(floor)));
  const double highest = std::pow(10, std::ceil(std::log10(losses[0])));
  const double last = losses.size() - 1;
  course::Svg svg(600, 300, "The loss falls step by step to the level of the noise");
  course::Chart chart{svg, {0, last, 60, 580}, {lowest, highest, 260, 20, true}};
  for (double power = lowest; power < 1.5 * highest; power *= 10) {
    char label[32];
    std::snprintf(label, sizeof label, "%g", power);
    chart.tick_y(power, label);
  }
  for (int step = 0; step <= last; step += 10)
    chart.tick_x(step, std::to_string(step));
  svg.text({580, 294}, "step", "end");
  chart.line({{0, floor}, {last, floor}}, course::orange, 1, "6 4");
  svg.text({580, chart.y(floor) - 6}, "what the noise leaves", "end");
  std::vector<course::Point> curve;
  for (std::size_t step = 0; step < losses.size(); ++step)
    curve.push_back({double(step), losses[step]});
  chart.line(curve, course::blue, 3);
  svg.write("linear-layer.svg");
}

// Whether the loss falls to what the noise leaves.
bool train(int rows, int features) {
  std::printf("\n%d examples, %d features: targets from a hidden map, with noise\n", rows,
              features);
  Training training(rows, features);
  training.hide_first_weights();
  // The loss falls as long as the rate is below 2 / (its largest curvature). The bias alone has a
  // curvature of 2 / outputs; random features have at most the other one.
  const double bias = 2.0 / outputs, spread = 1 + std::sqrt(double(features) / rows);
  const double rate = 1 / std::max(bias, bias / 3 * spread * spread);
  // The mean of noise * noise; a layer with more weights explains more of it away.
  const double floor = noise * noise / 3 * (1 - (features + 1.0) / rows);
  const int steps = 40;
  std::vector<double> losses;
  for (int step = 0; step <= steps; ++step) {
    losses.push_back(training.step(rate));
    if (step % 5 == 0)
      std::printf("   step %3d of %d: loss %.6f\n", step, steps, losses.back());
  }
  std::printf("   what the noise leaves: about %.6f\n", floor);
  draw_losses(losses, floor);
  return course::verify_value("last loss", losses.back(), floor, 0.1);
}

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 0, "");
  course::print_device();
  bool correct = five_steps_beside_pytorch();
  correct = train(course::size(10'000, 1000), course::size(1000, 100)) && correct;
  return course::verdict(correct);
}
